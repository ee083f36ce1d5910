import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cookieIn, refuseCrossSite, type SessionCookie } from '../../access/index.js';
import type { Database } from '../../platform/database/index.js';
import { ApiError, ERROR_ROWS } from '../../platform/errors/index.js';
import { PAGE_HEADERS } from '../../platform/html/index.js';
import { invalid } from '../../platform/http/index.js';
import { randomBase62 } from '../../platform/ids/index.js';
import { refuseSignIn } from '../people.errors.js';
import { isEmail } from '../user.js';
import type { SignedIn, Visitor } from './console-session.js';
import { endReplacedSession } from './end-replaced.js';
import {
  type ConsoleCaller,
  finishTotp,
  readOwnAccount,
  setUpTotp,
  verifySecondFactor,
} from './own-account.js';
import { localPath } from './return-path.rules.js';
import { pendingTotp } from './second-factor.js';
import { sessionResolver } from './session-resolver.js';
import { cookiesFor } from './session-view.js';
import { signIn } from './sign-in.js';
import { type ConsoleOptions, signInContext } from './sign-in.routes.js';
import { countingRefusals, type SignInContext } from './sign-in-context.js';
import {
  codePage,
  enrolmentPage,
  type FormFacts,
  organizationPage,
  passwordPage,
  recoveryCodesPage,
} from './sign-in-page.js';
import { listOwnOrganizations, switchOrganization } from './switch-organization.js';

const PATH = '/sign-in';
const FORM_BYTES_MAX = 16_384;
const CSRF_LENGTH = 32;

interface PageOptions extends ConsoleOptions {
  requireHttps: boolean;
}

/** Dependencies of the sign-in pages. */
interface Desk {
  context: SignInContext;
  cookie: SessionCookie;
  forms: ReturnType<typeof formCookie>;
  resolve: ReturnType<typeof sessionResolver>;
}

/** Signing in without scripts: for apps that ask for a person's consent, and where there is no console. */
export async function signInPages(
  app: FastifyInstance,
  database: Database,
  options: PageOptions,
): Promise<void> {
  const desk: Desk = {
    context: signInContext(database, options),
    cookie: options.cookie,
    forms: formCookie(options.secure),
    resolve: sessionResolver(database.reader, database.clock),
  };
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.addHook('onRequest', (request, _reply, done) => {
      const unsafe = options.requireHttps && request.protocol !== 'https';
      done(unsafe ? invalid('https_required') : undefined);
    });
    scope.get(PATH, { schema: { hide: true } }, async (request, reply) => {
      const { return: path, choose } = request.query as { return?: unknown; choose?: unknown };
      return show(desk, request, reply, { returnTo: localPath(path), isChoosing: choose !== undefined });
    });
    scope.post(PATH, { schema: { hide: true } }, async (request, reply) => {
      const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const returnTo = localPath(fields.get('return'));
      const asked = { returnTo, isChoosing: fields.get('step') === 'organization' };
      refuseCrossSite(request.headers);
      if (!desk.forms.isOwn(request.headers.cookie, fields.get('csrf')))
        return show(desk, request, reply, asked, new ApiError('forbidden', [STALE_PAGE]));
      try {
        return await countingRefusals(desk.context.limiter, request.ip, () =>
          step(desk, request, reply, fields, returnTo),
        );
      } catch (error) {
        if (!(error instanceof ApiError) || error.kind === 'internal') throw error;
        return show(desk, request, reply, asked, error);
      }
    });
  });
}

const STALE_PAGE = {
  path: null,
  reason: 'cross_site_request',
  message: 'this page was too old; please try again',
};

/**
 * The page for the state of this browser's sign-in. With `isChoosing`, a signed-in person may switch to another
 * organization.
 */
async function show(
  desk: Desk,
  request: FastifyRequest,
  reply: FastifyReply,
  { returnTo, isChoosing }: { returnTo: string; isChoosing: boolean },
  error?: ApiError,
): Promise<FastifyReply> {
  const at = await consoleOf(desk, request);
  const isComplete = at?.session.state === 'complete';
  const others = isComplete && isChoosing ? await otherOrganizations(desk, at) : [];
  if (isComplete && others.length === 0) return reply.redirect(returnTo, 303);
  const { csrf, cookies } = desk.forms.of(request.headers.cookie);
  const facts: FormFacts = { csrf, returnTo, problem: error?.message };
  reply.headers({ ...error?.headers, ...PAGE_HEADERS }).header('set-cookie', cookies);
  reply.code(error ? ERROR_ROWS[error.kind].status : 200);
  if (!at) return reply.send(passwordPage(facts));
  if (isComplete) return reply.send(organizationPage(facts, at.principal.actor, others));
  if (at.session.state === 'second_factor') return reply.send(codePage(facts));
  const account = await readOwnAccount(desk.context, at);
  return reply.send(enrolmentPage(facts, pendingTotp(account, desk.context.box)));
}

