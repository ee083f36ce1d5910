import { performance } from 'node:perf_hooks';
import cors from '@fastify/cors';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { openCredentials, openGate, openKeyUse, SCOPES } from '../access/index.js';
import { type Config, WEBHOOK_DEFAULTS } from '../config/index.js';
import type { Database } from '../platform/database/index.js';
import { createServer, registerRoutes } from '../platform/http/index.js';
import type { Limiter } from '../platform/rate-limit/index.js';
import { publicRoutes } from './health.routes.js';
import { requestMetrics } from './metrics.js';
import { openApiOptions } from './openapi.js';
import { allRoutes } from './routes.js';
import { outboundFor } from './webhooks.js';

export interface ApiOptions {
  database: Database;
  limiter: Limiter;
  logger: FastifyBaseLogger;
  tls?: { cert: string; key: string } | null;
  trustedProxies?: readonly string[];
  corsOrigins?: readonly string[];
  metricsToken?: string | null;
  webhooks?: Partial<Config['webhooks']>;
  /** Readings older than that are not taken. */
  readingRetentionDays?: number;
  /** Nobody but this machine reaches the server: the demo may push to this machine too. */
  onLoopback?: boolean;
  /** Monotonic milliseconds, for what is believed only for a moment. */
  monotonicMs?: () => number;
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
}

/** The HTTP side of the service, wired and ready to listen. */
export async function buildApi(options: ApiOptions): Promise<FastifyInstance> {
  const { database, logger } = options;
  const trustedProxies = options.trustedProxies ?? [];
  const app = createServer({
    logger,
    tls: options.tls ?? null,
    trustedProxies,
    ...(options.headersTimeoutMs ? { headersTimeoutMs: options.headersTimeoutMs } : {}),
    ...(options.requestTimeoutMs ? { requestTimeoutMs: options.requestTimeoutMs } : {}),
  });
  const credentials = openCredentials(
    database.reader,
    database.clock,
    options.monotonicMs ?? (() => performance.now()),
  );
  const use = openKeyUse(database.worker, database.clock, (error) =>
    logger.warn({ err: error }, 'last use of keys not noted'),
  );
  const policy = { ...WEBHOOK_DEFAULTS, ...options.webhooks };
  const outbound = outboundFor(database, policy, options.onLoopback ?? false);
  app.addHook('onClose', async () => {
    credentials.close();
    await outbound.close();
    await use.close();
  });

  const metrics = requestMetrics(database);
  app.addHook('onResponse', (request, reply, done) => {
    metrics.observe(request, reply);
    // One line a request: a second one would cost a fifth of the throughput.
    logger.info(
      {
        reqId: request.id,
        method: request.method,
        url: request.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        org: request.principal?.orgId,
        credential: request.principal?.credentialId,
        ip: request.ip,
      },
      'request',
    );
    done();
  });

  if (options.corsOrigins && options.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...options.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      strictPreflight: false,
      optionsSuccessStatus: 200,
      maxAge: 600,
      exposedHeaders: ['x-request-id', 'ratelimit', 'ratelimit-policy', 'retry-after'],
    });
  }
  await app.register(swagger, openApiOptions);
  await app.register(swaggerUi, {
    routePrefix: '/docs/api',
    staticCSP: true,
    // The page talks to nobody but us.
    uiConfig: { url: '/v2/openapi.json', validatorUrl: null },
  });
  await app.register(async (scope) => {
    registerRoutes(scope, allRoutes(database, { outbound, policy }, options.readingRetentionDays), {
      database,
      gate: openGate(credentials, options.limiter, use),
      requireHttps: trustedProxies.length > 0 && !options.tls,
      knownScopes: new Set(SCOPES),
    });
  });
  publicRoutes(app, { database, metrics, metricsToken: options.metricsToken ?? null });
  await app.ready();
  return app;
}
