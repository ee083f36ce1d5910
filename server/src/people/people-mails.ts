import { countMails, queueMail } from '../mailing/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { plainName } from '../platform/mail/index.js';
import { hashToken, type SecretBox } from '../platform/secrets/index.js';
import { saveLink } from './sign-in/link.store.js';
import { type LinkPurpose, linkTo, newLinkToken } from './sign-in/link-token.js';

export interface LinkMailing {
  /** Seals a queued mail: its link is a secret. */
  box: SecretBox;
  /** The address of the console. */
  url: () => string;
  /** No mail leaves this installation: the person who requests a link receives it, to hand over. */
  handsOverLinks?: boolean;
}

interface Recipient {
  userId: string;
  email: string;
  /** The generation of the account; not for an invitation. */
  generation?: number;
}

const HOUR_MS = 3_600_000;
const VALID_MS: Readonly<Record<LinkPurpose, number>> = {
  invitation: 7 * 24 * HOUR_MS,
  reset: HOUR_MS,
  factor: 24 * HOUR_MS,
};

const WORDS: Readonly<Record<LinkPurpose, (organization: string, link: string) => [string, string[]]>> = {
  invitation: (organization, link) => [
    `You are invited to ${organization} on Lotward`,
    [
      `You are invited to work with ${organization} on Lotward.`,
      '',
      'Accept the invitation here, within 7 days:',
      link,
      '',
      'If you did not expect this, ignore this e-mail.',
    ],
  ],
  reset: (organization, link) => [
    'Choose a new password for Lotward',
    [
      `A new password was requested for your account with ${organization} on Lotward.`,
      '',
      'Choose it here, within one hour; the link works once:',
      link,
      '',
      'If it was not you, ignore this e-mail; your password does not change.',
    ],
  ],
  factor: (organization, link) => [
    'Remove your second factor on Lotward',
    [
      `An administrator of ${organization} was asked to help you sign in to Lotward without your second factor.`,
      '',
      'Remove it here with your password, within 24 hours; the link works once:',
      link,
      '',
      'If you did not ask for this, ignore this e-mail; your second factor stays as it is.',
    ],
  ],
};

/** The prefix of the key of all mails with a link of one kind, to everyone or to one person. */
const linkMailKey = (purpose: LinkPurpose, userId?: string): string =>
  userId === undefined ? `${purpose}:` : `${purpose}:${userId}:`;

const DAY_MS = 24 * HOUR_MS;
/** Enough for a person who is waiting for the mail, too few to harass a stranger. */
const INVITATIONS_OF_ADDRESS = { perDay: 5, perMonth: 12 };
/** A large organization invites everyone on one day. */
const INVITATIONS_OF_ORGANIZATION_PER_DAY = 200;

/**
 * Whether another invitation may be mailed. Counts the stored mails, which are kept longer than the period. `spare` are
 * reserved for the administrators. The caller holds a lock on the account.
 */
export async function mayInvite(tx: Tx, userId: string, spare = 0): Promise<boolean> {
  const since = (days: number) => new Date(tx.now.getTime() - days * DAY_MS);
  const own = linkMailKey('invitation', userId);
  return (
    (await countMails(tx, own, since(1))) < INVITATIONS_OF_ADDRESS.perDay - spare &&
    (await countMails(tx, own, since(30))) < INVITATIONS_OF_ADDRESS.perMonth - spare &&
    (await countMails(tx, linkMailKey('invitation'), since(1))) < INVITATIONS_OF_ORGANIZATION_PER_DAY
  );
}

/** Mails a single-use link. Returns it if no mail leaves the installation, otherwise null. */
export async function mailLink(
  tx: Tx,
  purpose: LinkPurpose,
  to: Recipient,
  organization: string,
  mailing: LinkMailing,
): Promise<string | null> {
  const token = newLinkToken(purpose, tx.orgId);
  const expiresAt = new Date(tx.now.getTime() + VALID_MS[purpose]);
  const hash = hashToken(token);
  const generation = purpose === 'invitation' ? null : (to.generation ?? 0);
  await saveLink(tx, { hash, userId: to.userId, purpose, expiresAt, generation });
  const link = linkTo(mailing.url(), purpose, token);
  const [subject, lines] = WORDS[purpose](plainName(organization), link);
  await queueMail(tx, {
    dedupeKey: `${linkMailKey(purpose, to.userId)}${hash.toString('hex')}`,
    to: [to.email],
    subject,
    text: lines.join('\n'),
    sealedIn: mailing.box,
  });
  return mailing.handsOverLinks ? link : null;
}

const NOTICES = {
  password_changed: [
    'Your password was changed',
    'The password of your Lotward account was changed, and you were signed out everywhere else.',
  ],
  second_factor_removed: [
    'Your second factor was removed',
    'The second factor of your Lotward account was removed: codes from your authenticator app are no longer asked for.',
  ],
  second_factor_set: [
    'Your second factor was set up',
    'Codes from an authenticator app are asked for from now on when somebody signs in to your Lotward account.',
  ],
  recovery_code_used: [
    'A recovery code was used',
    'Somebody signed in to your Lotward account with one of your recovery codes. Each works once.',
  ],
  new_device: [
    'A new device signed in',
    'Somebody signed in to your Lotward account from a browser it was not used from before.',
  ],
} as const;

/** Notifies a person of a change to their account, so that they notice one they did not make themselves. */
export async function mailNotice(
  tx: Tx,
  notice: keyof typeof NOTICES,
  to: Recipient,
  address: string | null,
): Promise<void> {
  const [subject, what] = NOTICES[notice];
  await queueMail(tx, {
    dedupeKey: `${notice}:${to.userId}:${newId('ntc', tx.now)}`,
    to: [to.email],
    subject: `Lotward: ${subject.charAt(0).toLowerCase()}${subject.slice(1)}`,
    text: [
      what,
      '',
      `Account: ${to.email}`,
      `When: ${tx.now.toISOString()}`,
      ...(address === null ? [] : [`From: ${address}`]),
      '',
      'If that was not you, choose a new password at once and contact an administrator of your organization.',
    ].join('\n'),
  });
}
