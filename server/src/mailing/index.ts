export type { NewMail } from './mail.js';
export { queueMail } from './queue-mail.js';
export { removeOldMails } from './remove-old-mails.js';
export { sendDueMails } from './send-due-mails.js';
