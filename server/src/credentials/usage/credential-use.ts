import type { Credential, CredentialKind, UseRecorder } from '../../access/index.js';
import { noteSessionUse } from '../../people/index.js';
import type { Clock } from '../../platform/clock/index.js';
import type { Pool } from '../../platform/database/index.js';
import type { Principal } from '../../platform/principal.js';
import { clientStore } from '../client.store.js';
import type { CredentialUsed } from '../credential.store.js';
import { keyStore } from '../key.store.js';
import { openRequestLog, type RequestLog } from '../request-log/request-log.js';
import { openUsageCounter } from './usage-counter.js';

/** Records when and how often credentials are used. Written periodically, never once per request. */
export interface CredentialUse extends UseRecorder {
  /** Counts an answered request of this principal. */
  count(principal: Principal, status: number): void;
  readonly log: RequestLog;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_EVERY_MS = 20_000;
const noteUse: Readonly<
  Record<CredentialKind, (worker: Pool, uses: readonly CredentialUsed[]) => Promise<void>>
> = {
  key: keyStore.noteUse,
  client: clientStore.noteUse,
  session: noteSessionUse,
};

export function openCredentialUse(
  worker: Pool,
  clock: Clock,
  onError: (error: unknown) => void,
): CredentialUse {
  const used = { key: new Map<string, CredentialUsed>(), client: new Map(), session: new Map() };
  const usage = openUsageCounter(worker, clock);
  const log = openRequestLog(worker, clock, onError);
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
    note({ kind, id, principal }: Credential) {
      used[kind].set(id, { orgId: principal.orgId, id, at: clock.now() });
    },
    count: usage.count,
    log,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      await log.close();
    },
  };
}
