import { expect, vi } from 'vitest';
import { LOCAL_WEBHOOKS, startWorker, type TestDatabase } from '../harness/index.js';

/** May push to this machine, and is patient with it. */
export const toLoopback = { ...LOCAL_WEBHOOKS, timeoutMs: 5_000 };

/** Has a worker deliver until it is seen to have. */
export async function deliverUntil(db: TestDatabase, seen: () => Promise<boolean>): Promise<void> {
  const worker = await startWorker(db, { webhooks: toLoopback });
  try {
    await vi.waitFor(async () => expect(await seen()).toBe(true), { timeout: 60_000, interval: 20 });
  } finally {
    await worker.stop();
  }
  expect(worker.complaints).toEqual([]);
}
