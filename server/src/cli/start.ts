import cluster from 'node:cluster';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { buildApi } from '../app/api.js';
import { listen } from '../app/listen.js';
import { describeLost, reportAllSeals } from '../app/seals.js';
import { buildWorker, type Worker } from '../app/worker.js';
import { type Config, readConfig } from '../config/index.js';
import { RATE_WINDOW_MS } from '../organizations/index.js';
import type { Database } from '../platform/database/index.js';
import { createLogger, type Logger } from '../platform/logging/index.js';
import { outboxMailer, smtpMailer } from '../platform/mail/index.js';
import {
  type Limiter,
  memoryLimiter,
  openRedisLimiter,
  parentLimiter,
  serveLimiter,
} from '../platform/rate-limit/index.js';
import { StartRefused } from '../platform/start-refused.js';
import { openChildren } from './children.js';
import { demoAtStart } from './demo-command.js';
import { addressOf, greet } from './greeting.js';
import { say } from './output.js';
import { openRuntime, type Runtime } from './runtime.js';
import { selfSignedCertificate } from './self-signed.js';

type Part = 'api' | 'worker';
const LIMITER_KEYS_MAX = 200_000;

const OWNER_NOTICE =
  'Notice: DATABASE_URL is the login of the database owner. Run the service with the logins of its roles instead: see docs/guides/upgrading.md.';

