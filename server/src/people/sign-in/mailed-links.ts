import { addressGroup, requireFewFailures } from '../../access/index.js';
import { recordAudit } from '../../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import { hashToken } from '../../platform/secrets/index.js';
import { enterAccount } from '../account.store.js';
import { isUsable, listMemberships, type Membership } from '../membership.store.js';
import { refusePerson } from '../people.errors.js';
import { mailLink, mayInvite } from '../people-mails.js';
import { type Account, lockAccount, readAccount } from '../user.store.js';
import { attemptsAt, claimAttempt, clearAttempts } from './attempts.store.js';
import { countLinksSince, findLink, type LinkOwner, removeLinks, takeLink } from './link.store.js';
import { type LinkPurpose, organizationNamedBy } from './link-token.js';
import { isPasswordOf } from './password-hash.js';
import { notingRefusals } from './record-refusals.js';
import { type SignInContext, transactAs } from './sign-in-context.js';

const HOUR_MS = 3_600_000;
const RESETS_PER_HOUR = 3;
/** A stranger who enters the address of an invited person must not use up the invitations of the administrators. */
const SPARE_INVITATIONS = 2;
const INVITATION_AGAIN_MS = HOUR_MS / RESETS_PER_HOUR;
/** Enough for anybody; bounds the work of a request. */
const INVITATIONS_AGAIN_MAX = 3;

/** The status a user must have for each kind of link. */
const STATUS: Readonly<Record<LinkPurpose, Account['status']>> = {
  invitation: 'invited',
  reset: 'active',
  factor: 'active',
};

/** Mails a link if the account exists. The caller cannot tell the difference. */
export async function requestReset(context: SignInContext, given: string, requestId: string): Promise<void> {
  const { database, mailing } = context;
  const email = given.toLowerCase();
  const memberships = await listMemberships(database.reader, email);
  const within = (orgId: string | null, work: (tx: Tx, account: Account) => Promise<void>) =>
    transactAs(database, { orgId, email, requestId }, async (tx) => {
      const userId = memberships.find((each) => each.orgId === orgId)?.userId ?? '';
      const account = await lockAccount(tx, userId);
      if (account?.orgStatus === 'active') await work(tx, account);
    });
  const own = memberships.find(isUsable);
  if (!own && memberships.some(isInvitation)) {
    for (const { orgId } of memberships.filter(isInvitation).slice(0, INVITATIONS_AGAIN_MAX))
      await within(orgId, (tx, account) => inviteAgain(tx, account, context));
    return;
  }
  await within(own?.orgId ?? null, async (tx, account) => {
    if (account.status !== 'active') return;
    if ((await linksWithin(tx, account, 'reset', HOUR_MS)) >= RESETS_PER_HOUR) return;
    await mailLink(tx, 'reset', account, account.orgName, mailing);
    await recordAudit(tx, { action: 'user.ask_reset', entityType: 'user', entityId: account.userId });
  });
}

const isInvitation = ({ status, orgStatus }: Membership): boolean =>
  status === 'invited' && orgStatus === 'active';

/**
 * An invited person who requests a reset has most likely lost the invitation. Throttled, so that a mailbox cannot be
 * flooded.
 */
async function inviteAgain(tx: Tx, account: Account, { mailing }: SignInContext): Promise<void> {
  if (account.status !== 'invited') return;
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
    const link = await findLink(tx, hashToken(token), purpose);
    const user = link && (await readAccount(tx, link.userId));
    if (!user) throw refusePerson('link_invalid', '/token');
    await enterAccount(tx, user.email);
    return requireValid(purpose, link, await readAccount(tx, link.userId));
  });
}

/** Uses the link up. The account is locked until the transaction ends. */
export async function takeOwnLink(tx: Tx, purpose: LinkPurpose, token: string): Promise<Account> {
  const link = await takeLink(tx, hashToken(token), purpose);
  return requireValid(purpose, link, link && (await lockAccount(tx, link.userId)));
}

function requireValid(purpose: LinkPurpose, link: LinkOwner | null, account: Account | null): Account {
  if (!link || account?.status !== STATUS[purpose] || account.orgStatus !== 'active')
    throw refusePerson('link_invalid', '/token');
  if (link.generation !== null && link.generation !== account.generation)
    throw refusePerson('link_invalid', '/token');
  return account;
}

/** The holder of a link must also know the password of the account. Guesses are counted like those of a sign-in. */
export async function requirePasswordOf(
  { database, limiter }: SignInContext,
  account: Account,
  given: { token: string; password: string },
  from: { address: string; requestId: string },
): Promise<void> {
  await requireFewFailures(limiter, from.address);
  const { email, userId, passwordHash } = account;
  const who = { orgId: organizationNamedBy(given.token), email, requestId: from.requestId };
  const attempts = attemptsAt('password', email, null);
  await transactAs(database, who, (tx) => claimAttempt(tx, attempts));
  await notingRefusals(database, { ...who, userId, address: from.address }, async () => {
    if (!(await isPasswordOf(passwordHash, given.password, addressGroup(from.address))))
      throw refusePerson('password_wrong', '/password');
  });
  await transactAs(database, who, (tx) => clearAttempts(tx, attempts));
}
