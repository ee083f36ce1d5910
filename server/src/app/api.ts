import { performance } from 'node:perf_hooks';
import cors from '@fastify/cors';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { oauthRoutes, openGate, SCOPES, signInPages } from '../access/index.js';
import { type Config, WEBHOOK_DEFAULTS } from '../config/index.js';
import type { Database } from '../platform/database/index.js';
import { createServer, registerRoutes } from '../platform/http/index.js';
import type { Limiter } from '../platform/rate-limit/index.js';
import { connectSlices } from './connect-slices.js';
import { consoleRoutes } from './console.routes.js';
import { builtConsole } from './console-files.js';
import { docsRoutes } from './docs.routes.js';
import { openFrontDoor } from './front-door.js';
import { publicRoutes } from './health.routes.js';
import { requestMetrics } from './metrics.js';
import { noteRequests } from './note-requests.js';
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
  /** Where people and partners find it; not given: where it listens. */
  publicUrl?: string | null;
  webhooks?: Partial<Config['webhooks']>;
  /** Readings older than that are not taken. */
  readingRetentionDays?: number;
  /** Nobody but this machine reaches the server: the demo may push to this machine too. */
  onLoopback?: boolean;
  /** Monotonic milliseconds, for what is believed only for a moment. */
  monotonicMs?: () => number;
  /** Where the built console lies; null: nowhere. Looked for when not given. */
  consoleDirectory?: string | null;
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
}

/** The HTTP side of the service, wired and ready to listen. */
export async function buildApi(options: ApiOptions): Promise<FastifyInstance> {
  connectSlices();
  const { database, limiter, logger } = options;
  const trustedProxies = options.trustedProxies ?? [];
  const monotonicMs = options.monotonicMs ?? (() => performance.now());
  const app = createServer({
    logger,
    tls: options.tls ?? null,
    trustedProxies,
    ...(options.headersTimeoutMs ? { headersTimeoutMs: options.headersTimeoutMs } : {}),
    ...(options.requestTimeoutMs ? { requestTimeoutMs: options.requestTimeoutMs } : {}),
  });
  const door = openFrontDoor(app, { ...options, monotonicMs });
  const policy = { ...WEBHOOK_DEFAULTS, ...options.webhooks };
  const outbound = outboundFor(database, policy, options.onLoopback ?? false);
  app.addHook('onClose', async () => {
    await outbound.close();
    await door.close();
  });
  const metrics = requestMetrics(database);
  noteRequests(app, { logger, metrics, use: door.use });
  await registerDocs(app, options.corsOrigins ?? []);

  const requireHttps = trustedProxies.length > 0 && !options.tls;
  const { credentials, cookie, issuer } = door;
  const people = { cookie, url: issuer.origin, limiter, secure: door.secure };
  await app.register(async (scope) => {
    const routes = allRoutes(database, {
      webhooks: { outbound, policy },
      console: people,
      readingRetentionDays: options.readingRetentionDays,
      monotonicMs,
    });
    const gate = openGate(credentials, limiter, door.use, cookie);
    registerRoutes(scope, routes, {
      database,
      gate,
      requireHttps,
      knownScopes: new Set(SCOPES),
      monotonicMs,
    });
  });
  await app.register((scope) =>
    oauthRoutes(scope, {
      database,
      limiter,
      credentials,
      cookie,
      issuer,
      keyring: door.keyring,
      tokens: door.tokens,
      requireHttps,
      onError: (error) => logger.error({ err: error }, 'OAuth request failed'),
    }),
  );
  await signInPages(app, database, { ...people, requireHttps });
  publicRoutes(app, { database, metrics, metricsToken: options.metricsToken ?? null });
  docsRoutes(app);
  consoleRoutes(app, options.consoleDirectory === undefined ? builtConsole() : options.consoleDirectory);
  await app.ready();
  return app;
}

/** Which pages of others may call it, and the reference. */
async function registerDocs(app: FastifyInstance, corsOrigins: readonly string[]): Promise<void> {
  if (corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      strictPreflight: false,
      optionsSuccessStatus: 200,
      maxAge: 600,
      exposedHeaders: [
        'x-request-id',
        'x-lotward-request-id',
        'ratelimit',
        'ratelimit-policy',
        'retry-after',
      ],
    });
  }
  await app.register(swagger, openApiOptions);
  await app.register(swaggerUi, {
    routePrefix: '/docs/api',
    staticCSP: true,
    // The page talks to nobody but us. The standalone layout has a bar above it that would offer to show the interface of somebody
    // else, and whose logo brings an inline style that the policy of the page forbids.
    uiConfig: { url: '/v2/openapi.json', validatorUrl: null, layout: 'BaseLayout' },
    theme: { title: 'Lotward API' },
  });
}
