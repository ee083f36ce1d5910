import { statement, type Tx } from '../platform/database/index.js';
import { EXPIRING_DAYS } from './certificate.rules.js';

export interface CertificateCounts {
  expired: number;
  expiring: number;
}

const counts = statement(`
  select count(*) filter (where valid_to < $2::date) as expired, count(*) filter (where valid_to >= $2::date) as expiring
  from certificates
  where org_id = $1 and state = 'active' and valid_to <= $2::date + ${EXPIRING_DAYS} and valid_from <= $2::date`);

export async function readCertificateCounts(tx: Tx): Promise<CertificateCounts> {
  const [row] = await tx.query<CertificateCounts>(counts, [tx.orgId, tx.today]);
  return row ?? { expired: 0, expiring: 0 };
}
