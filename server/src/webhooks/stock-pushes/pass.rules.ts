import type { EndedAttempt, Standing } from '../outcome.rules.js';
import type { PushPolicy } from '../webhook.js';

/** The result of one pass over the feed of stock changes for a webhook. */
export interface PassResult {
  /** Everything up to here was delivered or did not match. */
  position: number;
  /** Failed attempts at the next row so far. */
  tries: number;
  attempts: readonly EndedAttempt[];
  hasFailed: boolean;
}

/** The next place of the cursor, and when the next pass may begin; null: immediately. */
export interface CursorMove {
  position: number;
  tries: number;
  dueAt: Date | null;
}

/** A product and warehouse occur at most once in a pass, so they are pushed at most once in this time. */
const BETWEEN_PASSES_MS = 1_000;

/**
 * A row that cannot be delivered after all retries counts as one failed push of the webhook, and is retried: unlike an event
 * it is never abandoned, because it represents the current stock.
 */
export function afterPass(
  before: Standing,
  { position, tries, attempts, hasFailed, isMoved }: PassResult & { isMoved: boolean },
  policy: Pick<PushPolicy, 'retryDelaysMs' | 'disableAfter'>,
  now: Date,
): { cursor: CursorMove; standing: Standing; isDisabled: boolean } {
  const dueIn = (ms: number) => new Date(now.getTime() + ms);
  if (!hasFailed) {
    const hasPushed = attempts.length > 0;
    const isWell = hasPushed && before.status === 'enabled';
    return {
      cursor: { position, tries: hasPushed ? 0 : tries, dueAt: hasPushed ? dueIn(BETWEEN_PASSES_MS) : null },
      standing: isWell ? { ...before, consecutiveFailures: 0, failingSince: null } : before,
      isDisabled: false,
    };
  }
  const failed = isMoved ? 1 : tries + 1;
  const retryMs = policy.retryDelaysMs[failed - 1];
  if (retryMs !== undefined)
    return {
      cursor: { position, tries: failed, dueAt: dueIn(retryMs) },
      standing: before,
      isDisabled: false,
    };
  const standing = {
    ...before,
    consecutiveFailures: before.consecutiveFailures + 1,
    failingSince: before.failingSince ?? now,
  };
  return {
    cursor: { position, tries: 0, dueAt: dueIn(policy.retryDelaysMs.at(-1) ?? BETWEEN_PASSES_MS) },
    standing,
    isDisabled: before.status === 'enabled' && standing.consecutiveFailures >= policy.disableAfter,
  };
}
