import { type Database, transact } from '../platform/database/index.js';
import { Unavailable } from '../platform/errors/index.js';
import { FairQueue } from '../platform/fair-queue/index.js';
import { type Mailer, oneLine, RecipientsRejected } from '../platform/mail/index.js';
import { systemPrincipal } from '../platform/principal.js';
import type { SecretBox } from '../platform/secrets/index.js';
import type { ClaimedMail, MailFailure } from './mail.js';
import { domainsOf, nextAttemptAt } from './mail.rules.js';
import { claimDueMail, markFailed, markSent, organizationsWithDueMail } from './mail.store.js';
import { mailPlace } from './sealed-mails.store.js';
import { SlowDomains } from './slow-domains.js';

// Longer than a mailer can take, so that a mail in progress is not claimed a second time.
const CLAIM_MS = 60_000;
const ERROR_LENGTH_MAX = 500;

/** Concurrent mails, in total and per organization. */
const PLACES = {
  atOnce: 20,
  atOncePerOwner: 3,
  waitingMax: Number.POSITIVE_INFINITY,
  waitingPerOwnerMax: 3,
  waitMs: 60_000,
  reason: 'overloaded',
} as const;
export interface MailingOptions {
  database: Database;
  /** Mails that hold a secret are stored sealed. */
  box: SecretBox;
  mailer: Mailer;
  /** A mail that takes longer marks the domain of its recipients as slow. */
  slowAfterMs?: number;
  onSent(mail: { orgId: string; mailId: string }): void;
  onFailure(failure: MailFailure): void;
  onError(error: unknown): void;
}

export interface Mailing {
  /** Starts to send due mail, without waiting for the result. */
  look(): Promise<void>;
  /** Resolves when nothing is in progress. */
  settled(): Promise<void>;
  /** Starts no further mail, and finishes those in progress. */
  stop(): Promise<void>;
}

/**
 * Sends due mail, several concurrently and in turn by organization. Any number of workers may run: a mail is claimed before
 * and settled after, in separate transactions. If a worker dies in between, another takes the mail over; if the server had
 * already accepted it, it is sent again under the same Message-ID.
 */
export function openMailing(options: MailingOptions): Mailing {
  const { database } = options;
  const places = new FairQueue(PLACES);
  const domains = new SlowDomains(options.slowAfterMs);
  /** The sequences of mails that are being sent, by organization. */
  const sequences = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  const sendNext = async (orgId: string): Promise<boolean> => {
    if (stopped) return false;
    const mail = await asWorker(database, orgId, (tx) =>
      claimDueMail(tx, new Date(tx.now.getTime() + CLAIM_MS), domains.full()),
    );
    if (!mail) return false;
    // There may be more: another sequence checks while this mail is sent.
    begin(orgId);
    const leave = domains.enter(domainsOf(mail.recipients));
    try {
      const failure = await sendClaimed(options, orgId, mail);
      if (failure) options.onFailure(failure);
      else options.onSent({ orgId, mailId: mail.mailId });
    } finally {
      leave();
    }
    return true;
  };
  const sendAll = async (orgId: string) => {
    try {
      while (await places.run(orgId, () => sendNext(orgId)));
    } catch (error) {
      // Without a free slot, mail waits for the next poll.
      if (!(error instanceof Unavailable)) options.onError(error);
    }
  };
  const begin = (orgId: string) => {
    const running = sequences.get(orgId) ?? 0;
    if (stopped || running >= PLACES.atOncePerOwner) return;
    sequences.set(orgId, running + 1);
    const sequence = sendAll(orgId).finally(() => {
      const left = (sequences.get(orgId) ?? 1) - 1;
      if (left > 0) sequences.set(orgId, left);
      else sequences.delete(orgId);
      underWay.delete(sequence);
    });
    underWay.add(sequence);
  };
  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay);
  };
  return {
    async look() {
      for (const orgId of await organizationsWithDueMail(database.worker, database.clock.now())) begin(orgId);
    },
    settled,
    stop() {
      stopped = true;
      return settled();
    },
  };
}

const asWorker = <T>(database: Database, orgId: string, work: Parameters<typeof transact<T>>[2]) =>
  transact(database, systemPrincipal(orgId, 'mailing@lotward.invalid'), work, { as: 'worker' });

async function sendTo(
  to: readonly string[],
  mail: ClaimedMail,
  orgId: string,
  { box, mailer }: MailingOptions,
): Promise<void> {
  const text = mail.bodySealed ? box.open(mail.body, mailPlace(orgId, mail.mailId)) : mail.body;
  await mailer.send({ id: mail.mailId, to, subject: mail.subject, text });
}

async function sendClaimed(
  options: MailingOptions,
  orgId: string,
  mail: ClaimedMail,
): Promise<MailFailure | null> {
  const { database } = options;
  const to = mail.recipients.filter((address) => !mail.deliveredTo.includes(address));
  const mishap = await sendTo(to, mail, orgId, options).then(
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
