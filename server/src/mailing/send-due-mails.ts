import { type Database, transact } from '../platform/database/index.js';
import { type Mailer, oneLine, RecipientsRejected } from '../platform/mail/index.js';
import { systemPrincipal } from '../platform/principal.js';
import type { SecretBox } from '../platform/secrets/index.js';
import type { ClaimedMail, MailFailure } from './mail.js';
import { nextAttemptAt } from './mail.rules.js';
import { claimDueMail, markFailed, markSent, organizationsWithDueMail } from './mail.store.js';
import { mailPlace } from './sealed-mails.store.js';

// Longer than a mailer takes at most: a mail still under way is not taken a second time.
const CLAIM_MS = 60_000;
const MAILS_PER_ROUND = 50;
const ERROR_LENGTH_MAX = 500;

/** Mails that hold a secret are stored sealed. */
export interface MailStore {
  database: Database;
  box: SecretBox;
}

interface SendOptions {
  /** Once aborted no further mail is begun. */
  signal?: AbortSignal;
}

interface SendOutcome {
  sent: number;
  failures: MailFailure[];
}

/**
 * Sends what is due, one mail of each organization in turn. Any number may do so at once: a mail is claimed before
 * and settled after, in transactions of their own. A worker that dies in between leaves it to be taken over; where
 * the server had it already, it goes out again under the same Message-ID.
 */
export async function sendDueMails(
  { database, box }: MailStore,
  mailer: Mailer,
  { signal }: SendOptions = {},
): Promise<SendOutcome> {
  const outcome: SendOutcome = { sent: 0, failures: [] };
  let begun = 0;
  let orgIds = await organizationsWithDueMail(database.worker, database.clock.now());
  while (orgIds.length > 0) {
    const served: string[] = [];
    for (const orgId of orgIds) {
      if (signal?.aborted || begun === MAILS_PER_ROUND) return outcome;
      const mail = await asWorker(database, orgId, (tx) =>
        claimDueMail(tx, new Date(tx.now.getTime() + CLAIM_MS)),
      );
      if (!mail) continue;
      begun += 1;
      served.push(orgId);
      const failure = await sendClaimed({ database, box }, mailer, orgId, mail);
      if (failure) outcome.failures.push(failure);
      else outcome.sent += 1;
    }
    orgIds = served;
  }
  return outcome;
}

const asWorker = <T>(database: Database, orgId: string, work: Parameters<typeof transact<T>>[2]) =>
  transact(database, systemPrincipal(orgId, 'mailing@lotward.invalid'), work, { as: 'worker' });

async function sendTo(
  to: readonly string[],
  mail: ClaimedMail,
  orgId: string,
  box: SecretBox,
  mailer: Mailer,
): Promise<void> {
  const text = mail.bodySealed ? box.open(mail.body, mailPlace(orgId, mail.mailId)) : mail.body;
  await mailer.send({ id: mail.mailId, to, subject: mail.subject, text });
}

async function sendClaimed(
  { database, box }: MailStore,
  mailer: Mailer,
  orgId: string,
  mail: ClaimedMail,
): Promise<MailFailure | null> {
  const to = mail.recipients.filter((address) => !mail.deliveredTo.includes(address));
  const mishap = await sendTo(to, mail, orgId, box, mailer).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  if (!mishap) {
    await asWorker(database, orgId, (tx) => markSent(tx, mail.mailId));
    return null;
  }
  const error = oneLine(mishap.message).slice(0, ERROR_LENGTH_MAX);
  const accepted = mishap instanceof RecipientsRejected ? mishap.accepted : [];
  return asWorker(database, orgId, async (tx) => {
    const next = nextAttemptAt(mail.attempts, tx.now);
    await markFailed(tx, mail, { error, accepted, nextAttemptAt: next });
    return { orgId, mailId: mail.mailId, attempts: mail.attempts, error, nextAttemptAt: next };
  });
}
