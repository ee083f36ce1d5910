import { setTimeout as passed } from 'node:timers/promises';
import { Type } from 'typebox';
import { authRoute, Email, type Route, Strict } from '../../platform/http/index.js';
import { addressGroup } from '../allow-list.js';
import { limited } from '../failure-limit.js';
import type { Door } from './door.js';
import { cookiesFor, Password, signedInView, tag, viewOf } from './door-calls.js';
import type { LinkPurpose } from './link-token.js';
import { askForReset, choosePassword, readLink } from './mailed-links.js';
import type { SessionCookie } from './session-token.js';

/** The answer leaves then, whatever there was to do: how long that took would tell who exists. */
const RESET_ANSWER_MS = 250;
const RESETS_PER_MINUTE = 20;

const Token = () => Type.String({ maxLength: 200, description: 'What stood behind `#` in the mailed link.' });

/** What people do who were sent a link by mail. */
export const linkRoutes = (door: Door, cookie: SessionCookie): Route[] => [
  authRoute({
    method: 'POST',
    path: '/v2/invitations/read',
    open: true,
    scope: null,
    tag,
    summary: 'Whom an invitation is for',
    body: Strict({ token: Token() }),
    data: Type.Object({ email: Type.String(), organization: Type.Object({ name: Type.String() }) }),
    async handle(call) {
      const { email, orgName } = await readLink(door, 'invitation', call.body.token, call.requestId);
      return { data: { email, organization: { name: orgName } } };
    },
  }),
  choosing(door, cookie, 'invitation', '/v2/invitations/accept', 'Accept an invitation'),
  authRoute({
    method: 'POST',
    path: '/v2/password-resets',
    open: true,
    scope: null,
    tag,
    summary: 'Ask for a new password',
    description: 'The answer is the same whether or not there is somebody to send a mail to.',
    body: Strict({ email: Email() }),
    data: Type.Object({}),
    async handle(call) {
      const counted = await door.limiter.take(`resets ${addressGroup(call.address)}`, RESETS_PER_MINUTE);
      if (!counted.allowed) throw limited(counted);
      await Promise.all([askForReset(door, call.body.email, call.requestId), passed(RESET_ANSWER_MS)]);
      return { data: {} };
    },
  }),
  choosing(door, cookie, 'reset', '/v2/password-resets/complete', 'Choose a new password'),
];

const choosing = (
  door: Door,
  cookie: SessionCookie,
  purpose: LinkPurpose,
  path: string,
  summary: string,
): Route =>
  authRoute({
    method: 'POST',
    path,
    open: true,
    scope: null,
    tag,
    summary,
    description: 'Signs the person in, as far as a password goes.',
    body: Strict({ token: Token(), password: Password() }),
    data: Type.Object(signedInView),
    async handle(call) {
      const visitor = { address: call.address, userAgent: call.userAgent, device: null };
      const signedIn = await choosePassword(door, purpose, call.body, visitor, call.requestId);
      // Whoever reads the person's mail may be slow to find the phone: guesses of others are not counted for them.
      return { data: viewOf(signedIn), cookies: cookiesFor(door, cookie, signedIn, visitor, true) };
    },
  });
