import { type NewEvent, publishEvents } from '../events/index.js';
import { dayNumber } from '../platform/calendar/index.js';
import type { Tx } from '../platform/database/index.js';
import {
  claimNotices,
  copyNotices,
  type DueCertificate,
  lockDueOfThese,
  lockDueSince,
} from './certificate-notices.store.js';
import { dueNotice } from './notices.rules.js';

/** Called in the transaction that adds, changes, renews or reinstates certificates: tells what is due of them. */
export async function noticeExpiring(tx: Tx, certificateIds: readonly string[]): Promise<void> {
  if (certificateIds.length > 0) await announce(tx, await lockDueOfThese(tx, certificateIds));
}

/**
 * What became due by the passing of days, up to `limit` certificates at a time; when fewer are found, that was all.
 * `since`: the last day on which all was told.
 */
export async function noticeExpiringSince(
  tx: Tx,
  since: string,
  limit: number,
): Promise<{ found: number; told: string[] }> {
  const due = await lockDueSince(tx, since, limit);
  return { found: due.length, told: await announce(tx, due) };
}

/**
 * Called when dates of expiry are corrected. A threshold done with under the old date and still reached under the new
 * one is not told again; one that is ahead again will be.
 */
export async function carryNotices(
  tx: Tx,
  ...changes: readonly { certificateId: string; from: string | null; to: string | null }[]
): Promise<void> {
  const corrected = changes.flatMap(({ certificateId, from, to }) =>
    from === null || to === null || from === to ? [] : [{ certificateId, from, to }],
  );
  if (corrected.length > 0) await copyNotices(tx, corrected);
}

/** Answers the certificates it told of. */
async function announce(tx: Tx, certificates: readonly DueCertificate[]): Promise<string[]> {
  const notices = certificates.flatMap(({ certificateId, validTo, daysRemaining }) => {
    const due = dueNotice(daysRemaining);
    if (!due) return [];
    return [...due.before, due.threshold].map((threshold) => ({
      certificateId,
      validTo,
      threshold,
      told: threshold === due.threshold,
    }));
  });
  if (notices.length === 0) return [];
  const ours = new Map<string, number[]>();
  for (const { certificateId, threshold } of await claimNotices(tx, notices))
    ours.set(certificateId, [...(ours.get(certificateId) ?? []), threshold]);
  const told = certificates.flatMap((certificate) => {
    const threshold = dueNotice(certificate.daysRemaining)?.threshold;
    const claimed = ours.get(certificate.certificateId) ?? [];
    if (threshold === undefined || !claimed.includes(threshold)) return [];
    const missed = claimed.filter((each) => each !== threshold).sort((a, b) => b - a);
    return [expiring(tx, certificate, threshold, missed)];
  });
  await publishEvents(tx, told);
  return told.map((event) => event.entity.id);
}

function expiring(tx: Tx, certificate: DueCertificate, threshold: number, missed: number[]): NewEvent {
  return {
    type: 'certificate.expiring',
    at: tx.now,
    // Hardly ever two on one day; those that are come in the order in which their instants stand.
    entity: {
      type: 'certificate',
      id: certificate.certificateId,
      version: dayNumber(tx.today),
    },
    customerCode: null,
    data: { ...certificate, threshold, missedThresholds: missed },
  };
}
