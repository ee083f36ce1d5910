import type { Static, TSchema } from 'typebox';
import type { Tx } from '../database/index.js';
import type { Principal } from '../principal.js';

/** One call of a route, judged and validated. */
export interface Call<P = unknown, Q = unknown, B = unknown> {
  readonly principal: Principal;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly requestId: string;
}

interface RouteFacts<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema> {
  /** Under `/v2`, in the router's notation: `/v2/products/:id`. */
  path: string;
  /** What the credential must carry; null: any valid credential will do. */
  scope: string | null;
  /** May a credential bound to one customer call it? Not unless it says so here. */
  customerBound?: 'allowed';
  tag: string;
  summary: string;
  description?: string;
  params?: P;
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

export interface WriteRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>
  extends RouteFacts<P, Q, B, D> {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Runs in one transaction with the Idempotency-Key, the audit entry and whatever else the write leaves. */
  execute(tx: Tx, call: Call<Static<P>, Static<Q>, Static<B>>): Promise<Static<D>>;
}

/** A route as the server sees it, its types erased once its parts have been checked against each other. */
export type Route =
  | ReadRoute<TSchema, TSchema, TSchema, TSchema>
  | WriteRoute<TSchema, TSchema, TSchema, TSchema>;

export function readRoute<P extends TSchema, Q extends TSchema, D extends TSchema>(
  route: Omit<ReadRoute<P, Q, TSchema, D>, 'method'>,
): Route {
  return { ...route, method: 'GET' } as unknown as Route;
}

export function writeRoute<P extends TSchema, Q extends TSchema, B extends TSchema, D extends TSchema>(
  route: WriteRoute<P, Q, B, D>,
): Route {
  return route as unknown as Route;
}
