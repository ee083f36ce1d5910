import { queueMail } from '../mailing/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { hashToken, type SecretBox } from '../platform/secrets/index.js';
import { saveLink } from './sign-in/link.store.js';
import { type LinkPurpose, linkTo, newLinkToken } from './sign-in/link-token.js';

export interface LinkMailing {
  /** Seals a queued mail: its link is a secret. */
  box: SecretBox;
  /** The address of the console. */
  url: () => string;
}

interface Recipient {
  userId: string;
  email: string;
}

const HOUR_MS = 3_600_000;
const VALID_MS: Readonly<Record<LinkPurpose, number>> = { invitation: 7 * 24 * HOUR_MS, reset: HOUR_MS };

const WORDS: Readonly<Record<LinkPurpose, (organization: string, link: string) => [string, string[]]>> = {
  invitation: (organization, link) => [
    `You are invited to ${organization} on Lotward`,
    [
      `You are invited to work with ${organization} on Lotward.`,
      '',
      'Choose a password here, within 7 days:',
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
};

/** Mails a single-use link. */
export async function mailLink(
  tx: Tx,
  purpose: LinkPurpose,
  to: Recipient,
  organization: string,
  mailing: LinkMailing,
): Promise<void> {
  const token = newLinkToken(purpose, tx.orgId);
  const expiresAt = new Date(tx.now.getTime() + VALID_MS[purpose]);
  const hash = hashToken(token);
  await saveLink(tx, { hash, userId: to.userId, purpose, expiresAt });
  const [subject, lines] = WORDS[purpose](organization, linkTo(mailing.url(), purpose, token));
  await queueMail(tx, {
    dedupeKey: `${purpose}:${to.userId}:${hash.toString('hex')}`,
    to: [to.email],
    subject,
    text: lines.join('\n'),
    sealedIn: mailing.box,
  });
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

/** Notifies a person of a change to their account, so that they notice one they did not make. */
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
