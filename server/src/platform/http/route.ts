import type { Static, TSchema } from 'typebox';
import type { Caller, Outcome } from '../batched-calls.js';
import type { Database, Tx } from '../database/index.js';
import type { Principal } from '../principal.js';
import type { Precondition } from './precondition.js';

/** One call of a route, authorized and validated. */
export interface Call<P = unknown, Q = unknown, B = unknown> {
  readonly principal: Principal;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Path and query exactly as they were sent. */
  readonly target: string;
  readonly requestId: string;
  /** From `If-Match`, on a conditional route. */
  readonly precondition?: Precondition | undefined;
}

interface RouteFacts<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema> {
  /** The name of the operation in OpenAPI and in generated clients, such as `approveOrder`. Stable once released. */
  operationId: string;
  /** Under `/v2` (a file elsewhere), in the router's notation: `/v2/things/:id`. */
  path: string;
  /** The scope that a credential must have; null if any valid credential is enough. */
  scope: string | null;
  /** Allows bound credentials (`Principal.boundTo`), which are refused by default. */
  boundCredentials?: 'allowed';
  /** Only for people signed in at the console; `unfinished` also before their second factor. */
  console?: 'only' | 'unfinished';
  /** How many requests a call counts as in the rate limit, for routes with more work than usual. */
  countsAs?: number;
  /** A call may keep the database and this process busy for a second: those of an organization run one after another. */
  takesLong?: true;
  /** The maximum size of a body, for routes that need more than the default. */
  bodyBytesMax?: number;
  /**
   * A replica may answer, slightly behind: a record of the past, or figures that nobody acts on unseen. With a name, only
   * calls with this query parameter may lag. Never for stock, a credential, or a document that has a next step.
   */
  mayLag?: true | { with: string };
  /**
   * A read with an `ETag`, for which `If-None-Match` saves the response. By default, true where the path ends with an
   * identity.
   */
  tagged?: boolean;
  /** The person must have given their second factor within the last five minutes. */
  stepUp?: true;
  tag: string;
  summary: string;
  description?: string;
  params?: P;
  /** The name of the final `*` in the API reference. The route reads its value from the target. */
  rest?: string;
  query?: Q;
  body?: B;
  /** The body for the API reference, where the route validates parts of it itself and `body` declares less. */
  describedBody?: TSchema;
  /** The payload: `data` of the envelope. */
  data: D;
}

export interface ReadRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>
  extends RouteFacts<P, Q, B, D> {
  kind: 'read';
  method: 'GET';
  /** `from` is the database to read: a replica, where the route may lag. */
  read(call: Call<Static<P>, Static<Q>, undefined>, from: Database): Promise<Static<D>>;
}

export interface WriteRoute<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  D extends TSchema,
  F = undefined,
> extends RouteFacts<P, Q, B, D> {
  kind: 'write';
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The response shows a secret once; under an Idempotency-Key it is stored encrypted. */
  showsSecret?: true;
  /** Honours `If-Match`: the route requires `precondition` of the record that it has locked. */
  conditional?: true;
  /** The body is a file of one of these media types instead of JSON: a `ReceivedFile`. */
  receives?: readonly string[];
  /**
   * Does slow work that must not hold a transaction open, before the transaction begins: DNS lookups, requests to endpoints.
   * Skipped for a request with a stored response.
   */
  prefetch?(call: Call<Static<P>, Static<Q>, Static<B>>): Promise<F>;
  /** The record that the call locks, if the request names it: calls for the same record run one after another. */
  changes?(call: Call<Static<P>, Static<Q>, Static<B>>): string;
  /** Runs in one transaction with the Idempotency-Key, the audit entry and all other effects of the write. */
  execute(tx: Tx, call: Call<Static<P>, Static<Q>, Static<B>>, prefetched: F): Promise<Static<D>>;
}

/** A write that many callers make concurrently: their calls share one transaction, each with its own outcome. */
export interface SharedWriteRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>
  extends RouteFacts<P, Q, B, D> {
  kind: 'shared-write';
  method: 'POST';
  /** Refuses a call before it joins a shared transaction. */
  check?(call: Call<Static<P>, Static<Q>, Static<B>>): void;
  /** The records that the call locks, as far as the request names them. */
  changes(call: Call<Static<P>, Static<Q>, Static<B>>): readonly string[];
  /** Its transactions lock the same records, so that a second one of an organization would only wait for the first. */
  oneAtATime?: boolean;
  executeAll(tx: Tx, calls: readonly Call<Static<P>, Static<Q>, Static<B>>[]): Promise<Outcome<Static<D>>[]>;
}

/** A file to send; with a name, as a download. */
interface FileContent {
  body: string | Buffer;
  fileName?: string;
}

/** A file sent as the body of a request. */
export interface ReceivedFile {
  contentType: string;
  content: Buffer;
}

/** An uploaded file, as it was sent. */
interface KeptFile {
  fileName: string;
  contentType: string;
  /** A hash of the content, which becomes its `ETag`. */
  sha256: string;
}

/** A read outside `/v2` that returns an uploaded file, with an `ETag`; nothing in the file is executed. */
export interface KeptFileRoute<P extends TSchema, Q extends TSchema, F extends KeptFile>
  extends Omit<RouteFacts<P, Q, TSchema, TSchema>, 'data' | 'body'> {
  kind: 'kept-file';
  method: 'GET';
  mediaTypes: readonly string[];
  /** Must be cheap: it runs for every request, even of callers that have the content. */
  describe(call: Call<Static<P>, Static<Q>, undefined>): Promise<F>;
  /** Null if the file has been replaced or removed since. */
  readContent(call: Call<Static<P>, Static<Q>, undefined>, file: F): Promise<Buffer | null>;
}

