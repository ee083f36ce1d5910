import { statement } from '../platform/database/index.js';
import { freshSeal, type SealedRows, sealBeginning } from '../platform/sealed-rows/index.js';
import type { SealPlace } from '../platform/secrets/index.js';

export const mailPlace = (orgId: string, mailId: string): SealPlace => ({
  purpose: 'mail',
  orgId,
  id: mailId,
});

/** Includes sent mails, which are kept for some time. */
export const sealedMails: SealedRows = {
  kind: 'e-mails with a link',
  hasOrganization: true,
  count: statement(
    `select ${sealBeginning('body')} as sealed, count(*)::integer as count from mails where body_sealed group by 1`,
  ),
  read: statement(`
    select mail_id as id, array[body] as sealed from mails
    where org_id = $1 and mail_id > $2 and body_sealed order by mail_id limit $3`),
  replace: statement(`
    update mails set body = ${freshSeal(1, 'body')}
    where org_id = $1 and mail_id = $2 and body_sealed and body = ($3::text[])[1] returning 1`),
  place: mailPlace,
};
