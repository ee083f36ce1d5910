import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { EVENT_CATALOGUE, EVENT_TYPES, envelopeOf } from '../events/index.js';
import { type Database, statement } from '../platform/database/index.js';
import { noSuchPath, Unavailable } from '../platform/errors/index.js';
import { StaticDocument } from '../platform/http/index.js';
import type { Metrics } from './metrics.js';

const standing = statement(
  `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
);
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;
/** A proxy that is not configured here may still have forwarded the request. */
const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Routes that need no credential: liveness, readiness, metrics, the OpenAPI document and event types. */
export function publicRoutes(
  app: FastifyInstance,
  options: {
    database: Database;
    metrics: Metrics;
    /** Aborted when this process is about to stop. */
    stopping: AbortSignal | undefined;
  } & MetricsAccess,
): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));

  app.get('/readyz', { schema: { hide: true } }, async () => {
    if (options.stopping?.aborted) throw new Unavailable('shutting_down', null);
    const { database } = options;
    return {
      status: 'ready',
      ...(await writesIn(database)),
      ...timedWorkIn(database),
      ...replicaOf(database),
    };
  });

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayReadMetrics(request, options)) throw noSuchPath();
    return reply.type(options.metrics.contentType).send(await options.metrics.text());
  });

  serveJson(app, '/v2/openapi.json', () => app.swagger());
  serveJson(app, '/v2/event-types', () => ({
    code: 0,
    message: 'success',
    data: {
      items: EVENT_TYPES.map((eventType) => ({
        eventType,
        summary: EVENT_CATALOGUE[eventType].summary,
        scope: EVENT_CATALOGUE[eventType].scope,
        schema: envelopeOf(eventType),
      })),
    },
  }));
}

/** Serves a document that is built on first request. */
function serveJson(app: FastifyInstance, path: string, make: () => object): void {
  let document: StaticDocument | undefined;
  app.get(path, { schema: { hide: true } }, (request, reply) => {
    document ??= new StaticDocument(JSON.stringify(make()), 'application/json; charset=utf-8');
    return document.send(request, reply);
  });
}

/**
 * When the disk has no room for writes, the database still answers reads: the process is ready, and reports what it cannot
 * do.
 */
async function writesIn({ probe, app }: Database): Promise<object> {
  const [row] = await probe.query<{ isReadOnly: boolean }>(standing, []).catch((error) => {
    throw error instanceof Unavailable ? error : new Unavailable('database_unavailable', error);
  });
  // A standby, whose data may be old.
  if (row?.isReadOnly) throw new Unavailable('database_read_only', null);
  return app.isStorageFull ? { writes: 'refused', reason: 'storage_full' } : {};
}

/** Requests use the database's clock and are served as usual while time-dependent work is paused. */
function timedWorkIn({ time }: Database): object {
  const { isReliable, description } = time.state;
  return isReliable ? {} : { timedWork: 'paused', reason: description };
}

/** A process without its replica reads everything from the primary. */
const replicaOf = ({ replica }: Database): object => (replica ? { replica: replica.state.status } : {});

interface MetricsAccess {
  metricsToken: string | null;
  /** A proxy may run on this machine; the caller's address then says nothing. */
  hasProxy: boolean;
}

/**
 * Allowed with the operator's token or, where there is no proxy, to a program on this machine that addresses it as local.
 */
function mayReadMetrics(request: FastifyRequest, { metricsToken: token, hasProxy }: MetricsAccess): boolean {
  if (!hasProxy && isLocal(request)) return true;
  const given = Buffer.from(request.headers.authorization?.replace(/^Bearer /i, '') ?? '');
  const expected = Buffer.from(token ?? '');
  return token !== null && given.length === expected.length && timingSafeEqual(given, expected);
}

const isLocal = ({ headers, socket }: FastifyRequest): boolean =>
  LOOPBACK.test(socket.remoteAddress ?? '') &&
  LOCAL_HOST.test(headers.host ?? '') &&
  FORWARDING_HEADERS.every((name) => headers[name] === undefined);
