import { Type } from 'typebox';
import type { SessionCookie } from '../../access/index.js';
import { authRoute, type Route, Strict } from '../../platform/http/index.js';
import { refusePerson } from '../people.errors.js';
import {
  changePassword,
  dropTotp,
  finishTotp,
  replaceOwnRecoveryCodes,
  setUpTotp,
  stepUp,
  verifySecondFactor,
} from './own-account.js';
import type { GivenFactor } from './second-factor.js';
import {
  consoleCallerOf,
  cookiesFor,
  Password,
  signedInView,
  TotpCode,
  tag,
  viewOf,
} from './session-view.js';
import { countingRefusals, type SignInContext } from './sign-in-context.js';

const RECOVERY_CODE_MAX = 40;
const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Shown only once. Each code replaces the authenticator app for one sign-in.',
});

const FactorBody = Strict({
  code: Type.Optional(TotpCode()),
  recoveryCode: Type.Optional(Type.String({ maxLength: RECOVERY_CODE_MAX })),
});

/** The second factor and the password of the signed-in person. */
export const accountRoutes = (context: SignInContext, cookie: SessionCookie): Route[] => [
  authRoute({
    method: 'POST',
    operationId: 'giveSecondFactor',
    path: '/v2/session/second-factor',
    console: 'unfinished',
    scope: null,
    tag,
    summary: 'Verify the second factor',
    body: FactorBody,
    data: Type.Object(signedInView),
    async handle(call) {
      const at = consoleCallerOf(context, call);
      const given = factorIn(call.body);
      const signedIn = await countingRefusals(context.limiter, call.address, () =>
        verifySecondFactor(context, at, given),
      );
      return { data: viewOf(signedIn), cookies: cookiesFor(context, cookie, signedIn, at.visitor) };
    },
  }),
  authRoute({
    method: 'POST',
    operationId: 'stepUpSession',
    path: '/v2/session/step-up',
    console: 'only',
    scope: null,
    tag,
    summary: 'Verify the second factor again',
    description:
      'For the next five minutes the session may do what needs a fresh second factor (`step_up_required`).',
    body: FactorBody,
    data: Type.Object(signedInView),
    async handle(call) {
      const at = consoleCallerOf(context, call);
      const given = factorIn(call.body);
      const signedIn = await countingRefusals(context.limiter, call.address, () =>
        stepUp(context, at, given),
      );
      return { data: viewOf(signedIn), cookies: [cookie.give(signedIn.token)] };
    },
  }),
  authRoute({
    method: 'POST',
    operationId: 'beginSecondFactor',
    path: '/v2/session/totp',
    console: 'unfinished',
    scope: null,
    tag,
    summary: 'Start setting up a second factor',
    description: 'Requires the password again. The factor is active once its first code is confirmed.',
    body: Strict({ password: Type.Optional(Password()) }),
    data: Type.Object({ secret: Type.String(), otpauthUri: Type.String() }),
    handle: async (call) => ({
      data: await setUpTotp(context, consoleCallerOf(context, call), call.body.password),
    }),
  }),
  authRoute({
    method: 'POST',
    operationId: 'confirmSecondFactor',
    path: '/v2/session/totp/confirm',
    console: 'unfinished',
    scope: null,
    tag,
    summary: 'Confirm a new second factor',
    body: Strict({ code: TotpCode() }),
    data: Type.Object({ ...signedInView, recoveryCodes: RecoveryCodes }),
    async handle(call) {
      const at = consoleCallerOf(context, call);
      const { recoveryCodes, ...signedIn } = await countingRefusals(context.limiter, call.address, () =>
        finishTotp(context, at, call.body.code),
      );
      return {
        data: { ...viewOf(signedIn), recoveryCodes },
        cookies: cookiesFor(context, cookie, signedIn, at.visitor),
      };
    },
  }),
  ...confirmedRoutes(context, cookie),
];

/** Routes that require the password again, in addition to the session. */
const confirmedRoutes = (context: SignInContext, cookie: SessionCookie): Route[] => [
  authRoute({
    method: 'DELETE',
    operationId: 'removeSecondFactor',
    path: '/v2/session/totp',
    console: 'only',
    scope: null,
    tag,
    summary: 'Remove your second factor',
    description: 'Administrators must keep theirs.',
    body: Strict({ password: Password() }),
    data: Type.Object(signedInView),
    async handle(call) {
      const signedIn = await dropTotp(context, consoleCallerOf(context, call), call.body.password);
      return { data: viewOf(signedIn), cookies: [cookie.give(signedIn.token)] };
    },
  }),
  authRoute({
    method: 'POST',
    operationId: 'renewRecoveryCodes',
    path: '/v2/session/recovery-codes',
    console: 'only',
    scope: null,
    tag,
    summary: 'Generate new recovery codes',
    description: 'The previous codes stop working.',
    body: Strict({ password: Password() }),
    data: Type.Object({ recoveryCodes: RecoveryCodes }),
    handle: async (call) => ({
      data: {
        recoveryCodes: await replaceOwnRecoveryCodes(
          context,
          consoleCallerOf(context, call),
          call.body.password,
        ),
      },
    }),
  }),
  authRoute({
    method: 'POST',
    operationId: 'changePassword',
    path: '/v2/session/password',
    console: 'only',
    scope: null,
    tag,
    summary: 'Change your password',
    description: 'Ends all other sessions.',
    body: Strict({ currentPassword: Password(), newPassword: Password() }),
    data: Type.Object(signedInView),
    async handle(call) {
      const signedIn = await changePassword(context, consoleCallerOf(context, call), call.body);
      return { data: viewOf(signedIn), cookies: [cookie.give(signedIn.token)] };
    },
  }),
];

function factorIn(body: { code?: string; recoveryCode?: string }): GivenFactor {
  const { code, recoveryCode } = body;
  if (code !== undefined && recoveryCode === undefined) return { code };
  if (recoveryCode !== undefined && code === undefined) return { recoveryCode };
  throw refusePerson('one_factor', null);
}
