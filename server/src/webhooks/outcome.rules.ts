import type { PushPolicy, StoredDelivery, WebhookStatus } from './webhook.js';

export interface EndedAttempt {
  position: number;
  at: Date;
  endedAt: Date;
  durationMs: number;
  delivered: boolean;
  status: number | null;
  error: string | null;
  responseExcerpt: string | null;
}

/** The part of a webhook's state on which the outcome of pushes depends. */
export interface Standing {
  status: WebhookStatus;
  consecutiveFailures: number;
  failingSince: Date | null;
}

export interface Outcome {
  standing: Standing;
  /** These attempts disabled the webhook. */
  disabled: boolean;
  deliveries: StoredDelivery[];
  /** The number of each attempt within its push, in the order given. */
  numbers: number[];
}

const unknown = (position: number): StoredDelivery => ({
  position,
  status: 'retrying',
  attempts: 0,
  tries: 0,
  dueAt: null,
  manual: false,
  resumeDueAt: null,
});

/**
 * Judges attempts in the order they ended: a delivered push resets the count of failures, a push without retries left
 * adds to it, and too many in a row disable the webhook.
 */
export function outcomeOf(
  before: Standing,
  known: ReadonlyMap<number, StoredDelivery>,
  ended: readonly EndedAttempt[],
  policy: Pick<PushPolicy, 'retryDelaysMs' | 'disableAfter'>,
): Outcome {
  const standing = { ...before };
  const deliveries = new Map<number, StoredDelivery>();
  const numbers: number[] = [];
  let disabled = false;
  for (const attempt of ended) {
    const stored = deliveries.get(attempt.position) ?? known.get(attempt.position);
    const delivery = stored ?? unknown(attempt.position);
    const counted = { ...delivery, attempts: delivery.attempts + 1 };
    numbers.push(counted.attempts);
    if (attempt.delivered) {
      // A successful first attempt needs no row, because the attempt itself is the record.
      if (stored) deliveries.set(attempt.position, settled(counted, 'delivered'));
      if (!delivery.manual && standing.status === 'enabled') {
        standing.consecutiveFailures = 0;
        standing.failingSince = null;
      }
      continue;
    }
    if (delivery.manual) {
      deliveries.set(attempt.position, undoRedelivery(counted));
      continue;
    }
    if (standing.status === 'disabled') {
      deliveries.set(attempt.position, settled(counted, 'skipped'));
      continue;
    }
    const retryDelayMs = policy.retryDelaysMs[delivery.tries];
    if (retryDelayMs !== undefined) {
      const dueAt = new Date(attempt.endedAt.getTime() + retryDelayMs);
      deliveries.set(attempt.position, { ...counted, status: 'retrying', tries: delivery.tries + 1, dueAt });
      continue;
    }
    deliveries.set(attempt.position, settled(counted, 'failed'));
    standing.consecutiveFailures++;
    standing.failingSince ??= attempt.endedAt;
    if (standing.consecutiveFailures >= policy.disableAfter) {
      standing.status = 'disabled';
      disabled = true;
    }
  }
  return { standing, disabled, deliveries: [...deliveries.values()], numbers };
}

const settled = (delivery: StoredDelivery, status: 'delivered' | 'failed' | 'skipped'): StoredDelivery => ({
  ...delivery,
  status,
  dueAt: null,
  manual: false,
  resumeDueAt: null,
});

const undoRedelivery = (delivery: StoredDelivery): StoredDelivery => ({
  ...delivery,
  dueAt: delivery.resumeDueAt,
  manual: false,
  resumeDueAt: null,
});
