import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import type { Partner } from './partner.js';
import { describePartner, type PartnerToPut } from './partner.rules.js';
import { lockPartners, savePartners } from './partner.store.js';

/** Creates or replaces partners by code. */
export async function putPartners(tx: Tx, puts: readonly PartnerToPut[]): Promise<Partner[]> {
  const known = await lockPartners(
    tx,
    puts.map((put) => put.code),
  );
  const partners = puts.map((put) => describePartner(put, tx.now));
  const written = await savePartners(tx, partners, known);
  const saved = partners.filter((partner) => written.has(partner.code));
  await recordAudit(
    tx,
    ...saved.map((after) => ({
      action: 'partner.put',
      entityType: 'partner',
      entityId: after.code,
      before: known.get(after.code),
      after,
    })),
  );
  // Another transaction created these partners since the check, so they are replaced in a second pass.
  const late = puts.filter((put) => !written.has(put.code));
  return late.length === 0 ? saved : [...saved, ...(await putPartners(tx, late))];
}
