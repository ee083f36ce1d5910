import { statement } from '../../platform/database/index.js';
import type { SealedRows } from '../../platform/sealed-rows/index.js';
import type { SealPlace } from '../../platform/secrets/index.js';

/** The next secret becomes the current one as it is, so both have one place. */
export const factorPlace = (orgId: string, userId: string): SealPlace => ({
  purpose: 'second factor',
  orgId,
  id: userId,
});

export const sealedFactors: SealedRows = {
  kind: 'second factors',
  hasOrganization: true,
  count: statement(`
    select s.sealed, count(*)::integer as count
    from users u, unnest(array[u.totp_seal, u.totp_next_seal]) as s(sealed) where s.sealed is not null group by 1`),
  read: statement(`
    select user_id as id, array[totp_sealed, totp_next_sealed] as sealed from users
    where org_id = $1 and user_id > $2 and num_nonnulls(totp_sealed, totp_next_sealed) > 0 order by user_id limit $3`),
  replace: statement(`
    update users set totp_sealed = ($4::text[])[1], totp_next_sealed = ($4::text[])[2]
    where org_id = $1 and user_id = $2 and array[totp_sealed, totp_next_sealed] is not distinct from $3::text[]
    returning 1`),
  place: factorPlace,
};
