import { Type } from 'typebox';
import { type AuthCall, Nullable, OneOf } from '../../platform/http/index.js';
import { USER_ROLES } from '../organization.js';
import { scopesOfRole } from '../roles.js';
import type { SignedIn, Visitor } from './console-session.js';
import type { Door } from './door.js';
import type { AtConsole } from './own-account.js';
import { csrfTokenOf, type SessionCookie } from './session-token.js';
import type { Account } from './user.store.js';

/** What the routes at the door have in common: who calls, and how it is told what came of it. */

export const tag = 'Console';

/** Longer than any that is taken, so that what is wrong with it is said by the policy. */
export const Password = () => Type.String({ maxLength: 1_024 });
export const TotpCode = () => Type.String({ pattern: '^[0-9]{6}$', examples: ['492039'] });

const person = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  role: OneOf(USER_ROLES),
  scopes: Type.Array(Type.String()),
});
const organization = Type.Object({ code: Type.String(), name: Type.String() });

export const signedInView = {
  status: OneOf(['complete', 'second_factor', 'enrolment']),
  csrfToken: Type.String({
    description: 'To be sent as `X-CSRF-Token` with everything that changes something.',
  }),
  user: Nullable(person),
  organization: Nullable(organization),
};

/** Nothing about the person before the sign-in is complete. */
export function viewOf({ token, state, account }: SignedIn) {
  const status = { status: state, csrfToken: csrfTokenOf(token) };
  return { ...status, ...(state === 'complete' ? identityOf(account) : NOBODY_YET) };
}

const NOBODY_YET = { user: null, organization: null };

const identityOf = (account: Account) => ({
  user: {
    userId: account.userId,
    email: account.email,
    role: account.role,
    scopes: [...scopesOfRole(account.role)].sort(),
  },
  organization: { code: account.orgCode, name: account.orgName },
});

export const visitorOf = (door: Door, call: AuthCall, email: string): Visitor => ({
  address: call.address,
  userAgent: call.userAgent,
  device: door.devices.read(call.cookie, email.toLowerCase()),
});

/** Only on routes that are for the console. */
export function atConsole(door: Door, call: AuthCall): AtConsole {
  const session = call.principal?.session;
  if (!call.principal || !session) throw new Error('a route of the console was entered without a session');
  const visitor = visitorOf(door, call, call.principal.actor);
  return { principal: call.principal, session, visitor, requestId: call.requestId };
}

/** The new session, and the mark of the device once the person has proved to be who they are. */
export function cookiesFor(
  door: Door,
  cookie: SessionCookie,
  signedIn: SignedIn,
  visitor: Visitor,
  proved = signedIn.state === 'complete',
): string[] {
  const session = cookie.give(signedIn.token);
  return proved && visitor.device === null ? [session, door.devices.give(signedIn.account.email)] : [session];
}
