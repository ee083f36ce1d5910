import type { Clock } from '../platform/clock/index.js';
import type { Pool } from '../platform/database/index.js';
import type { Principal } from '../platform/principal.js';
import { type CredentialUsed, noteClientUse, noteKeyUse, noteSessionUse } from './access.store.js';
import type { Credential, CredentialKind } from './credentials.js';
import { openUsageCounter } from './usage/usage-counter.js';

/** Remembers when and how much credentials are used, and writes it down now and then: never a write per request. */
export interface CredentialUse {
  note(credential: Credential): void;
  /** One request of this credential was answered with this status. */
  count(principal: Principal, status: number): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_EVERY_MS = 20_000;
const noteUse: Readonly<
  Record<CredentialKind, (worker: Pool, uses: readonly CredentialUsed[]) => Promise<void>>
> = {
  key: noteKeyUse,
  client: noteClientUse,
  session: noteSessionUse,
};

export function openCredentialUse(
  worker: Pool,
  clock: Clock,
  onError: (error: unknown) => void,
): CredentialUse {
  const used = { key: new Map<string, CredentialUsed>(), client: new Map(), session: new Map() };
  const usage = openUsageCounter(worker, clock);
  const flush = async () => {
    await usage.flush().catch(onError);
    for (const kind of ['key', 'client', 'session'] as const) {
      const uses = [...used[kind].values()];
      used[kind].clear();
      if (uses.length > 0) await noteUse[kind](worker, uses).catch(onError);
    }
  };
  const timer = setInterval(flush, FLUSH_EVERY_MS);
  timer.unref();
  return {
    note({ kind, id, principal }) {
      used[kind].set(id, { orgId: principal.orgId, id, at: clock.now() });
    },
    count: usage.count,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