/** Starts the requested parts and runs until it receives a signal. */
export async function start(parts: readonly Part[], options: { selfSigned?: boolean }): Promise<void> {
  const given = readConfig();
  const config =
    options.selfSigned && !given.tls
      ? { ...given, tls: await selfSignedCertificate(given.dataDir, given.host) }
      : given;
  if (parts.includes('api')) requireSafeAddress(config);
  const logger = createLogger(config.logLevel);
  // If the worker is another process, only that process knows whether mail is sent.
  const handsOverLinks = parts.includes('worker') && config.smtpUrl === null;
  if (cluster.isWorker) return serveAsChild(config, logger, handsOverLinks);
  if (config.databaseUrl !== null) say(OWNER_NOTICE);
  const useReplica = parts.includes('api') && config.apiProcesses === 1;
  const runtime = await openRuntime(config, { onProgress: say, requireSameTime: true, useReplica });
  // Closed in reverse order of opening, after a signal (also during the start) and after a failure.
  const open: (() => Promise<void>)[] = [runtime.close];
  const closeAll = async () => {
    for (const close of open.splice(0).reverse()) await close();
  };
  stopOnSignal(config, logger, closeAll);
  logTime(runtime.database, logger);
  logReplica(runtime.database, logger);
  try {
    // Only a report: counting may time out in a large database, which must not keep the service from starting.
    await logLostSeals(runtime, logger).catch((error) =>
      logger.warn({ err: error }, 'sealed secrets not counted'),
    );
    const demo = parts.includes('api') ? await demoAtStart(runtime) : null;
    const api = parts.includes('api') ? await openFrontDoor(runtime, logger, handsOverLinks) : null;
    if (api) open.push(api.close);
    if (parts.includes('worker')) open.push(openWorker(runtime, logger, api?.port ?? config.port).stop);
    greet(runtime, api?.port ?? null, {
      demo,
      selfSigned: options.selfSigned === true,
      showsSecrets: config.onLoopback || process.stdout.isTTY,
    });
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/**
 * Seals that cannot be opened are reported at start, not when a webhook or a person first needs them. Everything else works.
 */
async function logLostSeals(runtime: Runtime, logger: Logger): Promise<void> {
  const seals = await reportAllSeals(runtime);
  for (const line of describeLost(seals)) say(line);
  for (const { kind, keyId, count, state } of seals)
    if (state === 'lost') logger.error({ kind, keyId, count }, 'encryption key missing for sealed secrets');
}

/** A clock difference does not stop a running process: time-dependent work pauses until the clocks agree again. */
function logTime({ time }: Database, logger: Logger): void {
  time.onChange(({ isReliable, differenceMs, description }) => {
    const facts = { differenceMs, description };
    if (isReliable) logger.info(facts, 'clocks agree again, timed work resumed');
    else logger.error(facts, 'clock difference detected, timed work paused');
  });
}

/** Without its replica the service continues, with more load on the primary. */
function logReplica({ replica }: Database, logger: Logger): void {
  replica?.onChange(({ status, lagMs, error }) => {
    if (status === 'in use') logger.info({ lagMs }, 'replica in use');
    else if (status === 'lagging') logger.warn({ lagMs }, 'replica lagging, reading from primary');
    else logger.error({ err: error }, 'replica unavailable, reading from primary');
  });
}

function openWorker({ config, database, box }: Runtime, logger: Logger, port: number): Worker {
  const from = config.mailFrom;
  const mailer =
    config.smtpUrl === null
      ? outboxMailer({ directory: join(config.dataDir, 'outbox'), from })
      : smtpMailer({ url: config.smtpUrl, from });
  const { webhooks, adminEmail, readingRetentionDays, mqttUrl, onLoopback } = config;
  const consoleUrl = addressOf(config, port);
  return buildWorker({
    database,
    box,
    logger,
    mailer,
    webhooks,
    readingRetentionDays,
    mqttUrl,
    adminEmail,
    consoleUrl,
    onLoopback,
  });
}

interface FrontDoor {
  port: number;
  close(): Promise<void>;
}

async function openFrontDoor(runtime: Runtime, logger: Logger, handsOverLinks: boolean): Promise<FrontDoor> {
  const { config } = runtime;
  const counter = memoryLimiter({
    windowMs: RATE_WINDOW_MS,
    now: () => performance.now(),
    keysMax: LIMITER_KEYS_MAX,
  });
  if (config.apiProcesses > 1) {
    return openChildren(config, logger, (child) => serveLimiter(child, counter));
  }
  return serve(runtime, logger, await limiterFor(config, counter, logger), handsOverLinks);
}

/** One of several API processes; their parent runs the background work and counts requests. */
async function serveAsChild(config: Config, logger: Logger, handsOverLinks: boolean): Promise<void> {
  // Not checked against the database clock: a child restarted while clocks differ serves requests like the others.
  const runtime = await openRuntime(config, { useReplica: true });
  logTime(runtime.database, logger);
  logReplica(runtime.database, logger);
  const fallback = memoryLimiter({
    windowMs: RATE_WINDOW_MS,
    now: () => performance.now(),
    keysMax: LIMITER_KEYS_MAX,
  });
  const shared = parentLimiter({
    fallback,
    onFallback: (error) =>
      logger.warn({ err: error }, 'parent process not responding, requests counted per process'),
    onRecovered: () => logger.info('parent process responding, requests counted jointly again'),
  });
  const door = await serve(runtime, logger, await limiterFor(config, shared, logger), handsOverLinks);
  process.send?.({ type: 'lotward.listening', port: door.port });
  stopOnSignal(config, logger, async () => {
    await door.close();
    await runtime.close();
  });
}

async function limiterFor(config: Config, own: Limiter, logger: Logger): Promise<Limiter> {
  if (config.redisUrl === null) return own;
  return openRedisLimiter({
    url: config.redisUrl,
    windowMs: RATE_WINDOW_MS,
    prefix: 'lotward:rate:',
    fallback: own,
    onFallback: (error) => logger.warn({ err: error }, 'Redis unavailable, rate limits counted per host'),
    onRecovered: () => logger.info('Redis available, rate limits shared again'),
  });
}

async function serve(
  runtime: Runtime,
  logger: Logger,
  limiter: Limiter,
  handsOverLinks: boolean,
): Promise<FrontDoor> {
  const { config, database, box } = runtime;
  const stopping = new AbortController();
  const app = await buildApi({
    ...config,
    database,
    box,
    limiter,
    logger,
    handsOverLinks,
    stopping: stopping.signal,
  });
  return {
    port: await listen(app, config.host, config.port),
    async close() {
      stopping.abort();
      await setTimeout(config.stopDelaySeconds * 1_000);
      await app.close();
    },
  };
}

/** Credentials never leave this host in clear text. */
function requireSafeAddress(config: Config): void {
  if (config.onLoopback || config.tls || config.trustedProxies.length > 0) return;
  throw new StartRefused(
    `HOST ${config.host} is not loopback: give TLS_CERT_FILE and TLS_KEY_FILE, set TRUST_PROXY to the proxy that terminates TLS, or use --self-signed for development.`,
  );
}

const DRAIN_MS = 20_000;

/** Drains requests in flight; a second signal or the time limit ends the process at once. */
function stopOnSignal({ stopDelaySeconds }: Config, logger: Logger, close: () => Promise<void>): void {
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'shutdown started');
    const late = globalThis.setTimeout(
      () => {
        logger.error('shutdown timed out');
        process.exit(1);
      },
      stopDelaySeconds * 1_000 + DRAIN_MS,
    );
    late.unref();
    close()
      .finally(() => clearTimeout(late))
      .then(
        () => logger.flush(() => process.exit(0)),
        (error) => {
          logger.error({ err: error }, 'shutdown failed');
          logger.flush(() => process.exit(1));
        },
      );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
}
