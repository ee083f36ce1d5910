import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { type Database, transact } from '../database/index.js';
import { ApiError, ERROR_ROWS, missing, Refusal } from '../errors/index.js';
import type { Principal } from '../principal.js';
import { failureBody } from './failure.js';
import { claimKey, requestHash, type StoredAnswer, storeAnswer } from './idempotency.js';
import { invalid } from './json-body.js';
import { type RequestReason, requestReasons } from './reasons.js';
import { requireClearHeaders } from './request-headers.js';
import type { Call, Route } from './route.js';
import { Strict } from './schema.js';

/** Who may come in: credential, address and rate, in that order. Throws an ApiError for those who may not. */
export interface Gate {
  admit(token: string | null, address: string): Admission | Promise<Admission>;
}

export interface Admission {
  principal: Principal;
  headers: Readonly<Record<string, string>>;
}

export interface RegisterOptions {
  database: Database;
  gate: Gate;
  /** Behind trusted proxies a request counts as safe only when it was forwarded as https. */
  requireHttps: boolean;
  knownScopes: ReadonlySet<string>;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/** Puts the routes on the server. A route that does not say who may call it stops the start. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  options: RegisterOptions,
): void {
  app.decorateRequest('principal', null);
  for (const route of routes) {
    if (route.scope === undefined || (route.scope !== null && !options.knownScopes.has(route.scope))) {
      throw new Error(`${route.method} ${route.path} declares no known scope`);
    }
    app.route({
      method: route.method,
      url: route.path,
      schema: schemaOf(route),
      onRequest: (request, reply, done) => judge(route, options, request, reply, done),
      preValidation: (request, _reply, done) => {
        // An action without a body means an empty object.
        if (route.body && request.body === undefined) request.body = {};
        done(undecodable(request.url));
      },
      handler: route.method === 'GET' ? readHandler(route) : writeHandler(route, options.database),
    });
  }
}

function schemaOf(route: Route) {
  return {
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    'x-scope': route.scope,
    'x-customer-bound': route.customerBound ?? 'refused',
    // A route that takes no parameters refuses any.
    querystring: route.query ?? Strict({}),
    ...(route.params ? { params: route.params } : {}),
    ...(route.body ? { body: route.body } : {}),
    response: { 200: envelopeOf(route.data) },
  };
}

const envelopeOf = (data: TSchema) => Type.Object({ code: Type.Integer(), message: Type.String(), data });

/** Judges a request in the order the interface promises, up to its scope; shape and object come later. */
function judge(
  route: Route,
  options: RegisterOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  try {
    if (route.params) requirePath(request.params as Record<string, string>);
    requireClearHeaders(request.raw);
    if (options.requireHttps && request.protocol !== 'https') throw invalid('https_required');
    const admitted = options.gate.admit(bearerToken(request.headers.authorization), request.ip);
    if (admitted instanceof Promise) {
      admitted
        .then((admission) => {
          enter(route, admission, request, reply);
          done();
        })
        .catch(done);
      return;
    }
    enter(route, admitted, request, reply);
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}

/** To the router `/v2/products/` is a product with an empty name; to a caller it is a path that does not exist. */
function requirePath(params: Record<string, string>): void {
  for (const name in params) if (params[name] === '') throw missing();
}

/** The parser keeps a badly encoded parameter as it stands, and a search for that quietly finds nothing. */
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

function enter(route: Route, admission: Admission, request: FastifyRequest, reply: FastifyReply): void {
  const { principal } = admission;
  request.principal = principal;
  reply.headers(admission.headers);
  if (route.scope !== null && !principal.scopes.has(route.scope))
    throw forbidden('scope_missing', `needs ${route.scope}`);
  if (principal.customerCode !== null && route.customerBound !== 'allowed') {
    throw forbidden('customer_bound', 'not open to a credential bound to one customer');
  }
}

/** A Bearer credential that lacks the scope is told so in the header too, as RFC 6750 has it. */
export const forbidden = (reason: RequestReason, message?: string): ApiError =>
  new ApiError('forbidden', [{ path: null, reason, message: message ?? requestReasons[reason].meaning }], {
    headers: reason === 'scope_missing' ? { 'www-authenticate': 'Bearer error="insufficient_scope"' } : {},
  });

function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  return header.length > 7 && header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : '';
}

function callOf(request: FastifyRequest): Call {
  const { principal } = request;
  if (!principal) throw new Error('a route was entered without a principal');
  return {
    principal,
    params: request.params,
    query: request.query,
    body: request.body,
    requestId: request.id,
  };
}

function success(data: unknown) {
  return { code: 0, message: 'success', data };
}

function readHandler(route: Extract<Route, { method: 'GET' }>) {
  return async (request: FastifyRequest) =>
    success(await route.answer(callOf(request) as Call<never, never, never>));
}

const IDEMPOTENCY_KEY_MAX = 255;

function idempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST') return null;
  if (typeof key !== 'string' || key.length === 0 || key.length > IDEMPOTENCY_KEY_MAX) {
    throw invalid('bad_length', 'Idempotency-Key', `1 to ${IDEMPOTENCY_KEY_MAX} characters`);
  }
  return key;
}

function writeHandler(route: Exclude<Route, { method: 'GET' }>, database: Database) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const call = callOf(request) as Call<never, never, never>;
    const key = idempotencyKey(request);
    if (key === null) {
      const data = await transact(database, call.principal, (tx) => route.execute(tx, call), {
        requestId: request.id,
      });
      return success(data);
    }
    const hash = requestHash(request.method, request.url, request.body);
    const answer = await transact(
      database,
      call.principal,
      async (tx): Promise<StoredAnswer> => {
        const earlier = await claimKey(tx, key, hash);
        if (earlier) return earlier;
        const fresh = await answerOf(() => tx.savepoint(() => route.execute(tx, call)), request, reply);
        await storeAnswer(tx, key, fresh);
        return fresh;
      },
      { requestId: request.id },
    );
    reply.code(answer.status).type('application/json; charset=utf-8').serializer(String);
    return answer.body;
  };
}

/** The answer as it will be sent, so that it can be kept in the transaction of its effect. */
async function answerOf(
  work: () => Promise<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<StoredAnswer> {
  try {
    const data = await work();
    return { status: 200, body: reply.code(200).serialize(success(data)) as string };
  } catch (error) {
    // Only a refusal is a result worth remembering; after anything else the caller shall try again.
    if (!(error instanceof Refusal)) throw error;
    return { status: ERROR_ROWS[error.kind].status, body: JSON.stringify(failureBody(error, request.id)) };
  }
}
