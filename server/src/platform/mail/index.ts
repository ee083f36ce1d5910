export { type Mail, type Mailer, RecipientsRejected } from './mailer.js';
export { oneLine } from './message.js';
export { outboxMailer } from './outbox.js';
export { plainName } from './plain-name.js';
export { smtpMailer } from './smtp.js';
