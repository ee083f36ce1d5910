import { performance } from 'node:perf_hooks';
import { readFeedHeads } from '../../stock/index.js';
import { keyText } from '../delivery/endpoint.js';
import { WEBHOOKS_TOPIC } from '../webhook.js';
import { runPass, type StockPushOptions } from './pass.js';
import { type DueCursor, findDueCursors } from './stock-cursor.store.js';

interface Options extends StockPushOptions {
  onError(error: unknown, task: string): void;
}

export interface StockPushes {
  /** Starts to push what has changed in any organization, without waiting for receivers. */
  look(): Promise<void>;
  /** Resolves when no push is in progress. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Webhooks served concurrently, in total and per organization: fewer, so that others have room while its endpoints hang. */
const PASSES_MAX = 50;
const PASSES_PER_ORG_MAX = 10;
/** Expiry changes figures without a write, so each organization is visited at least this often. */
const LOOK_ANYWAY_MS = 60_000;

interface Pass {
  orgId: string;
  abort: AbortController;
  ended: Promise<void>;
}

/**
 * Pushes `inventory.changed` to the webhooks that subscribe to it. Any number of processes may run concurrently, because
 * each pass has a lease.
 */
export function openStockPushes(options: Options): StockPushes {
  const { database } = options;
  const passes = new Map<string, Pass>();
  const lookedAtMs = new Map<string, number>();
  let isStopped = false;

  // A pass continues with the configuration it began with, so a change ends it early. The next one reads it again.
  const unsubscribe = database.announcer.listen(WEBHOOKS_TOPIC, (orgId) => {
    for (const pass of passes.values()) if (orgId === null || pass.orgId === orgId) pass.abort.abort();
  });

  const begin = (cursor: DueCursor) => {
    const key = keyText(cursor);
    const abort = new AbortController();
    const ended = runPass(options, cursor, abort.signal)
      .catch((error: unknown) => options.onError(error, `pushing stock changes to ${cursor.webhookId}`))
      .finally(() => passes.delete(key));
    passes.set(key, { orgId: cursor.orgId, abort, ended });
  };
  const hasRoom = (orgId: string) =>
    passes.size < PASSES_MAX &&
    [...passes.values()].filter((pass) => pass.orgId === orgId).length < PASSES_PER_ORG_MAX;

  const idle = async () => {
    while (passes.size > 0) await Promise.all([...passes.values()].map((pass) => pass.ended));
  };

  return {
    async look() {
      const due = await findDueCursors(database.worker, database.clock.now(), database.time.now());
      const free = due.filter((cursor) => !passes.has(keyText(cursor)));
      if (free.length === 0) return;
      const orgIds = [...new Set(free.map((cursor) => cursor.orgId))];
      const feeds = new Map((await readFeedHeads(database.worker, orgIds)).map((feed) => [feed.orgId, feed]));
      const nowMs = performance.now();
      const overdue = new Set(
        orgIds.filter(
          (orgId) => nowMs - (lookedAtMs.get(orgId) ?? Number.NEGATIVE_INFINITY) >= LOOK_ANYWAY_MS,
        ),
      );
      for (const orgId of overdue) lookedAtMs.set(orgId, nowMs);
      for (const cursor of free) {
        const feed = feeds.get(cursor.orgId);
        const hasChanged = feed !== undefined && (feed.hasMarks || feed.position > cursor.position);
        if (isStopped || !(hasChanged || overdue.has(cursor.orgId)) || !hasRoom(cursor.orgId)) continue;
        begin(cursor);
      }
    },
    idle,
    async stop() {
      isStopped = true;
      unsubscribe();
      for (const pass of passes.values()) pass.abort.abort();
      await idle();
    },
  };
}
