import type { paths } from './generated/api.js';

/** Which operations there are, told by the types made from the service's own description. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Paths that have an operation of this method and answer with the envelope. */
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
export type Query<P extends keyof paths, M extends Method> =
  Parameters<P, M> extends { query?: infer Q } ? NonNullable<Q> : undefined;
export type Body<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { requestBody?: infer R }
    ? NonNullable<R> extends { content: { 'application/json': infer B } }
      ? B
      : undefined
    : undefined;

/** What an operation answers with: `data` of the envelope. */
export type Data<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: { 200: { content: { 'application/json': { data: infer D } } } } }
    ? D
    : never;

/** Of a list, one of its items. */
export type Item<P extends keyof paths> = Data<P, 'get'> extends { items: (infer I)[] } ? I : never;
export type ListPath = { [P in PathOf<'get'>]: Item<P> extends never ? never : P }[PathOf<'get'>];

type Given<K extends string, V> = [V] extends [undefined]
  ? unknown
  : Record<string, never> extends V
    ? { [k in K]?: V }
    : { [k in K]: V };

/** What a call of an operation takes: what it needs is needed here. */
export type CallOptions<P extends keyof paths, M extends Method> = Given<'path', PathParameters<P, M>> &
  Given<'query', Query<P, M>> &
  Given<'body', Body<P, M>> &
  Settings;

export interface Settings {
  signal?: AbortSignal;
  /** On POST. Not given: a new one for each call, so that its own repetitions have one effect. */
  idempotencyKey?: string;
}
