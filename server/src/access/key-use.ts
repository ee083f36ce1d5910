import type { Clock } from '../platform/clock/index.js';
import type { Pool } from '../platform/database/index.js';
import { noteKeyUse } from './access.store.js';

/** Remembers when keys were last used and writes it down now and then: never a write per request. */
export interface KeyUse {
  note(orgId: string, keyId: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_EVERY_MS = 20_000;

export function openKeyUse(worker: Pool, clock: Clock, onError: (error: unknown) => void): KeyUse {
  let used = new Map<string, { orgId: string; at: Date }>();
  const flush = async () => {
    if (used.size === 0) return;
    const batch = used;
    used = new Map();
    try {
      await noteKeyUse(
        worker,
        [...batch].map(([keyId, { orgId, at }]) => ({ orgId, keyId, at })),
      );
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(flush, FLUSH_EVERY_MS);
  timer.unref();
  return {
    note: (orgId, keyId) => used.set(keyId, { orgId, at: clock.now() }),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
