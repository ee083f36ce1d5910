import { statement, type Tx } from '../platform/database/index.js';
import { FIRST_NOTICE_DAYS, NOTICE_THRESHOLDS } from './notices.rules.js';

/** A certificate whose nearest threshold has not been dealt with. */
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

const [, MIDDLE, LAST] = NOTICE_THRESHOLDS;

// Locked, so that one renewed or corrected meanwhile is looked at as it then is. Customers' certificates only gate.
const due = (which: string) => `
  select c.certificate_id as "certificateId", c.certificate_no as "certificateNo", c.type, c.subject_type as "subjectType",
    c.subject_code as "subjectCode", c.valid_to as "validTo", c.valid_to - $2::date as "daysRemaining",
    coalesce((select p.product_name from products p where p.org_id = c.org_id and p.product_code = c.product_code),
      (select q.name from partners q where q.org_id = c.org_id and q.code = c.partner_code)) as "subjectName"
  from certificates c
  where c.org_id = $1 and c.state = 'active' and c.subject_type <> 'customer'
    and c.valid_to <= $2::date + ${FIRST_NOTICE_DAYS} and ${which}
    and not exists (select from certificate_notices n
      where n.org_id = c.org_id and n.certificate_id = c.certificate_id and n.valid_to = c.valid_to
        and n.threshold = case when c.valid_to - $2::date <= ${LAST} then ${LAST}
          when c.valid_to - $2::date <= ${MIDDLE} then ${MIDDLE} else ${FIRST_NOTICE_DAYS} end)`;
const dueOfThese = statement(`${due('c.certificate_id = any($3) and c.valid_to >= $2::date')}
  order by c.certificate_id for no key update of c`);
const dueSince = statement(`${due('c.valid_to >= $3::date')}
  order by c.valid_to, c.certificate_id limit $4 for no key update of c`);

/** Of these certificates. One that has expired already is not about to: nothing is said of it. */
export async function lockDueOfThese(tx: Tx, certificateIds: readonly string[]): Promise<DueCertificate[]> {
  return tx.query<DueCertificate>(dueOfThese, [tx.orgId, tx.today, certificateIds]);
}

/** Of all: also those that expired on or after `since`, when nobody was there to say it. */
export async function lockDueSince(tx: Tx, since: string, limit: number): Promise<DueCertificate[]> {
  return tx.query<DueCertificate>(dueSince, [tx.orgId, tx.today, since, limit]);
}

export interface Notice {
  certificateId: string;
  validTo: string;
  threshold: number;
  told: boolean;
}

const claim = statement(`
  insert into certificate_notices (org_id, certificate_id, valid_to, threshold, day, told)
  select $1, n.id, n.valid_to, n.threshold, $2, n.told
  from unnest($3::text[], $4::date[], $5::integer[], $6::boolean[]) as n(id, valid_to, threshold, told)
  order by n.id, n.threshold desc
  on conflict do nothing returning certificate_id as "certificateId", threshold`);

/** Those of the notices that are ours to give: the key lets each through once. */
export async function claimNotices(
  tx: Tx,
  notices: readonly Notice[],
): Promise<{ certificateId: string; threshold: number }[]> {
  return tx.query(claim, [
    tx.orgId,
    tx.today,
    notices.map((notice) => notice.certificateId),
    notices.map((notice) => notice.validTo),
    notices.map((notice) => notice.threshold),
    notices.map((notice) => notice.told),
  ]);
}

export interface CorrectedDate {
  certificateId: string;
  from: string;
  to: string;
}

const carry = statement(`
  insert into certificate_notices (org_id, certificate_id, valid_to, threshold, day, told)
  select n.org_id, n.certificate_id, c.valid_to, n.threshold, $2, false
  from unnest($3::text[], $4::date[], $5::date[]) as c(id, old_valid_to, valid_to)
  join certificate_notices n on n.org_id = $1 and n.certificate_id = c.id and n.valid_to = c.old_valid_to
  where n.threshold >= c.valid_to - $2::date
  on conflict do nothing returning 1`);

export async function copyNotices(tx: Tx, corrected: readonly CorrectedDate[]): Promise<void> {
  await tx.query(carry, [
    tx.orgId,
    tx.today,
    corrected.map((each) => each.certificateId),
    corrected.map((each) => each.from),
    corrected.map((each) => each.to),
  ]);
}
