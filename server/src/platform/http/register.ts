import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../database/index.js';
import { ApiError, noSuchPath } from '../errors/index.js';
import type { Principal } from '../principal.js';
import type { SecretBox } from '../secrets/index.js';
import { callOf, success } from './answers.js';
import { encodingAnswers, sendEncoded } from './encoded-answers.js';
import { toApiError } from './failure.js';
import { fileHandler } from './file-answers.js';
import { invalid } from './json-body.js';
import { keptFileHandler } from './kept-files.js';
import { notingWrites, readFrom } from './lagging-reads.js';
import { OneAfterAnother } from './one-after-another.js';
import { type RequestReason, requestReasons } from './reasons.js';
import { emptyFile, type ReceivedFiles, receiveFiles } from './received-files.js';
import { requireClearHeaders } from './request-headers.js';
import {
  type AnyAuthRoute,
  type AnyReadRoute,
  type AnyStreamRoute,
  type Call,
  isOpen,
  isTagged,
  type Route,
  receivedTypes,
} from './route.js';
import { type CredentialBinding, referenceOf, schemaOf } from './route-schema.js';
import { sharedHandler } from './shared-writes.js';
import { openStreams } from './streams.js';
import { takingTurns } from './turns.js';
import { type WriteOptions, writeHandler } from './write-handler.js';

/** Checks credential, address and rate, in that order. Throws an ApiError for a caller that is refused. */
export interface Authenticator {
  authenticate(
    method: string,
    headers: CallHeaders,
    address: string,
    options: {
      /** Sent by a page without user action: it does not extend the session. */
      unattended: boolean;
      /** How many requests it counts as. */
      cost: number;
    },
  ): Admission | Promise<Admission>;
  /** The principal of a request that was authenticated before; null once its credential is refused. Not counted as use. */
  identify(headers: CallHeaders, address: string): Principal | null | Promise<Principal | null>;
  /** Counts a malformed request of an unknown caller. Throws if its address has had too many. */
  countMalformed(address: string): Promise<void>;
  /** Throws if a page of another site sent the request. */
  refuseCrossSite(headers: CallHeaders): void;
}

export type CallHeaders = IncomingHttpHeaders;

export interface Admission {
  principal: Principal;
  headers: Readonly<Record<string, string>>;
}

