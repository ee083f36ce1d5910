import { Type } from 'typebox';
import { csrfTokenOf, type SessionCookie } from '../../access/index.js';
import { type AuthCall, Model, Nullable, OneOf, Text } from '../../platform/http/index.js';
import { scopesOfRole } from '../roles.js';
import { USER_ROLES } from '../user.js';
import type { Account } from '../user.store.js';
import type { SignedIn, Visitor } from './console-session.js';
import type { ConsoleCaller } from './own-account.js';
import type { SignInContext } from './sign-in-context.js';

export const tag = 'Console';

/** Above the limit of the password policy, so that the policy reports a password that is too long. */
export const Password = () => Type.String({ maxLength: 1_024 });
export const PersonName = () => Text(100, 'What the person is called, in every organization of theirs.');
export const TotpCode = () => Type.String({ pattern: '^[0-9]{6}$', examples: ['492039'] });

const person = Model('SignedInPerson', {
  userId: Type.String(),
  email: Type.String(),
  name: Nullable(Type.String({ description: 'What the person is called.' })),
  role: OneOf(USER_ROLES),
  scopes: Type.Array(Type.String()),
});
const organization = Model('SignedInOrganization', {
  code: Type.String(),
  name: Type.String(),
  timeZone: Type.String({ description: 'IANA time zone in which its days begin and end.' }),
});

export const signedInView = {
  status: OneOf(['complete', 'second_factor', 'enrolment']),
  csrfToken: Type.String({
    description: 'To be sent as `X-CSRF-Token` with everything that changes something.',
  }),
  user: Nullable(person),
  organization: Nullable(organization),
};

/** Reveals nothing about the person before the sign-in is complete. */
export function viewOf({ token, state, account }: SignedIn) {
  const status = { status: state, csrfToken: csrfTokenOf(token) };
  return { ...status, ...(state === 'complete' ? identityOf(account) : NOBODY_YET) };
}

const NOBODY_YET = { user: null, organization: null };

const identityOf = (account: Account) => ({
  user: {
    userId: account.userId,
    email: account.email,
    name: account.name,
    role: account.role,
    scopes: [...scopesOfRole(account.role)].sort(),
  },
  organization: { code: account.orgCode, name: account.orgName, timeZone: account.orgTimeZone },
});

export const visitorOf = (context: SignInContext, call: AuthCall, email: string): Visitor => ({
  address: call.address,
  userAgent: call.userAgent,
  device: context.devices.read(call.cookie, email.toLowerCase()),
});

/** For routes that require a console session. */
export function consoleCallerOf(context: SignInContext, call: AuthCall): ConsoleCaller {
  const session = call.principal?.session;
  if (!call.principal || !session) throw new Error('a console route was called without a session');
  const visitor = visitorOf(context, call, call.principal.actor);
  return { principal: call.principal, session, visitor, requestId: call.requestId };
}

/** The session cookie, and a device cookie once the person has proved their identity. */
export function cookiesFor(
  context: SignInContext,
  cookie: SessionCookie,
  signedIn: SignedIn,
  visitor: Visitor,
  proved = signedIn.state === 'complete',
): string[] {
  const session = cookie.give(signedIn.token);
  return proved && visitor.device === null
    ? [session, context.devices.give(signedIn.account.email)]
    : [session];
}
