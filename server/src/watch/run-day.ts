import { noticeExpiringSince } from '../certificates/index.js';
import type { EventType } from '../events/index.js';
import { noticeNearExpirySince } from '../expiry/index.js';
import { dayIn } from '../platform/calendar/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { findFallenByExpiry, noticeLowStock } from '../replenishment/index.js';
import { isDue, sinceOf, unwatchedSince } from './daily-run.rules.js';
import { noteAhead, noteRun, type OrganizationDays, readOrganizationDays } from './daily-run.store.js';
import { queueDigest } from './digest.js';

/** What one run told, by what it is about: certificates by id, batches and products by code. */
export interface DayReport {
  organization: string;
  day: string;
  emitted: Partial<Record<EventType, string[]>>;
}

export interface DayOptions {
  /** Where people find what a mail speaks of. */
  consoleUrl: string;
}

/** Of certificates and of batches in one transaction: what they lock, orders wait for. */
const PER_STEP = 200;
const ACTOR = 'watch@lotward.invalid';

/**
 * The turn of the day in one organization: certificates that reached a threshold, batches that came near expiry,
 * products that fell below their line when a batch expired; and the digest. Several may do it at once, it may be cut off
 * at any point and done again: what was told is in the database with the event, and is not told twice.
 */
export async function runDay(
  database: Database,
  organization: OrganizationDays,
  options: DayOptions & { asOf?: string | undefined },
): Promise<DayReport> {
  const { orgId, timeZone } = organization;
  const now = dayIn(timeZone, database.clock.now());
  const today = options.asOf ?? now;
  const since = sinceOf(organization, today);
  const unwatched = unwatchedSince(organization, today, now);
  const step = <T>(work: (tx: Tx) => Promise<T>) =>
    transact(database, systemPrincipal(orgId, ACTOR, timeZone), work, { today });

  const certificates = await inSteps((limit) => step((tx) => noticeExpiringSince(tx, unwatched, limit)));
  const batches = await inSteps((limit) => step((tx) => noticeNearExpirySince(tx, unwatched, limit)));
  const products = await step(async (tx) => noticeLowStock(tx, await findFallenByExpiry(tx, since)));
  await step(async (tx) => {
    if (today === now) {
      if (organization.day !== today) await queueDigest(tx, options.consoleUrl);
      await noteRun(tx);
    } else if (today > now) await noteAhead(tx);
  });
  return {
    organization: organization.code,
    day: today,
    emitted: {
      ...(certificates.length > 0 ? { 'certificate.expiring': certificates } : {}),
      ...(batches.length > 0 ? { 'expiry.warning': batches } : {}),
      ...(products.length > 0 ? { 'inventory.low_stock': products } : {}),
    },
  };
}

/** Until a step finds fewer than it could have. */
async function inSteps(
  step: (limit: number) => Promise<{ found: number; told: string[] }>,
): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const { found, told } = await step(PER_STEP);
    all.push(...told);
    if (found < PER_STEP) return all;
  }
}

/** Every organization where the day has turned. One that fails does not keep the others from theirs. */
export async function runDueDays(
  database: Database,
  options: DayOptions & { onError: (error: unknown, organization: string) => void },
): Promise<DayReport[]> {
  const reports: DayReport[] = [];
  for (const organization of await readOrganizationDays(database.worker)) {
    try {
      const now = database.clock.now();
      if (!isDue(organization, dayIn(organization.timeZone, now), now)) continue;
      reports.push(await runDay(database, organization, options));
    } catch (error) {
      options.onError(error, organization.code);
    }
  }
  return reports;
}
