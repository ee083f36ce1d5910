import type { MailFailure } from './mail.js';
import { type MailingOptions, openMailing } from './open-mailing.js';

interface SendOutcome {
  sent: number;
  failures: MailFailure[];
}

/** Sends everything that is due, and resolves when it is sent or has failed. */
export async function sendDueMails(
  { database, box }: Pick<MailingOptions, 'database' | 'box'>,
  mailer: MailingOptions['mailer'],
): Promise<SendOutcome> {
  const outcome: SendOutcome = { sent: 0, failures: [] };
  let problem: { error: unknown } | undefined;
  const mailing = openMailing({
    database,
    box,
    mailer,
    onSent: () => outcome.sent++,
    onFailure: (failure) => outcome.failures.push(failure),
    onError: (error) => {
      problem ??= { error };
    },
  });
  await mailing.look();
  await mailing.settled();
  if (problem) throw problem.error;
  return outcome;
}