/** A read outside `/v2` that returns a file: under `/labels` or `/exports`, authorized and validated like any other. */
export interface FileRoute<P extends TSchema, Q extends TSchema>
  extends Omit<RouteFacts<P, Q, TSchema, TSchema>, 'data' | 'body'> {
  kind: 'file';
  method: 'GET';
  /** The header value, such as `text/csv; charset=utf-8`. */
  contentType: string;
  render(call: Call<Static<P>, Static<Q>, undefined>, from: Database): Promise<FileContent>;
}

/** Server-sent events, outside `/v2`. Authorized like any other route, and again while the stream lasts. */
interface StreamRoute<Q extends TSchema>
  extends Omit<RouteFacts<TSchema, Q, TSchema, TSchema>, 'data' | 'body' | 'params' | 'rest'> {
  kind: 'stream';
  method: 'GET';
  rest?: never;
  params?: never;
  /** Resolves, once no later change can be missed, to a function that ends the subscription. */
  subscribe(principal: Principal, send: (event: string, data: object) => void): Promise<() => void>;
}

/** A step of signing in or out. It may be called without a credential, and may set and clear cookies. */
export interface AuthRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>
  extends Omit<RouteFacts<P, Q, B, D>, 'boundCredentials'> {
  kind: 'auth';
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  boundCredentials?: never;
  /** Needs no credential. */
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
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[];
}

/** Routes with erased types, for the server: the route functions have checked their parts against each other. */
export type AnyReadRoute = ReadRoute<TSchema, TSchema, TSchema, TSchema>;
export type AnyWriteRoute = WriteRoute<TSchema, TSchema, TSchema, TSchema, unknown>;
export type AnySharedWriteRoute = SharedWriteRoute<TSchema, TSchema, TSchema, TSchema>;
export type AnyFileRoute = FileRoute<TSchema, TSchema>;
export type AnyKeptFileRoute = KeptFileRoute<TSchema, TSchema, KeptFile>;
export type AnyAuthRoute = AuthRoute<TSchema, TSchema, TSchema, TSchema>;
export type AnyStreamRoute = StreamRoute<TSchema>;

/** Discriminated by `kind`. */
export type Route =
  | AnyReadRoute
  | AnyWriteRoute
  | AnySharedWriteRoute
  | AnyFileRoute
  | AnyKeptFileRoute
  | AnyStreamRoute
  | AnyAuthRoute;

/** Returns whether the route needs no credential. */
export const isOpen = (route: Route): boolean => route.kind === 'auth' && route.open === true;

/** Returns whether the response has an `ETag`. */
export const isTagged = (route: Route): boolean =>
  route.kind === 'kept-file' || (route.kind === 'read' && (route.tagged ?? /\/:[^/]+$/.test(route.path)));

/** Returns the media types of the file that the route takes instead of JSON; null for other routes. */
export const receivedTypes = (route: Route): readonly string[] | null =>
  route.kind === 'write' ? (route.receives ?? null) : null;

/** The caller of a call, for the audit trail. */
export const callerOf = (call: Pick<Call, 'principal' | 'requestId'>): Caller => ({
  actor: call.principal.actor,
  credentialId: call.principal.credentialId,
  requestId: call.requestId,
});

export function readRoute<P extends TSchema, Q extends TSchema, D extends TSchema>(
  route: Omit<ReadRoute<P, Q, TSchema, D>, 'kind' | 'method'>,
): Route {
  return { ...route, kind: 'read', method: 'GET' } as unknown as Route;
}

export function writeRoute<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  D extends TSchema,
  F = undefined,
>(route: Omit<WriteRoute<P, Q, B, D, F>, 'kind'>): Route {
  return { ...route, kind: 'write' } as unknown as Route;
}

export function sharedWriteRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>(
  route: Omit<SharedWriteRoute<P, Q, B, D>, 'kind'>,
): Route {
  return { ...route, kind: 'shared-write' } as unknown as Route;
}

export function fileRoute<P extends TSchema, Q extends TSchema>(
  route: Omit<FileRoute<P, Q>, 'kind' | 'method'>,
): Route {
  return { ...route, kind: 'file', method: 'GET' } as unknown as Route;
}

export function keptFileRoute<P extends TSchema, Q extends TSchema, F extends KeptFile>(
  route: Omit<KeptFileRoute<P, Q, F>, 'kind' | 'method'>,
): Route {
  return { ...route, kind: 'kept-file', method: 'GET' } as unknown as Route;
}

/** A write whose body is a file. */
export function uploadRoute<P extends TSchema, Q extends TSchema, D extends TSchema, F = undefined>(
  route: Omit<WriteRoute<P, Q, TSchema, D, F>, 'kind' | 'method' | 'body' | 'prefetch' | 'execute'> & {
    receives: readonly string[];
    bodyBytesMax: number;
    prefetch(call: Call<Static<P>, Static<Q>, ReceivedFile>): Promise<F>;
    execute(tx: Tx, call: Call<Static<P>, Static<Q>, ReceivedFile>, prefetched: F): Promise<Static<D>>;
  },
): Route {
  return { ...route, kind: 'write', method: 'PUT' } as unknown as Route;
}

export function streamRoute(route: Omit<AnyStreamRoute, 'kind' | 'method'>): Route {
  return { ...route, kind: 'stream', method: 'GET' };
}

export function authRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>(
  route: Omit<AuthRoute<P, Q, B, D>, 'kind'>,
): Route {
  return { ...route, kind: 'auth' } as unknown as Route;
}
