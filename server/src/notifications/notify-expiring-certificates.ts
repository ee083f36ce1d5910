import type { CertificateChange } from '../certificates/index.js';
import type { Tx } from '../platform/database/index.js';
import {
  copyNotices,
  type DueCertificate,
  insertCertificateNotices,
  lockDue,
  lockDueSince,
} from './expiring-certificates.store.js';
import { type Notification, type NotifiedBatch, notifyOnce } from './notify-once.js';
import { dueThreshold } from './thresholds.rules.js';

/**
 * Notifies about the thresholds that the changed certificates have reached. After a correction, a threshold that was handled
 * under the old date and is still reached under the new one is not repeated; one that is ahead again will be.
 */
export async function notifyCertificateChanges(tx: Tx, changes: readonly CertificateChange[]): Promise<void> {
  const corrected = changes.flatMap(
    ({ certificateId, corrected: { from, to } = { from: null, to: null } }) =>
      from === null || to === null || from === to ? [] : [{ certificateId, from, to }],
  );
  if (corrected.length > 0) await copyNotices(tx, corrected);
  if (changes.length === 0) return;
  const certificateIds = changes.map(({ certificateId }) => certificateId);
  await notifyOnce(tx, await lockDue(tx, certificateIds), claimThresholds);
}

/**
 * Notifies about certificates that reached a threshold as time passed, up to `limit`. `since`: the last day with a complete
 * daily run.
 */
export async function notifyExpiringCertificates(
  tx: Tx,
  since: string,
  limit: number,
): Promise<NotifiedBatch> {
  const due = await lockDueSince(tx, since, limit);
  return { found: due.length, notified: await notifyOnce(tx, due, claimThresholds) };
}

/** Claims the nearest threshold of each certificate together with those missed before it, which the notification names. */
async function claimThresholds(tx: Tx, certificates: readonly DueCertificate[]): Promise<Notification[]> {
  const due = certificates.flatMap((certificate) => {
    const reached = dueThreshold(certificate.daysRemaining);
    return reached ? [{ certificate, ...reached }] : [];
  });
  const claimed = await insertCertificateNotices(
    tx,
    due.flatMap(({ certificate: { certificateId, validTo }, threshold, before }) =>
      [...before, threshold].map((each) => ({
        certificateId,
        validTo,
        threshold: each,
        isNotified: each === threshold,
      })),
    ),
  );
  return due.flatMap(({ certificate, threshold }) => {
    const ours = claimed.get(certificate.certificateId) ?? [];
    if (!ours.includes(threshold)) return [];
    const missedThresholds = ours.filter((each) => each !== threshold).sort((a, b) => b - a);
    return [
      {
        type: 'certificate.expiring',
        entity: { type: 'certificate', id: certificate.certificateId },
        data: { ...certificate, threshold, missedThresholds },
      },
    ];
  });
}
