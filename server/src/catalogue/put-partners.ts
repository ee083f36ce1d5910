import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import type { Contact, Partner, PartnerRole } from './partner.js';
import { lockPartners, savePartners } from './partner.store.js';

export interface PartnerToPut {
  code: string;
  name: string;
  roles: readonly PartnerRole[];
  contact?: Contact | null | undefined;
  status?: Partner['status'] | undefined;
}

export async function putPartners(tx: Tx, puts: readonly PartnerToPut[]): Promise<Partner[]> {
  const known = await lockPartners(
    tx,
    puts.map((put) => put.code),
  );
  const partners = puts.map(
    (put): Partner => ({
      code: put.code,
      name: put.name,
      roles: [...new Set(put.roles)],
      contact: put.contact ?? null,
      status: put.status ?? 'active',
      updatedAt: tx.now,
    }),
  );
  await savePartners(tx, partners);
  await recordAudit(
    tx,
    ...partners.map((after) => ({
      action: 'partner.put',
      entityType: 'partner',
      entityId: after.code,
      before: known.get(after.code),
      after,
    })),
  );
  return partners;
}
