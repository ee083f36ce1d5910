import type { paths } from './generated/api.js';

/** The HTTP methods of the API. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have an operation of this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: { responses: { 200: unknown } } }
    ? P extends `/v2/${string}`
      ? P
      : never
    : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = M extends keyof paths[P] ? paths[P][M] : never;

type Parameters<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { parameters: infer Q } ? Q : never;
type PathParameters<P extends keyof paths, M extends Method> =
  Parameters<P, M> extends { path: infer Q } ? Q : undefined;
/** A parameter that may be repeated takes one value or several. */
type OneOrMore<Q> = {
  [K in keyof Q]: NonNullable<Q[K]> extends (infer I)[] ? Q[K] | I | readonly I[] : Q[K];
};
/** The query parameters of an operation. */
export type Query<P extends keyof paths, M extends Method> =
  Parameters<P, M> extends { query?: infer Q } ? OneOrMore<NonNullable<Q>> : undefined;
/** The request body of an operation. */
export type Body<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { requestBody?: infer R }
    ? NonNullable<R> extends { content: { 'application/json': infer B } }
      ? B
      : undefined
    : undefined;

/** The result of an operation: `data` of its response. */
export type Data<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: { 200: { content: { 'application/json': { data: infer D } } } } }
    ? D
    : never;

/** An item of a list. */
export type Item<P extends keyof paths> = Data<P, 'get'> extends { items: (infer I)[] } ? I : never;
/** The paths that return lists. */
export type ListPath = { [P in PathOf<'get'>]: Item<P> extends never ? never : P }[PathOf<'get'>];

type Given<K extends string, V> = [V] extends [undefined]
  ? unknown
  : Record<string, never> extends V
    ? { [k in K]?: V }
    : { [k in K]: V };

/** The options of a call: required exactly where the operation requires them. */
export type CallOptions<P extends keyof paths, M extends Method> = Given<'path', PathParameters<P, M>> &
  Given<'query', Query<P, M>> &
  Given<'body', Body<P, M>> &
  Settings;

/** Options that every call takes. */
export interface Settings {
  /** Aborts the call. */
  signal?: AbortSignal;
  /** For POST and PATCH. Default: a new key for each call, so that its retries take effect once. */
  idempotencyKey?: string;
  /**
   * For PUT and PATCH: the `version` that you have seen, or an entity tag in quotes. If the record has changed since, the call
   * rejects with a {@link LotwardError} with reason `version_mismatch`.
   */
  ifMatch?: number | string;
}
