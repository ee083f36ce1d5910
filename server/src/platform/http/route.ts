import type { Static, TSchema } from 'typebox';
import type { Caller, Outcome } from '../batched-calls.js';
import type { Tx } from '../database/index.js';
import type { Principal } from '../principal.js';

/** One call of a route, judged and validated. */
export interface Call<P = unknown, Q = unknown, B = unknown> {
  readonly principal: Principal;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Path and query exactly as they were sent. */
  readonly target: string;
  readonly requestId: string;
}

interface RouteFacts<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema> {
  /** Under `/v2` (a file elsewhere), in the router's notation: `/v2/products/:id`. */
  path: string;
  /** What the credential must carry; null: any valid credential will do. */
  scope: string | null;
  /** May a credential bound to one customer call it? Not unless it says so here. */
  customerBound?: 'allowed';
  /** Only for people signed in at the console; `unfinished`: also before they gave their second factor. */
  console?: 'only' | 'unfinished';
  tag: string;
  summary: string;
  description?: string;
  params?: P;
  /** Of a path that ends in `*`: what the reference calls that rest. The route takes it from the target. */
  rest?: string;
  query?: Q;
  body?: B;
  /** The payload: `data` of the envelope. */
  data: D;
}

export interface ReadRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>
  extends RouteFacts<P, Q, B, D> {
  method: 'GET';
  answer(call: Call<Static<P>, Static<Q>, undefined>): Promise<Static<D>>;
}

export interface WriteRoute<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  D extends TSchema,
  F = undefined,
> extends RouteFacts<P, Q, B, D> {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The answer shows a secret, this once: under an Idempotency-Key it is kept sealed. */
  showsSecret?: true;
  /**
   * Finds out what must not keep a transaction waiting, before it begins: what a name resolves to, what an endpoint
   * answers. Not done for a request whose answer is already stored.
   */
  prefetch?(call: Call<Static<P>, Static<Q>, Static<B>>): Promise<F>;
  /** Runs in one transaction with the Idempotency-Key, the audit entry and whatever else the write leaves. */
  execute(tx: Tx, call: Call<Static<P>, Static<Q>, Static<B>>, found: F): Promise<Static<D>>;
}

/** A write that many callers make at once: their calls go together into one transaction, each with its own outcome. */
export interface SharedRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>
  extends RouteFacts<P, Q, B, D> {
  method: 'POST';
  /** What can be refused of a call by itself, before it joins others. */
  check?(call: Call<Static<P>, Static<Q>, Static<B>>): void;
  executeTogether(
    tx: Tx,
    calls: readonly Call<Static<P>, Static<Q>, Static<B>>[],
  ): Promise<Outcome<Static<D>>[]>;
}

/** A file as it is sent. With a name it is offered for saving under it. */
interface FileAnswer {
  body: string | Buffer;
  fileName?: string;
}

/** A read outside `/v2` whose answer is a file: under `/labels` or `/exports`, judged and validated like any other. */
export interface FileRoute<P extends TSchema, Q extends TSchema>
  extends Omit<RouteFacts<P, Q, TSchema, TSchema>, 'data' | 'body'> {
  method: 'GET';
  /** As it is sent: `text/csv; charset=utf-8`. */
  contentType: string;
  answerFile(call: Call<Static<P>, Static<Q>, undefined>): Promise<FileAnswer>;
}

/** News as it happens, outside `/v2`: server-sent events. Judged like any other, and again while it lasts. */
interface StreamRoute<Q extends TSchema>
  extends Omit<RouteFacts<TSchema, Q, TSchema, TSchema>, 'data' | 'body' | 'params' | 'rest'> {
  method: 'GET';
  rest?: never;
  params?: never;
  /** Answers, once nothing that happens from now on can be missed, how to stop. */
  subscribe(principal: Principal, send: (event: string, data: object) => void): Promise<() => void>;
}

/** A step through the door, before which there may be no credential. It can hand out cookies and take them back. */
export interface AuthRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>
  extends Omit<RouteFacts<P, Q, B, D>, 'customerBound'> {
  method: 'GET' | 'POST' | 'DELETE';
  /** No credential is asked for. */
  open?: true;
  handle(call: AuthCall<Static<P>, Static<Q>, Static<B>>): Promise<AuthReply<Static<D>>>;
}

export interface AuthCall<P = unknown, Q = unknown, B = unknown> extends Omit<Call<P, Q, B>, 'principal'> {
  /** Null on an open route. */
  readonly principal: Principal | null;
  readonly address: string;
  readonly userAgent: string | null;
  readonly cookie: string | undefined;
}

interface AuthReply<D> {
  data: D;
  /** As they are sent in `Set-Cookie`. */
  cookies?: readonly string[];
}

/** A route as the server sees it, its types erased once its parts have been checked against each other. */
export type AnyReadRoute = ReadRoute<TSchema, TSchema, TSchema, TSchema>;
export type AnyWriteRoute = WriteRoute<TSchema, TSchema, TSchema, TSchema, unknown>;
export type AnySharedRoute = SharedRoute<TSchema, TSchema, TSchema, TSchema>;
export type AnyFileRoute = FileRoute<TSchema, TSchema>;
export type AnyAuthRoute = AuthRoute<TSchema, TSchema, TSchema, TSchema> & { customerBound?: 'allowed' };
export type AnyStreamRoute = StreamRoute<TSchema>;
export type Route =
  | AnyReadRoute
  | AnyWriteRoute
  | AnySharedRoute
  | AnyFileRoute
  | AnyStreamRoute
  | AnyAuthRoute;

/** Does it ask for no credential? */
export const isOpen = (route: Route): boolean => 'open' in route && route.open === true;

/** On whose behalf a call is made. */
export const callerOf = (call: Pick<Call, 'principal' | 'requestId'>): Caller => ({
  actor: call.principal.actor,
  credentialId: call.principal.credentialId,
  requestId: call.requestId,
});

export function sharedRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>(
  route: SharedRoute<P, Q, B, D>,
): Route {
  return route as unknown as Route;
}

export function readRoute<P extends TSchema, Q extends TSchema, D extends TSchema>(
  route: Omit<ReadRoute<P, Q, TSchema, D>, 'method'>,
): Route {
  return { ...route, method: 'GET' } as unknown as Route;
}

export function fileRoute<P extends TSchema, Q extends TSchema>(
  route: Omit<FileRoute<P, Q>, 'method'>,
): Route {
  return { ...route, method: 'GET' } as unknown as Route;
}

export function streamRoute(route: Omit<AnyStreamRoute, 'method'>): Route {
  return { ...route, method: 'GET' };
}

export function authRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>(
  route: AuthRoute<P, Q, B, D>,
): Route {
  return route as unknown as Route;
}

export function writeRoute<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  D extends TSchema,
  F = undefined,
>(route: WriteRoute<P, Q, B, D, F>): Route {
  return route as unknown as Route;
}
