import { performance } from 'node:perf_hooks';
import cors from '@fastify/cors';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { customerBinding, openAuthenticator, SCOPES } from '../access/index.js';
import { type Config, WEBHOOK_DEFAULTS } from '../config/index.js';
import { oauthRoutes } from '../oauth/index.js';
import { signInPages } from '../people/index.js';
import type { Database } from '../platform/database/index.js';
import { createServer, registerRoutes, type SlowRefusals } from '../platform/http/index.js';
import type { Limiter } from '../platform/rate-limit/index.js';
import type { SecretBox } from '../platform/secrets/index.js';
import { connectSlices } from './connect-slices.js';
import { consoleRoutes } from './console.routes.js';
import { builtConsole } from './console-files.js';
import { REFERENCE_STYLE } from './docs/reference-style.js';
import { docsRoutes } from './docs.routes.js';
import { openFrontDoor } from './front-door.js';
import { publicRoutes } from './health.routes.js';
import { requestMetrics } from './metrics.js';
import { noteRequests } from './note-requests.js';
import { openApiOptions } from './openapi.js';
import { servePagesOverHttps } from './pages-over-https.js';
import { allRoutes } from './routes.js';
import { outboundFor } from './webhooks.js';

export interface ApiOptions {
  database: Database;
  box: SecretBox;
  limiter: Limiter;
  logger: FastifyBaseLogger;
  tls?: { cert: string; key: string } | null;
  trustedProxies?: readonly string[];
  corsOrigins?: readonly string[];
  metricsToken?: string | null;
  /** The public address; by default, the address that the server listens on. */
  publicUrl?: string | null;
  webhooks?: Partial<Config['webhooks']>;
  /** Older readings are rejected. */
  readingRetentionDays?: number;
  /** The server listens on loopback only: the demo may push to loopback too. */
  onLoopback?: boolean;
  /** No mail server is configured: links for people are returned to the administrator who requests them. */
  handsOverLinks?: boolean;
  /** Monotonic milliseconds, for short-lived caches. */
  monotonicMs?: () => number;
  /** Folder of the built console; null for none. Located automatically when omitted. */
  consoleDirectory?: string | null;
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
  /** Replaces the usual delays of refusals, for tests. */
  refusals?: SlowRefusals;
  /** Aborted some time before the server closes, so that a load balancer stops sending requests. */
  stopping?: AbortSignal;
}

/** The HTTP side of the service, wired and ready to listen. */
export async function buildApi(options: ApiOptions): Promise<FastifyInstance> {
  connectSlices();
  const { database, box, limiter, logger } = options;
  const trustedProxies = options.trustedProxies ?? [];
  const monotonicMs = options.monotonicMs ?? (() => performance.now());
  const app = createServer({
    logger,
    tls: options.tls ?? null,
    trustedProxies,
    ...(options.headersTimeoutMs ? { headersTimeoutMs: options.headersTimeoutMs } : {}),
    ...(options.requestTimeoutMs ? { requestTimeoutMs: options.requestTimeoutMs } : {}),
    ...(options.refusals ? { refusals: options.refusals } : {}),
  });
  const door = openFrontDoor(app, { ...options, monotonicMs });
  const policy = { ...WEBHOOK_DEFAULTS, ...options.webhooks };
  const outbound = outboundFor(database, policy, options.onLoopback ?? false);
  app.addHook('onClose', async () => {
    await outbound.close();
    await door.close();
  });
  const metrics = requestMetrics(database, door.use.log);
  noteRequests(app, { logger, metrics, use: door.use });
  const requireHttps = trustedProxies.length > 0 && !options.tls;
  if (requireHttps) servePagesOverHttps(app, door.issuer.origin);
  await registerDocs(app, options.corsOrigins ?? []);

  const { credentials, cookie, issuer } = door;
  const { handsOverLinks = false } = options;
  const people = { box, cookie, url: issuer.origin, limiter, secure: door.secure, handsOverLinks };
  await app.register(async (scope) => {
    const routes = allRoutes(database, {
      webhooks: { box, outbound, policy },
      console: people,
      readingRetentionDays: options.readingRetentionDays,
      monotonicMs,
    });
    const authenticator = openAuthenticator(credentials, limiter, door.use, cookie);
    registerRoutes(scope, routes, {
      database,
      authenticator,
      binding: customerBinding,
      box,
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
  publicRoutes(app, {
    database,
    metrics,
    metricsToken: options.metricsToken ?? null,
    stopping: options.stopping,
    hasProxy: trustedProxies.length > 0,
  });
  docsRoutes(app);
  await consoleRoutes(
    app,
    options.consoleDirectory === undefined ? builtConsole() : options.consoleDirectory,
  );
  await app.ready();
  return app;
}

/** The page has no inline script or style, loads nothing from elsewhere, and calls this server only. */
const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Registers CORS and the API reference. */
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
        'idempotent-replayed',
        'etag',
      ],
    });
  }
  await app.register(swagger, openApiOptions);
  await app.register(swaggerUi, {
    routePrefix: '/docs/api',
    staticCSP: REFERENCE_POLICY,
    // The page calls only this server. The standalone layout adds a bar that can load the document of another server, and a
    // logo whose inline style the page's policy forbids.
    uiConfig: { url: '/v2/openapi.json', validatorUrl: null, layout: 'BaseLayout' },
    theme: { title: 'Lotward API', css: [{ filename: 'lotward.css', content: REFERENCE_STYLE }] },
  });
}