export interface RegisterOptions {
  database: Database;
  authenticator: Authenticator;
  binding: CredentialBinding;
  /** Encrypts stored responses that show a secret. */
  box: SecretBox;
  /** Refuses requests that did not arrive, or were not forwarded by a trusted proxy, as https. */
  requireHttps: boolean;
  knownScopes: ReadonlySet<string>;
  monotonicMs: () => number;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/** The limit on routes that need no credential. */
const OPEN_BODY_BYTES_MAX = 16 * 1024;

/** Registers the routes. A route without a known scope prevents the start. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  options: RegisterOptions,
): void {
  app.decorateRequest('principal', null);
  const streams = openStreams({ ...options, identify: options.authenticator.identify });
  app.addHook('preClose', (done) => {
    streams.endAll();
    done();
  });
  const inTurn = takingTurns();
  const queue = new OneAfterAnother();
  const add = (scope: FastifyInstance, route: Route, files?: ReceivedFiles) => {
    if (route.scope !== null && !options.knownScopes.has(route.scope)) {
      throw new Error(`${route.method} ${route.path} declares no known scope`);
    }
    scope.route({
      method: route.method,
      url: route.path,
      ...(isOpen(route)
        ? { bodyLimit: OPEN_BODY_BYTES_MAX, errorHandler: countingMalformed(options.authenticator) }
        : {}),
      ...(route.bodyBytesMax === undefined ? {} : { bodyLimit: route.bodyBytesMax }),
      schema: schemaOf(route, options.binding),
      config: { swaggerTransform: referenceOf(route), receivesFile: files !== undefined },
      onRequest: (request, reply, done) =>
        judge(route, options, request, reply, (error) => done(error ?? files?.refuse(route, request))),
      ...(files ? { preParsing: (request, reply) => files.admit(request, reply) } : {}),
      preValidation: (request, _reply, done) => {
        // An action without a body means an empty object.
        if ('body' in route && route.body && request.body === undefined) request.body = {};
        if (files && request.body === undefined) request.body = emptyFile(request);
        done(undecodable(request.url));
      },
      // A stream is long-lived and has a limit of its own.
      handler:
        route.kind === 'stream'
          ? streams.handler(route)
          : inTurn(notingWrites(options.database, handlerOf(route, { ...options, queue })), route),
    });
  };
  for (const route of routes) if (!receivedTypes(route)) add(app, route);
  receiveFiles(
    app,
    routes.filter((route) => receivedTypes(route)),
    add,
  );
}

/** Malformed requests of unknown callers are counted by address, like wrong credentials. The server answers as usual. */
const countingMalformed =
  ({ countMalformed }: Authenticator) =>
  async (error: unknown, request: FastifyRequest): Promise<never> => {
    if (toApiError(error).kind === 'invalid') await countMalformed(request.ip);
    throw error;
  };

/** Authorizes a request in the documented order, up to its scope; shape and object come later. */
function judge(
  route: Route,
  options: RegisterOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  try {
    if (route.params || route.rest) requirePath(request.params as Record<string, string>);
    requireClearHeaders(request.raw);
    if (options.requireHttps && request.protocol !== 'https') throw invalid('https_required');
    if (isOpen(route)) {
      options.authenticator.refuseCrossSite(request.headers);
      done();
      return;
    }
    const admitted = options.authenticator.authenticate(request.method, request.headers, request.ip, {
      unattended: route.kind === 'stream',
      cost: route.countsAs ?? 1,
    });
    if (admitted instanceof Promise) {
      admitted
        .then((admission) => {
          enter(route, options, admission, request, reply);
          done();
        })
        .catch(done);
      return;
    }
    enter(route, options, admitted, request, reply);
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}

/** The router matches `/v2/products/` with an empty parameter; for the caller this path does not exist. */
function requirePath(params: Record<string, string>): void {
  for (const name in params) if (params[name] === '') throw noSuchPath();
}

/** The parser keeps a badly encoded parameter unchanged, so a search with it would silently find nothing. */
function undecodable(url: string): ApiError | undefined {
  const at = url.indexOf('?');
  if (at === -1 || !url.includes('%', at)) return undefined;
  try {
    decodeURIComponent(url.slice(at));
    return undefined;
  } catch {
    return invalid('malformed_request', null, 'the query is not percent-encoded UTF-8');
  }
}

function enter(
  route: Route,
  { binding, database }: RegisterOptions,
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { principal } = admission;
  request.principal = principal;
  reply.headers(admission.headers);
  if (principal.session && principal.session.state !== 'complete' && route.console !== 'unfinished')
    throw unfinished();
  if (route.scope !== null && !principal.scopes.has(route.scope))
    throw forbidden('scope_missing', `needs ${route.scope}`);
  if (principal.boundTo !== null && route.boundCredentials !== 'allowed') throw binding.refuse();
  if (route.console && !principal.session) throw forbidden('console_only');
  if (route.stepUp) requireStepUp(principal, database.clock.now());
}

const STEP_UP_MS = 5 * 60_000;

/** Refuses everyone except a person who recently gave their second factor: a session left open is not enough. */
export function requireStepUp({ session }: Principal, now: Date): void {
  if (!session) throw forbidden('console_only');
  const { secondFactorAt } = session;
  if (secondFactorAt === null || now.getTime() - secondFactorAt.getTime() > STEP_UP_MS)
    throw forbidden('step_up_required');
}

const unfinished = (): ApiError => {
  const reason = 'sign_in_unfinished';
  return new ApiError('unauthenticated', [{ path: null, reason, message: requestReasons[reason].meaning }]);
};

/** A missing scope is also reported in `WWW-Authenticate`, as RFC 6750 requires. */
export const forbidden = (reason: RequestReason, message?: string): ApiError =>
  new ApiError('forbidden', [{ path: null, reason, message: message ?? requestReasons[reason].meaning }], {
    headers: reason === 'scope_missing' ? { 'www-authenticate': 'Bearer error="insufficient_scope"' } : {},
  });

function readHandler(route: AnyReadRoute, database: Database) {
  const tagged = isTagged(route);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const call = callOf(request) as Call<never, never, never>;
    const answer = success(await readFrom(database, route, request, (from) => route.read(call, from)));
    // Here rather than in a hook, so that a read without either takes no extra step.
    return tagged || request.headers['accept-encoding'] !== undefined
      ? sendEncoded(request, reply, answer, { tagged })
      : answer;
  };
}

function authHandler(route: AnyAuthRoute) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { data, cookies } = await route.handle({
      principal: request.principal,
      params: request.params as never,
      query: request.query as never,
      body: request.body as never,
      target: request.url,
      requestId: request.id,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
      cookie: request.headers.cookie,
    });
    if (cookies) reply.header('set-cookie', cookies);
    return success(data);
  };
}

/** Responses with a secret are not compressed: their length would reveal something about it (BREACH). */
function handlerOf(route: Exclude<Route, AnyStreamRoute>, options: WriteOptions) {
  switch (route.kind) {
    case 'read':
      return readHandler(route, options.database);
    case 'write':
      return route.showsSecret ? writeHandler(route, options) : encodingAnswers(writeHandler(route, options));
    case 'shared-write':
      return encodingAnswers(sharedHandler(route, options.database));
    case 'file':
      return encodingAnswers(fileHandler(route, options.database));
    case 'kept-file':
      return keptFileHandler(route);
    case 'auth':
      return authHandler(route);
  }
}
