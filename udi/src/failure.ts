/** Why a code cannot be read or written: a closed list that only grows. The README says what each means. */
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

/** Why and where a code cannot be read. */
export interface UdiFailure {
  /** Stable: for programs. */
  readonly reason: FailureReason;
  /** Where in the code, counted from 0, the part begins that the message is about. */
  readonly position: number;
  /** For people; its wording may change. */
  readonly message: string;
}

export function failure(reason: FailureReason, position: number, message: string): UdiFailure {
  return { reason, position, message };
}

export function isFailure<T>(value: T | UdiFailure): value is UdiFailure {
  return typeof value === 'object' && value !== null && 'reason' in value && 'position' in value;
}

/** A piece of a code for a message: short, and visible where it would not print. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
