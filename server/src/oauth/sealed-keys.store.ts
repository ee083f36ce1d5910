import { statement } from '../platform/database/index.js';
import { type SealedRows, sealBeginning } from '../platform/sealed-rows/index.js';
import type { SealPlace } from '../platform/secrets/index.js';

export const signingKeyPlace = (keyId: string): SealPlace => ({
  purpose: 'signing key',
  orgId: null,
  id: keyId,
});

export const sealedSigningKeys: SealedRows = {
  kind: 'signing keys',
  hasOrganization: false,
  count: statement(
    `select ${sealBeginning('private_sealed')} as sealed, count(*)::integer as count from signing_keys group by 1`,
  ),
  read: statement(`
    select key_id as id, array[private_sealed] as sealed from signing_keys
    where $1::text = '' and key_id > $2 order by key_id limit $3`),
  replace: statement(`
    update signing_keys set private_sealed = ($4::text[])[1]
    where $1::text = '' and key_id = $2 and private_sealed = ($3::text[])[1] returning 1`),
  place: (_orgId, keyId) => signingKeyPlace(keyId),
};
