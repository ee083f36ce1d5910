import type { Receipt } from './receipt.types.js';

/** Why goods of a line were rejected, or accepted although they arrived outside their conditions. */
export function verdictReasons(
  { rejectReason, deviationReason }: Receipt['lines'][number],
  words: { deviationAccepted: (reason: string) => string },
): string[] {
  return [
    ...(rejectReason === null ? [] : [rejectReason]),
    ...(deviationReason === null ? [] : [words.deviationAccepted(deviationReason)]),
  ];
}
