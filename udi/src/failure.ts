/** Reasons for which a code cannot be read or written: a closed list that only grows. The README explains each. */
export const failureReasons = [
  'unknown_format',
  'unknown_identifier',
  'missing_device_identifier',
  'bad_check_digit',
  'bad_check_character',
  'bad_link_character',
  'bad_labeler',
  'illegal_date',
  'illegal_character',
  'illegal_value',
  'bad_encoding',
  'too_long',
  'too_short',
  'conflicting_values',
  'forbidden_combination',
  'missing_companion',
  'wrong_order',
  'incomplete_message',
  'not_expressible',
] as const;

/** One of the {@link failureReasons}. */
export type FailureReason = (typeof failureReasons)[number];

/** Why a code cannot be read or written, and where in it the problem is. */
export interface UdiFailure {
  /** For programs: never renamed. */
  readonly reason: FailureReason;
  /** Index in the code, from 0, at which the faulty part begins. */
  readonly position: number;
  /** For people; its wording may change. */
  readonly message: string;
}

/** Makes a failure. */
export function failure(reason: FailureReason, position: number, message: string): UdiFailure {
  return { reason, position, message };
}

/** Whether a value is a failure. */
export function isFailure<T>(value: T | UdiFailure): value is UdiFailure {
  return typeof value === 'object' && value !== null && 'reason' in value && 'position' in value;
}

/** Part of a code as shown in a message: shortened, with unprintable characters escaped. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
