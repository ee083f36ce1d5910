import { partnerRows, productRows } from '../catalogue/index.js';
import { certificateRows } from '../certificates/index.js';
import { bulkRows, organizationRow, statement, type Tx } from '../platform/database/index.js';
import { FIRST_THRESHOLD_DAYS, THRESHOLDS_DAYS } from './thresholds.rules.js';

/** A certificate whose nearest threshold has not been handled. */
export interface DueCertificate {
  certificateId: string;
  certificateNo: string;
  type: string;
  subjectType: 'supplier' | 'product';
  subjectCode: string;
  subjectName: string;
  validTo: string;
  daysRemaining: number;
}

const [, MIDDLE, LAST] = THRESHOLDS_DAYS;

// Locked so that a concurrent renewal or correction is visible. Certificates of customers count at the gate only.
const due = (which: string) => `
  select c.certificate_id as "certificateId", c.certificate_no as "certificateNo", c.type, c.subject_type as "subjectType",
    c.subject_code as "subjectCode", c.valid_to as "validTo", c.valid_to - $2::date as "daysRemaining",
    coalesce((select p.product_name from ${productRows('$1')} p where p.product_code = c.product_code),
      (select q.name from ${partnerRows('$1')} q where q.code = c.partner_code)) as "subjectName"
  from ${certificateRows('$1')} c
  where c.state = 'active' and c.subject_type <> 'customer'
    and c.valid_to <= $2::date + ${FIRST_THRESHOLD_DAYS} and ${which}
    and not exists (select from certificate_notices n
      where n.org_id = $1 and n.certificate_id = c.certificate_id and n.valid_to = c.valid_to
        and n.threshold = case when c.valid_to - $2::date <= ${LAST} then ${LAST}
          when c.valid_to - $2::date <= ${MIDDLE} then ${MIDDLE} else ${FIRST_THRESHOLD_DAYS} end)`;
const dueOfIds = statement(`${due('c.certificate_id = any($3) and c.valid_to >= $2::date')}
  order by c.certificate_id for no key update of c`);
const dueSince = statement(`${due('c.valid_to >= $3::date')}
  order by c.valid_to, c.certificate_id limit $4 for no key update of c`);

/** Locks those of the given certificates that are due, except those that had expired before the change. */
export async function lockDue(tx: Tx, certificateIds: readonly string[]): Promise<DueCertificate[]> {
  return tx.query<DueCertificate>(dueOfIds, [tx.orgId, tx.today, certificateIds]);
}

/** All that are due, including those that expired on or after `since`, while no worker was running. */
export async function lockDueSince(tx: Tx, since: string, limit: number): Promise<DueCertificate[]> {
  return tx.query<DueCertificate>(dueSince, [tx.orgId, tx.today, since, limit]);
}

export interface CertificateNotice {
  certificateId: string;
  validTo: string;
  threshold: number;
  isNotified: boolean;
}

const noticeColumns = bulkRows({
  certificate_id: 'text',
  valid_to: 'date',
  threshold: 'integer',
  told: 'boolean',
});
const insertNotices = statement(`
  insert into certificate_notices (org_id, certificate_id, valid_to, threshold, day, told)
  select g.org_id, n.certificate_id, n.valid_to, n.threshold, $2, n.told
  from ${organizationRow('g')}, ${noticeColumns.from('n', 3)}
  order by n.certificate_id, n.threshold desc
  on conflict do nothing returning certificate_id as "certificateId", threshold`);

/**
 * Returns, by certificate, the thresholds whose row this transaction inserted: the unique key lets only one transaction
 * insert each.
 */
export async function insertCertificateNotices(
  tx: Tx,
  notices: readonly CertificateNotice[],
): Promise<Map<string, number[]>> {
  const rows = await tx.query<{ certificateId: string; threshold: number }>(insertNotices, [
    tx.orgId,
    tx.today,
    ...noticeColumns.values(notices, (notice) => ({
      certificate_id: notice.certificateId,
      valid_to: notice.validTo,
      threshold: notice.threshold,
      told: notice.isNotified,
    })),
  ]);
  const claimed = new Map<string, number[]>();
  for (const { certificateId, threshold } of rows)
    claimed.set(certificateId, [...(claimed.get(certificateId) ?? []), threshold]);
  return claimed;
}

export interface CorrectedDate {
  certificateId: string;
  from: string;
  to: string;
}

const copyToDate = statement(`
  insert into certificate_notices (org_id, certificate_id, valid_to, threshold, day, told)
  select n.org_id, n.certificate_id, c.valid_to, n.threshold, $2, false
  from unnest($3::text[], $4::date[], $5::date[]) as c(id, old_valid_to, valid_to)
  join certificate_notices n on n.org_id = $1 and n.certificate_id = c.id and n.valid_to = c.old_valid_to
  where n.threshold >= c.valid_to - $2::date
  on conflict do nothing returning 1`);

export async function copyNotices(tx: Tx, corrected: readonly CorrectedDate[]): Promise<void> {
  tx.send(copyToDate, [
    tx.orgId,
    tx.today,
    corrected.map((each) => each.certificateId),
    corrected.map((each) => each.from),
    corrected.map((each) => each.to),
  ]);
}
