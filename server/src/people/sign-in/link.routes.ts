import { setTimeout as passed } from 'node:timers/promises';
import { Type } from 'typebox';
import { addressGroup, limited, type SessionCookie } from '../../access/index.js';
import { authRoute, Email, type Route, Strict } from '../../platform/http/index.js';
import type { SignedIn, Visitor } from './console-session.js';
import { endReplacedSession } from './end-replaced.js';
import { acceptInvitation, completeReset, confirmFactorReset, hasOwnPassword } from './follow-link.js';
import { readLink, requestReset } from './mailed-links.js';
import { cookiesFor, Password, PersonName, signedInView, tag, viewOf } from './session-view.js';
import { countingRefusals, type SignInContext } from './sign-in-context.js';

/** The response is always delayed until this time: a shorter duration would disclose who exists. */
const RESET_ANSWER_MS = 250;
const RESETS_PER_MINUTE = 20;

const Token = () => Type.String({ maxLength: 200, description: 'The part after `#` of the mailed link.' });

/** Routes for people who follow a mailed link. */
export const linkRoutes = (context: SignInContext, cookie: SessionCookie): Route[] => [
  authRoute({
    method: 'POST',
    operationId: 'readInvitation',
    path: '/v2/invitations/read',
    open: true,
    scope: null,
    tag,
    summary: 'Read an invitation',
    body: Strict({ token: Token() }),
    data: Type.Object({
      email: Type.String(),
      organization: Type.Object({ name: Type.String() }),
      hasAccount: Type.Boolean({
        description: 'Whether the person has an account already: they accept with its password.',
      }),
    }),
    async handle(call) {
      const account = await readLink(context, 'invitation', call.body.token, call.requestId);
      const organization = { name: account.orgName };
      return { data: { email: account.email, organization, hasAccount: hasOwnPassword(account) } };
    },
  }),
  passwordRoute(context, cookie, acceptInvitation, AcceptedLink(), {
    operationId: 'acceptInvitation',
    path: '/v2/invitations/accept',
    summary: 'Accept an invitation',
    description:
      'With an account, `password` is its password; without one, it is chosen here. `name` is for a person who has none yet. Signs the person in; a required second factor is still to be verified.',
  }),
  authRoute({
    method: 'POST',
    operationId: 'requestPasswordReset',
    path: '/v2/password-resets',
    open: true,
    scope: null,
    tag,
    summary: 'Request a password reset',
    description: 'The response is the same whether or not the user exists.',
    body: Strict({ email: Email() }),
    data: Type.Object({}),
    async handle(call) {
      const counted = await context.limiter.take(`resets ${addressGroup(call.address)}`, RESETS_PER_MINUTE);
      if (!counted.allowed) throw limited(counted);
      await Promise.all([requestReset(context, call.body.email, call.requestId), passed(RESET_ANSWER_MS)]);
      return { data: {} };
    },
  }),
  passwordRoute(context, cookie, completeReset, FollowedLink(), {
    operationId: 'completePasswordReset',
    path: '/v2/password-resets/complete',
    summary: 'Set a new password',
    description:
      'Ends all sessions in every organization. Signs the person in; a required second factor is still to be verified.',
  }),
  authRoute({
    method: 'POST',
    operationId: 'confirmSecondFactorReset',
    path: '/v2/second-factor-resets/confirm',
    open: true,
    scope: null,
    tag,
    summary: 'Remove a lost second factor',
    description: 'With the link that an administrator had mailed. Ends all sessions in every organization.',
    body: FollowedLink(),
    data: Type.Object({}),
    async handle(call) {
      await countingRefusals(context.limiter, call.address, () =>
        confirmFactorReset(context, call.body, visitorOf(call), call.requestId),
      );
      return { data: {} };
    },
  }),
];

const FollowedLink = () => Strict({ token: Token(), password: Password() });
const AcceptedLink = () =>
  Strict({ token: Token(), password: Password(), name: Type.Optional(PersonName()) });

const visitorOf = (call: { address: string; userAgent: string | null }): Visitor => ({
  address: call.address,
  userAgent: call.userAgent,
  device: null,
});

const passwordRoute = <S extends ReturnType<typeof FollowedLink>>(
  context: SignInContext,
  cookie: SessionCookie,
  useLink: typeof acceptInvitation,
  body: S,
  facts: { operationId: string; path: string; summary: string; description: string },
): Route =>
  authRoute({
    ...facts,
    method: 'POST',
    open: true,
    scope: null,
    tag,
    body,
    data: Type.Object(signedInView),
    async handle(call) {
      const visitor = visitorOf(call);
      const signedIn: SignedIn = await countingRefusals(context.limiter, call.address, () =>
        useLink(context, call.body, visitor, call.requestId),
      );
      await endReplacedSession(context, cookie.read(call.cookie ?? ''), call.requestId);
      // The owner of the mailbox may take time to find the phone, so guesses of others are not counted against them.
      return { data: viewOf(signedIn), cookies: cookiesFor(context, cookie, signedIn, visitor, true) };
    },
  });
