import { statement, type Tx } from '../platform/database/index.js';
import type { WaitingRecord } from '../platform/waiting-record.js';
import { EXPIRING_DAYS } from './certificate.rules.js';
import { subjectName } from './certificate.store.js';

export interface CertificateCounts {
  expired: number;
  expiring: number;
  /** Certificates in force by the month in which they expire, from the current month on. */
  byMonth: { month: string; count: number }[];
}

const counts = statement(`
  select count(*) filter (where valid_to < $2::date) as expired, count(*) filter (where valid_to >= $2::date) as expiring
  from certificates
  where org_id = $1 and state = 'active' and valid_to <= $2::date + ${EXPIRING_DAYS} and valid_from <= $2::date`);

const MONTHS = 12;
// Days are compared with days: instants would not use the index and would depend on the time zone of the connection.
const months = statement(`
  select to_char(m.first, 'YYYY-MM') as month, (select count(*) from certificates c
    where c.org_id = $1 and c.state = 'active' and c.valid_to >= greatest(m.first::date, $2::date)
      and c.valid_to < (m.first + interval '1 month')::date) as count
  from generate_series(date_trunc('month', $2::date::timestamp),
    date_trunc('month', $2::date::timestamp) + interval '${MONTHS - 1} months', '1 month') as m(first)
  order by m.first`);

export async function readCertificateCounts(tx: Tx): Promise<CertificateCounts> {
  const [row] = await tx.query<Omit<CertificateCounts, 'byMonth'>>(counts, [tx.orgId, tx.today]);
  const byMonth = await tx.query<{ month: string; count: number }>(months, [tx.orgId, tx.today]);
  return { ...(row ?? { expired: 0, expiring: 0 }), byMonth };
}

// The day from which it can be renewed.
const toRenew = statement(`
  select c.certificate_id as id, c.certificate_no as name, ${subjectName} as detail, c.valid_to as "validTo",
    (c.valid_to - ${EXPIRING_DAYS})::timestamptz as since
  from certificates c
  where c.org_id = $1 and c.state = 'active' and c.valid_from <= $2::date
    and (case when $4 then c.valid_to < $2::date else c.valid_to >= $2::date and c.valid_to <= $2::date + ${EXPIRING_DAYS} end)
  order by c.valid_to, c.certificate_id limit $3`);

/** The certificates closest to expiry, among those that have expired or soon will. */
export const readCertificatesToRenew = (
  tx: Tx,
  which: 'expired' | 'expiring',
  limit: number,
): Promise<WaitingRecord[]> =>
  tx.query<WaitingRecord>(toRenew, [tx.orgId, tx.today, limit, which === 'expired']);
