import type { SendMailOptions } from 'nodemailer';
import { type Mail, RecipientsRejected, type Sender } from './mailer.js';

// Deliberately narrower than RFC 5322: one plain address, with nothing that could start another address or a header.
const ADDRESS = /^[^\s\p{Cc}@<>()[\]\\,;:"]{1,64}@[^\s\p{Cc}@<>()[\]\\,;:"]{1,255}$/u;
const ID = /^[A-Za-z0-9_-]{1,100}$/;

/** Builds the message for a transport, and lists recipients that are not valid addresses. */
export function composeMessage(mail: Mail, from: Sender): { message: SendMailOptions; malformed: string[] } {
  if (!ID.test(mail.id)) throw new Error(`invalid mail id: ${JSON.stringify(mail.id)}`);
  const malformed = mail.to.filter((address) => !ADDRESS.test(address));
  const to = mail.to.filter((address) => ADDRESS.test(address));
  if (to.length === 0) throw new RecipientsRejected(mail.to, [], NO_ADDRESS);
  const message: SendMailOptions = {
    from: { name: oneLine(from.name), address: from.address },
    to: to.map((address) => ({ name: '', address })),
    subject: oneLine(mail.subject),
    text: mail.text,
    messageId: `<${mail.id}@${from.address.split('@').at(-1)}>`,
    // Prevents automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return { message, malformed };
}

export const NO_ADDRESS = 'not an e-mail address';

/** Removes line breaks: one in a header would start another header. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
