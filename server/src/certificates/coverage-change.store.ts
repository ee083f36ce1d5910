import { type Pool, statement, type Tx } from '../platform/database/index.js';
import type { Certificate } from './certificate.js';
import type { CoverageChange } from './coverage.js';

/** The newest changes that are shown: a coverage can be long, and may change any number of times. */
const SHOWN_MAX = 50;

const insert = statement(`
  insert into certificate_coverage_changes
    (org_id, certificate_id, version, previous_coverage, current_coverage, changed_at, changed_by)
  select c.org_id, c.certificate_id, n.version, c.coverage, n.coverage, $3, $4
  from jsonb_to_recordset($2::jsonb) as n("certificateId" text, version integer, coverage jsonb)
  join certificates c on c.org_id = $1 and c.certificate_id = n."certificateId"
  where c.coverage is distinct from n.coverage`);

/** Records which of these certificates are about to change their coverage. They are locked and not yet written. */
export function insertCoverageChanges(tx: Tx, certificates: readonly Certificate[]): void {
  const rows = certificates.map(({ certificateId, version, coverage }) => ({
    certificateId,
    version,
    coverage,
  }));
  tx.send(insert, [tx.orgId, JSON.stringify(rows), tx.now, tx.actor]);
}

const newest = statement(`
  select previous_coverage as "previousCoverage", current_coverage as "currentCoverage", changed_at as "changedAt",
    changed_by as "changedBy"
  from certificate_coverage_changes where org_id = $1 and certificate_id = $2 order by version desc limit ${SHOWN_MAX}`);

/** Oldest first. */
export async function readCoverageChanges(
  from: Pick<Pool, 'query'>,
  orgId: string,
  certificateId: string,
): Promise<CoverageChange[]> {
  return (await from.query<CoverageChange>(newest, [orgId, certificateId])).reverse();
}
