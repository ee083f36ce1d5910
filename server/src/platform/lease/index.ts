import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Pool } from '../database/index.js';
import { releaseLease, takeLease } from './lease.store.js';

export interface LeaseOptions {
  pool: Pool;
  name: string;
  leaseMs?: number;
  /** Starts the leader's work. Returns a function that ends it. */
  begin(): Promise<() => Promise<void>>;
  onError(error: unknown): void;
}

const LEASE_MS = 10_000;

/**
 * Elects a leader among several processes: the holder of the lease, which it renews after each third of its duration. When
 * the leader dies, another takes over once the lease has expired. Two may lead for a moment, so that must be harmless.
 */
export function runAsLeader(options: LeaseOptions): { stop(): Promise<void> } {
  const { pool, name, leaseMs = LEASE_MS } = options;
  const holder = randomBytes(9).toString('base64url');
  let end: (() => Promise<void>) | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  let heldUntilMs = 0;
  const renew = async () => {
    const askedMs = performance.now();
    try {
      const ours = await takeLease(pool, name, holder, leaseMs);
      if (ours) heldUntilMs = askedMs + leaseMs;
      if (ours && !end) end = await options.begin();
      if (!ours) await endNow();
    } catch (error) {
      options.onError(error);
      // Until the lease expires no other process can take it, even if the database is unreachable.
      if (performance.now() > heldUntilMs) await endNow();
    }
    if (!stopped) {
      timer = setTimeout(() => {
        current = renew();
      }, leaseMs / 3);
    }
  };
  const endNow = async () => {
    const ending = end;
    end = null;
    await ending?.();
  };
  let current = renew();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
      await endNow();
      // Released immediately, so that the next leader need not wait for it to expire.
      await releaseLease(pool, name, holder).catch(options.onError);
    },
  };
}
