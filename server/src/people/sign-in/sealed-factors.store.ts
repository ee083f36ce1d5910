import { statement } from '../../platform/database/index.js';
import { openAt, type SealedRows } from '../../platform/sealed-rows/index.js';
import type { SealPlace, SecretBox } from '../../platform/secrets/index.js';
import type { Account } from '../user.store.js';

const PURPOSE = 'second factor';

/** The next secret becomes the current one, so both have one place. */
const factorPlace = (email: string): SealPlace => ({ purpose: PURPOSE, orgId: null, id: email });

export const sealFactor = (box: SecretBox, email: string, secret: string): string =>
  box.seal(secret, factorPlace(email));

/** Also opens a seal made before accounts existed, which is bound to the user it was made for. */
export function openFactor(
  box: SecretBox,
  { email, sealedForOrg, sealedForUser }: Pick<Account, 'email' | 'sealedForOrg' | 'sealedForUser'>,
  sealed: string,
): string {
  const earlier =
    sealedForUser === null ? null : { purpose: PURPOSE, orgId: sealedForOrg, id: sealedForUser };
  return openAt(box, sealed, factorPlace(email), earlier);
}

export const sealedFactors: SealedRows = {
  kind: 'second factors',
  hasOrganization: false,
  count: statement(`
    select s.sealed, count(*)::integer as count
    from accounts a, unnest(array[a.totp_seal, a.totp_next_seal]) as s(sealed) where s.sealed is not null group by 1`),
  owners: {
    list: statement('select email as id from accounts where num_nonnulls(totp_seal, totp_next_seal) > 0'),
    enter: statement('select set_account($1)'),
  },
  read: statement(`
    select email as id, array[totp_sealed, totp_next_sealed] as sealed,
      case when sealed_for_user is not null
        then json_build_object('purpose', '${PURPOSE}', 'orgId', sealed_for_org, 'id', sealed_for_user) end as earlier
    from accounts where $1::text = '' and email > $2 order by email limit $3`),
  replace: statement(`
    update accounts set totp_sealed = ($4::text[])[1], totp_next_sealed = ($4::text[])[2], sealed_for_org = null,
      sealed_for_user = null
    where $1::text = '' and email = $2 and array[totp_sealed, totp_next_sealed] is not distinct from $3::text[]
    returning 1`),
  place: (_orgId, email) => factorPlace(email),
};
