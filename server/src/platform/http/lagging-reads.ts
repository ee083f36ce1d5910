import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../database/index.js';
import { callOf } from './answers.js';
import type { Route } from './route.js';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Reads from where the route allows: the only place that chooses between the primary and a replica. */
export function readFrom<T>(
  database: Database,
  { mayLag }: Pick<Route, 'mayLag'>,
  request: FastifyRequest,
  read: (from: Database) => Promise<T>,
): Promise<T> {
  const { replica } = database;
  if (replica === null || mayLag === undefined) return read(database);
  const { principal, query } = callOf(request);
  if (mayLag !== true && (query as Record<string, unknown>)[mayLag.with] === undefined) return read(database);
  const wantsLatest = /\b(no-cache|max-age=0)\b/.test(request.headers['cache-control'] ?? '');
  return replica.read({ orgId: principal.orgId, wantsLatest }, read);
}

/** Notes whose data a request may have changed, so that the organization then reads its own writes. */
export function notingWrites({ replica }: Database, handler: Handler): Handler {
  if (replica === null) return handler;
  return async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return handler(request, reply);
    try {
      return await handler(request, reply);
    } finally {
      // Also after a failure, because a commit whose response was lost is still a commit.
      if (request.principal) replica.noteWrite(request.principal.orgId);
    }
  };
}

const LAG =
  'May come from a read replica, by default at most 10 seconds behind. Send `Cache-Control: no-cache` for the latest state.';

export const describeLag = (mayLag: NonNullable<Route['mayLag']>): string =>
  mayLag === true ? LAG : `With \`${mayLag.with}\`: ${LAG.charAt(0).toLowerCase()}${LAG.slice(1)}`;