const otherOrganizations = async ({ context }: Desk, at: ConsoleCaller) =>
  (await listOwnOrganizations(context, at)).filter(({ orgId }) => orgId !== at.principal.orgId);

/** Handles the submitted form of a page. */
async function step(
  desk: Desk,
  request: FastifyRequest,
  reply: FastifyReply,
  fields: URLSearchParams,
  returnTo: string,
): Promise<FastifyReply> {
  const next = `${PATH}?return=${encodeURIComponent(returnTo)}`;
  const name = fields.get('step');
  const code = (fields.get('code') ?? '').trim();
  const letIn = (signedIn: SignedIn, visitor: Visitor) =>
    reply.header('set-cookie', cookiesFor(desk.context, desk.cookie, signedIn, visitor));
  const endPrevious = () =>
    endReplacedSession(desk.context, desk.cookie.read(request.headers.cookie ?? ''), request.id);
  if (name === 'leave') {
    await endPrevious();
    return reply.header('set-cookie', desk.cookie.end).redirect(next, 303);
  }
  if (name === 'password') {
    const email = (fields.get('email') ?? '').trim();
    if (!isEmail(email) || /\p{Cc}/u.test(email)) throw refuseSignIn('sign_in_refused');
    const visitor = visitorFor(desk, request, email);
    const signedIn = await signIn(
      desk.context,
      { email, password: fields.get('password') ?? '' },
      visitor,
      request.id,
    );
    await endPrevious();
    letIn(signedIn, visitor);
    return reply.redirect(signedIn.state === 'complete' ? returnTo : next, 303);
  }
  const at = await consoleOf(desk, request);
  if (!at) return reply.redirect(next, 303);
  if (name === 'organization' && at.session.state === 'complete') {
    const signedIn = await switchOrganization(desk.context, at, fields.get('organization') ?? '');
    reply.header('set-cookie', desk.cookie.give(signedIn.token));
    return reply.redirect(signedIn.state === 'complete' ? returnTo : next, 303);
  }
  if (name === 'code') {
    const given = /^\d{6}$/.test(code) ? { code } : { recoveryCode: code };
    letIn(await verifySecondFactor(desk.context, at, given), at.visitor);
    return reply.redirect(returnTo, 303);
  }
  if (at.session.state !== 'enrolment') return reply.redirect(next, 303);
  if (name === 'begin') {
    await setUpTotp(desk.context, at);
    return reply.redirect(next, 303);
  }
  const { recoveryCodes, ...signedIn } = await finishTotp(desk.context, at, code);
  letIn(signedIn, at.visitor);
  return reply.headers(PAGE_HEADERS).send(recoveryCodesPage(recoveryCodes, returnTo));
}

const visitorFor = ({ context }: Desk, request: FastifyRequest, email: string): Visitor => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? null,
  device: context.devices.read(request.headers.cookie, email.toLowerCase()),
});

/** Null when no one is signed in, even partly. */
async function consoleOf(desk: Desk, request: FastifyRequest): Promise<ConsoleCaller | null> {
  const token = desk.cookie.read(request.headers.cookie ?? '');
  const judged = token === null ? null : await desk.resolve(token);
  const principal = judged?.credential?.principal;
  if (!principal?.session) return null;
  const visitor = visitorFor(desk, request, principal.actor);
  return { principal, session: principal.session, visitor, requestId: request.id };
}

/** Proves that a form came from our own page: the same random value is in a cookie and in the form. */
function formCookie(secure: boolean) {
  const name = secure ? '__Host-lotward_form' : 'lotward_form';
  const read = (header: string | undefined): string | null => {
    const word = header === undefined ? null : cookieIn(header, name);
    return word !== null && word.length === CSRF_LENGTH ? word : null;
  };
  return {
    of(header: string | undefined): { csrf: string; cookies: string[] } {
      const csrf = read(header) ?? randomBase62(CSRF_LENGTH);
      return {
        csrf,
        cookies: [`${name}=${csrf}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`],
      };
    },
    isOwn(header: string | undefined, given: string | null): boolean {
      const [kept, sent] = [Buffer.from(read(header) ?? ''), Buffer.from(given ?? '')];
      return kept.length === CSRF_LENGTH && sent.length === CSRF_LENGTH && timingSafeEqual(kept, sent);
    },
  };
}
