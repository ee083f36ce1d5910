import type { EventType } from '../events/index.js';
import {
  findExpiredStock,
  type NotifiedBatch,
  notifyExpiringCertificates,
  notifyLowStock,
  notifyNearExpirySince,
} from '../notifications/index.js';
import { addDays } from '../platform/calendar/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { businessDay, systemPrincipal } from '../platform/principal.js';
import { isDue, lowStockSince, type RunMark, unattendedSince } from './daily-run.rules.js';
import {
  type DailyRunState,
  readDailyRunStates,
  readRunMark,
  saveDailyRun,
  saveDailyRunAhead,
} from './daily-run.store.js';
import { queueDigest } from './digest.js';

/** The notifications sent by one run, by event type: certificate ids, batches and product codes. */
export interface DailyRunReport {
  organization: string;
  day: string;
  emitted: Partial<Record<EventType, string[]>>;
}

export interface DailyRunOptions {
  /** Linked from the digest. */
  consoleUrl: string;
  /** How many certificates or batches one transaction locks: orders for them wait until it commits. */
  batchSize?: number;
}

const BATCH_SIZE = 200;
const ACTOR = 'watch@lotward.invalid';

type InTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * The daily run of one organization: notifies about certificates that reached a threshold, batches that came near expiry
 * and products that fell below their safety stock when a batch expired; queues the digest. Safe to run concurrently, and to
 * repeat after an interruption: each notification is deduplicated by a unique key and commits with its event.
 */
export async function performDailyRun(
  database: Database,
  organization: DailyRunState,
  options: DailyRunOptions & { asOf?: string | undefined },
): Promise<DailyRunReport> {
  const now = businessDay(organization, database.clock.now());
  const today = options.asOf ?? now;
  const principal = systemPrincipal(organization.orgId, ACTOR, organization);
  const inTransaction: InTransaction = (work) => transact(database, principal, work, { today });
  const emitted = await runDay(inTransaction, organization, { today, now }, options);
  return { organization: organization.code, day: today, emitted };
}

/**
 * The daily run of the transaction's day, in this transaction: for a sandbox, whose day begins with it. An organization that
 * no worker has visited counts as having completed the day before.
 */
export async function performDailyRunIn(
  tx: Tx,
  options: DailyRunOptions,
): Promise<DailyRunReport['emitted']> {
  const watcher = tx.as({ actor: ACTOR, credentialId: 'system', requestId: tx.requestId });
  const mark = await readRunMark(tx);
  const attended = { ...mark, day: mark.day ?? addDays(tx.today, -1) };
  return runDay((work) => work(watcher), attended, { today: tx.today, now: tx.today }, options);
}

async function runDay(
  inTransaction: InTransaction,
  mark: RunMark,
  { today, now }: { today: string; now: string },
  options: DailyRunOptions,
): Promise<DailyRunReport['emitted']> {
  const since = lowStockSince(mark, today);
  const unattended = unattendedSince(mark, today, now);
  const inBatches = (notify: (tx: Tx, since: string, limit: number) => Promise<NotifiedBatch>) =>
    notifyInBatches(options.batchSize ?? BATCH_SIZE, (limit) =>
      inTransaction((tx) => notify(tx, unattended, limit)),
    );

  const certificates = await inBatches(notifyExpiringCertificates);
  const batches = await inBatches(notifyNearExpirySince);
  const products = await inTransaction(async (tx) => notifyLowStock(tx, await findExpiredStock(tx, since)));
  await inTransaction(async (tx) => {
    if (today === now) {
      if (mark.day !== today) await queueDigest(tx, options.consoleUrl);
      await saveDailyRun(tx);
    } else if (today > now) await saveDailyRunAhead(tx);
  });
  return {
    ...(certificates.length > 0 ? { 'certificate.expiring': certificates } : {}),
    ...(batches.length > 0 ? { 'expiry.warning': batches } : {}),
    ...(products.length > 0 ? { 'inventory.low_stock': products } : {}),
  };
}

/** Repeats until a batch is not full. */
async function notifyInBatches(
  batchSize: number,
  notifyBatch: (limit: number) => Promise<NotifiedBatch>,
): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const { found, notified } = await notifyBatch(batchSize);
    all.push(...notified);
    if (found < batchSize) return all;
  }
}

/** Performs the daily run of every organization for which it is due. A failure does not stop the others. */
export async function performDueDailyRuns(
  database: Database,
  options: DailyRunOptions & { onError: (error: unknown, organization: string) => void },
): Promise<DailyRunReport[]> {
  const reports: DailyRunReport[] = [];
  for (const organization of await readDailyRunStates(database.worker)) {
    try {
      const now = database.clock.now();
      if (!isDue(organization, businessDay(organization, now), now)) continue;
      reports.push(await performDailyRun(database, organization, options));
    } catch (error) {
      options.onError(error, organization.code);
    }
  }
  return reports;
}
