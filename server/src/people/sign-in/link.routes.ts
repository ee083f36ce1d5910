import { setTimeout as passed } from 'node:timers/promises';
import { Type } from 'typebox';
import { addressGroup, limited, type SessionCookie } from '../../access/index.js';
import { authRoute, Email, type Route, Strict } from '../../platform/http/index.js';
import type { LinkPurpose } from './link-token.js';
import { choosePassword, readLink, requestReset } from './mailed-links.js';
import { cookiesFor, Password, signedInView, tag, viewOf } from './session-view.js';
import type { SignInContext } from './sign-in-context.js';

/** The response is always sent after this time: a shorter one would disclose who exists. */
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
    data: Type.Object({ email: Type.String(), organization: Type.Object({ name: Type.String() }) }),
    async handle(call) {
      const { email, orgName } = await readLink(context, 'invitation', call.body.token, call.requestId);
      return { data: { email, organization: { name: orgName } } };
    },
  }),
  passwordRoute(context, cookie, 'invitation', {
    operationId: 'acceptInvitation',
    path: '/v2/invitations/accept',
    summary: 'Accept an invitation',
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
  passwordRoute(context, cookie, 'reset', {
    operationId: 'completePasswordReset',
    path: '/v2/password-resets/complete',
    summary: 'Set a new password',
  }),
];

const passwordRoute = (
  context: SignInContext,
  cookie: SessionCookie,
  purpose: LinkPurpose,
  facts: { operationId: string; path: string; summary: string },
): Route =>
  authRoute({
    ...facts,
    method: 'POST',
    open: true,
    scope: null,
    tag,
    description: 'Signs the person in; a required second factor is still to be verified.',
    body: Strict({ token: Token(), password: Password() }),
    data: Type.Object(signedInView),
    async handle(call) {
      const visitor = { address: call.address, userAgent: call.userAgent, device: null };
      const signedIn = await choosePassword(context, purpose, call.body, visitor, call.requestId);
      // The owner of the mailbox may be slow to find the phone: guesses of others are not counted for them.
      return { data: viewOf(signedIn), cookies: cookiesFor(context, cookie, signedIn, visitor, true) };
    },
  });
