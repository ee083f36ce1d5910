export type { NewMail } from './mail.js';
export { countMails } from './mail.store.js';
export { type Mailing, openMailing } from './open-mailing.js';
export { queueMail } from './queue-mail.js';
export { removeOldMails } from './remove-old-mails.js';
export { sealedMails } from './sealed-mails.store.js';
export { sendDueMails } from './send-due-mails.js';
