import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { oneLine } from '../platform/mail/index.js';
import type { NewMail } from './mail.js';
import { insertMail } from './mail.store.js';
import { mailPlace } from './sealed-mails.store.js';

/**
 * Queues a mail in the transaction of the change it reports: both commit or neither. Does nothing without recipients or if
 * the same mail was queued before. Works for requests and for background work.
 */
export async function queueMail(tx: Tx, mail: NewMail): Promise<void> {
  if (mail.to.length === 0) return;
  const mailId = newId('eml', tx.now);
  await insertMail(tx, {
    mailId,
    dedupeKey: mail.dedupeKey,
    recipients: [...new Set(mail.to)],
    subject: oneLine(mail.subject),
    body: mail.sealedIn ? mail.sealedIn.seal(mail.text, mailPlace(tx.orgId, mailId)) : mail.text,
    bodySealed: mail.sealedIn !== undefined,
  });
}
