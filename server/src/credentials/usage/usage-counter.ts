import type { Clock } from '../../platform/clock/index.js';
import type { Pool } from '../../platform/database/index.js';
import type { Principal } from '../../platform/principal.js';
import type { HourOfUse, UsageKind } from './usage.js';
import { addUsage } from './usage.store.js';

const HOUR_MS = 3_600_000;

/** Counts requests in memory: nothing is written per request. */
export interface UsageCounter {
  /** Counts an answered request of this principal. */
  count(principal: Principal, status: number): void;
  /** Adds the counts to those in the database. */
  flush(): Promise<void>;
}

export function openUsageCounter(worker: Pool, clock: Clock): UsageCounter {
  let current = new Map<string, HourOfUse>();
  /** Hours that ended before they were written. */
  let ended: HourOfUse[] = [];

  const entryOf = (principal: Principal): HourOfUse => {
    const [kind, credentialId] = countedAs(principal);
    const known = current.get(credentialId);
    const nowMs = clock.now().getTime();
    if (known && nowMs - known.hour.getTime() < HOUR_MS) return known;
    if (known) ended.push(known);
    const hour = new Date(nowMs - (nowMs % HOUR_MS));
    const zero = { requests: 0, clientErrors: 0, serverErrors: 0, limited: 0 };
    const fresh = { orgId: principal.orgId, kind, credentialId, hour, ...zero };
    current.set(credentialId, fresh);
    return fresh;
  };

  return {
    count(principal, status) {
      const entry = entryOf(principal);
      entry.requests++;
      if (status >= 500) entry.serverErrors++;
      else if (status === 429) entry.limited++;
      else if (status >= 400) entry.clientErrors++;
    },
    async flush() {
      const counted = [...ended, ...current.values()];
      ended = [];
      current = new Map();
      if (counted.length === 0) return;
      try {
        await addUsage(worker, counted);
      } catch (error) {
        // Kept for the next flush: late counts are better than lost ones.
        ended = ended.concat(counted).slice(-KEPT_MAX);
        throw error;
      }
    },
  };
}

/** Bounds memory while the database is unavailable. */
const KEPT_MAX = 50_000;

/** The id under which a request is counted and logged. */
export function countedAs({ session, client, credentialId }: Principal): [UsageKind, string] {
  if (session) return ['console', session.userId];
  return [client ? 'oauth' : 'api_key', credentialId];
}
