import { addressGroup } from '../../access/index.js';
import { recordAudit } from '../../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import { hashToken } from '../../platform/secrets/index.js';
import { refusePerson } from '../people.errors.js';
import { onSignInChanged } from '../people.hooks.js';
import { mailLink, mailNotice, mayInvite } from '../people-mails.js';
import {
  type Account,
  findOrganizationOfEmail,
  lockAccount,
  readAccount,
  readAccountByEmail,
  savePassword,
} from '../user.store.js';
import { attemptsAt, clearAttempts } from './attempts.store.js';
import { beginSession, type SignedIn, stateAfterPassword, type Visitor } from './console-session.js';
import { countLinksSince, findLink, removeLinks, takeLink } from './link.store.js';
import { type LinkPurpose, organizationNamedBy } from './link-token.js';
import { hashNewPassword } from './password-hash.js';
import { removeSessionsExcept } from './session.store.js';
import { newSessionId } from './session-token.js';
import { type SignInContext, transactAs } from './sign-in-context.js';

const HOUR_MS = 3_600_000;
const RESETS_PER_HOUR = 3;
/** A stranger who types the address of an invited person must not use up what administrators may send. */
const SPARE_INVITATIONS = 2;
const INVITATION_AGAIN_MS = HOUR_MS / RESETS_PER_HOUR;

/** The status a user must have for each kind of link. */
const STATUS: Readonly<Record<LinkPurpose, Account['status']>> = { invitation: 'invited', reset: 'active' };

/** Mails a link if the account exists. The caller cannot tell the difference. */
export async function requestReset(context: SignInContext, given: string, requestId: string): Promise<void> {
  const { database, mailing } = context;
  const email = given.toLowerCase();
  const orgId = await findOrganizationOfEmail(database.reader, email);
  await transactAs(database, { orgId, email, requestId }, async (tx) => {
    const found = await readAccountByEmail(tx, email);
    const account = found && (await lockAccount(tx, found.userId));
    if (account?.orgStatus !== 'active' || account.status === 'removed') return;
    if (account.status === 'invited') await inviteAgain(tx, account, context);
    else if ((await linksWithin(tx, account, 'reset', HOUR_MS)) < RESETS_PER_HOUR) {
      await mailLink(tx, 'reset', account, account.orgName, mailing);
      await recordAudit(tx, { action: 'user.ask_reset', entityType: 'user', entityId: account.userId });
    }
  });
}

/** An invited person who asks for a reset has most likely lost the invitation. Throttled against flooding a mailbox. */
async function inviteAgain(tx: Tx, account: Account, { mailing }: SignInContext): Promise<void> {
  if ((await linksWithin(tx, account, 'invitation', INVITATION_AGAIN_MS)) > 0) return;
  if (!(await mayInvite(tx, account.userId, SPARE_INVITATIONS))) return;
  await removeLinks(tx, account.userId);
  await mailLink(tx, 'invitation', account, account.orgName, mailing);
  await recordAudit(tx, { action: 'user.invite', entityType: 'user', entityId: account.userId });
}

const linksWithin = (tx: Tx, account: Account, purpose: LinkPurpose, ms: number): Promise<number> =>
  countLinksSince(tx, account.userId, purpose, new Date(tx.now.getTime() - ms));

/** The account of a valid link. Every invalid link is refused with the same error. */
export async function readLink(
  { database }: SignInContext,
  purpose: LinkPurpose,
  token: string,
  requestId: string,
): Promise<Account> {
  const orgId = organizationNamedBy(token);
  if (orgId === null) throw refusePerson('link_invalid', '/token');
  return transactAs(database, { orgId, email: 'link@lotward.invalid', requestId }, async (tx) => {
    const userId = await findLink(tx, hashToken(token), purpose);
    return requireValid(purpose, userId && (await readAccount(tx, userId)));
  });
}

/** Sets the password, ends all other sessions, and signs the person in as far as a password allows. */
export async function choosePassword(
  context: SignInContext,
  purpose: LinkPurpose,
  given: { token: string; password: string },
  visitor: Visitor,
  requestId: string,
): Promise<SignedIn> {
  const { database } = context;
  const { email, orgName } = await readLink(context, purpose, given.token, requestId);
  const about = { email, organization: orgName };
  const hash = await hashNewPassword(given.password, about, addressGroup(visitor.address));
  const sessionId = newSessionId(database.clock.now());
  const who = { orgId: organizationNamedBy(given.token), email, sessionId, requestId };
  return transactAs(database, who, async (tx) => {
    const userId = await takeLink(tx, hashToken(given.token), purpose);
    const account = requireValid(purpose, userId && (await lockAccount(tx, userId)));
    await savePassword(tx, account.userId, hash);
    await removeLinks(tx, account.userId);
    await removeSessionsExcept(tx, account.userId, '');
    await onSignInChanged(tx, account);
    await clearAttempts(tx, attemptsAt('password', email, null));
    const action = purpose === 'invitation' ? 'user.accept_invitation' : 'user.reset_password';
    await recordAudit(tx, { action, entityType: 'user', entityId: account.userId });
    if (purpose === 'reset') await mailNotice(tx, 'password_changed', account, visitor.address);
    // The person has just read their mail on this device: a notice of a new device would say nothing new.
    const known = { ...visitor, device: visitor.device ?? 'mail' };
    return beginSession(tx, sessionId, account, stateAfterPassword(account), known);
  });
}

function requireValid(purpose: LinkPurpose, account: Account | null | ''): Account {
  if (!account || account.status !== STATUS[purpose] || account.orgStatus !== 'active')
    throw refusePerson('link_invalid', '/token');
  return account;
}
