import { recordAudit } from '../audit/index.js';
import { hasSameContent, type Tx } from '../platform/database/index.js';
import type { Partner } from './partner.js';
import { describePartner, type PartnerToPut } from './partner.rules.js';
import { lockPartners, savePartners } from './partner.store.js';

/** Creates or replaces partners by code. Those with unchanged content are left alone. */
export async function putPartners(tx: Tx, puts: readonly PartnerToPut[]): Promise<Partner[]> {
  const known = await lockPartners(
    tx,
    puts.map((put) => put.code),
  );
  const given = puts.map((put) => describePartner(put, known.get(put.code), tx.now));
  const unchanged = given.flatMap((partner) => {
    const before = known.get(partner.code);
    return before && hasSameContent(before, partner) ? [before] : [];
  });
  if (unchanged.length === given.length) return unchanged;
  const kept = new Set(unchanged.map((partner) => partner.code));
  const partners = given.filter((partner) => !kept.has(partner.code));
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
  // Another transaction created these partners after the check, so a second pass replaces them.
  const late = puts.filter((put) => !written.has(put.code) && !kept.has(put.code));
  return [...unchanged, ...saved, ...(late.length === 0 ? [] : await putPartners(tx, late))];
}
