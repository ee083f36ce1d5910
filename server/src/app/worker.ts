import type { FastifyBaseLogger } from 'fastify';
import { readGrownHeads, sealAllAudits } from '../audit/index.js';
import { type Config, READING_RETENTION_DAYS_DEFAULT, WEBHOOK_DEFAULTS } from '../config/index.js';
import { removeOldUsage, requestLogTrimmer } from '../credentials/index.js';
import { keepReadings, openReadingIntake } from '../environment/index.js';
import { removeOldEventsEverywhere } from '../events/index.js';
import { removeOldImports, runImports } from '../imports/index.js';
import { fillEverywhere, indexEverywhere } from '../indexing/index.js';
import { type Mailing, openMailing, removeOldMails } from '../mailing/index.js';
import { endSupersededGrants, keepSigningKeys, removeExpiredGrants } from '../oauth/index.js';
import { recordRefusedSignIns, removeExpiredSignIns } from '../people/index.js';
import { analyzeGrownTables, type Database } from '../platform/database/index.js';
import { purgeIdempotencyKeys } from '../platform/http/index.js';
import type { Mailer } from '../platform/mail/index.js';
import type { SecretBox } from '../platform/secrets/index.js';
import { endUnusedSandboxes } from '../sandboxes/index.js';
import { searchSources } from '../search/index.js';
import { numberChangesEverywhere } from '../stock/index.js';
import { performDueDailyRuns } from '../watch/index.js';
import {
  type DeliveryLimits,
  openDelivery,
  openStockPushes,
  removeOldPushes,
  settleEndedOwners,
} from '../webhooks/index.js';
import { connectSlices } from './connect-slices.js';
import { outboundFor } from './webhooks.js';

export interface Worker {
  /** Resolves when the work in progress has finished. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  database: Database;
  box: SecretBox;
  logger: FastifyBaseLogger;
  mailer: Mailer;
  /** Address of the console, for links in mails. */
  consoleUrl: string;
  adminEmail: string | null;
  webhooks?: Partial<Config['webhooks']>;
  readingRetentionDays?: number;
  /** MQTT broker that publishes readings. */
  mqttUrl?: string | null;
  onLoopback?: boolean;
  deliveryLimits?: Partial<DeliveryLimits>;
}

interface Task {
  name: string;
  everyMs: number;
  run(): Promise<unknown>;
}

/** The background side of the service. Any number may run: each task takes its own locks or leases. */
export function buildWorker(options: WorkerOptions): Worker {
  connectSlices();
  const { database, box, logger, mailer } = options;
  const stopping = new AbortController();
  const policy = { ...WEBHOOK_DEFAULTS, ...options.webhooks };
  const retentionDays = options.readingRetentionDays ?? READING_RETENTION_DAYS_DEFAULT;
  const outbound = outboundFor(database, policy, options.onLoopback ?? false);
  const pushing = {
    ...{ database, box, policy, consoleUrl: options.consoleUrl, adminEmail: options.adminEmail },
    senderFor: async (orgId: string) => (await outbound.forOrganization(orgId)).sender,
    onError: (error: unknown, task: string) => logger.error({ err: error, task }, 'webhook delivery error'),
  };
  const limits = options.deliveryLimits ? { limits: options.deliveryLimits } : {};
  const delivery = openDelivery({ ...pushing, ...limits });
  const stockPushes = openStockPushes(pushing);
  const mailing = openMail(options);
  const sweep = { signal: stopping.signal };
  const trimRequestLog = requestLogTrimmer(database);
  const tasks: Task[] = [
    { name: 'seal audit', everyMs: 1_000, run: () => sealAllAudits(database) },
    { name: 'analyze grown tables', everyMs: 2_000, run: () => analyzeGrownTables(database) },
    { name: 'log audit heads', everyMs: 60_000, run: () => logHeads(database, logger) },
    { name: 'number stock changes', everyMs: 60_000, run: () => numberChangesEverywhere(database) },
    { name: 'index records', everyMs: 1_000, run: () => indexEverywhere(database, searchSources, sweep) },
    {
      name: 'index older records',
      everyMs: 10_000,
      run: () => fillEverywhere(database, searchSources, sweep),
    },
    { name: 'push stock changes', everyMs: 500, run: () => stockPushes.look() },
    { name: 'daily run', everyMs: 15_000, run: () => runDays(options) },
    { name: 'run imports', everyMs: 1_000, run: () => importFiles(options, stopping.signal) },
    { name: 'send mail', everyMs: 1_000, run: mailing.look },
    { name: 'end webhooks', everyMs: 5_000, run: () => settleEndedOwners(database, options) },
    { name: 'end superseded grants', everyMs: 60_000, run: () => endSupersededGrants(database, sweep) },
    { name: 'remove old mail', everyMs: 3_600_000, run: () => removeOldMails(database, sweep) },
    { name: 'remove old pushes', everyMs: 3_600_000, run: () => removeOldPushes(database, sweep) },
    { name: 'remove old events', everyMs: 3_600_000, run: () => removeOldEventsEverywhere(database, sweep) },
    { name: 'remove old imports', everyMs: 3_600_000, run: () => removeOldImports(database, sweep) },
    { name: 'end unused sandboxes', everyMs: 3_600_000, run: () => endSandboxes(options, stopping.signal) },
    { name: 'remove old usage', everyMs: 3_600_000, run: () => removeOldUsage(database, sweep) },
    { name: 'trim request log', everyMs: 60_000, run: () => trimRequestLog(sweep) },
    { name: 'keep readings', everyMs: 3_600_000, run: () => keepReadings(database, { retentionDays }) },
    { name: 'keep signing keys', everyMs: 3_600_000, run: () => keepSigningKeys(options) },
    { name: 'remove expired grants', everyMs: 600_000, run: () => removeExpiredGrants(database, sweep) },
    { name: 'remove ended sign-ins', everyMs: 600_000, run: () => removeExpiredSignIns(database, sweep) },
    { name: 'record refused sign-ins', everyMs: 60_000, run: () => recordRefusals(options, stopping.signal) },
    { name: 'purge idempotency keys', everyMs: 600_000, run: () => purgeIdempotencyKeys(database, sweep) },
  ];
  const intake = options.mqttUrl ? takeReadings(options, options.mqttUrl, retentionDays) : null;
  const running = tasks.map((task) => repeat(task, database, logger));
  return {
    async stop() {
      stopping.abort();
      const tasksStopped = running.map((task) => task.stop());
      await Promise.all([
        delivery.stop(),
        stockPushes.stop(),
        intake?.stop(),
        mailing.stop(),
        ...tasksStopped,
      ]);
      await Promise.all([outbound.close(), mailer.close()]);
    },
  };
}

function openMail({ database, box, mailer, logger }: WorkerOptions): Mailing {
  return openMailing({
    database,
    box,
    mailer,
    onSent: (mail) => logger.info(mail, 'mail sent'),
    onFailure: (failure) =>
      failure.nextAttemptAt
        ? logger.warn(failure, 'mail failed, will be retried')
        : logger.error(failure, 'mail permanently failed'),
    onError: (error) => logger.error({ err: error, task: 'send mail' }, 'background task failed'),
  });
}

const importFiles = ({ database, logger }: WorkerOptions, signal: AbortSignal): Promise<void> =>
  runImports(database, {
    signal,
    onError: (error, organization) => logger.error({ err: error, organization }, 'import step failed'),
  });

async function recordRefusals({ database, logger }: WorkerOptions, signal: AbortSignal): Promise<void> {
  for (const window of await recordRefusedSignIns(database, { signal }))
    logger.warn(window, 'sign-ins refused for unknown accounts');
}

async function endSandboxes({ database, logger }: WorkerOptions, signal: AbortSignal): Promise<void> {
  for (const organization of await endUnusedSandboxes(database, { signal }))
    logger.info({ organization }, 'unused sandbox ended');
}

/** Runs soon after local midnight, and at start for the days on which no worker ran. */
async function runDays({ database, consoleUrl, logger }: WorkerOptions): Promise<void> {
  const reports = await performDueDailyRuns(database, {
    consoleUrl,
    onError: (error, organization) => logger.error({ err: error, organization }, 'daily run failed'),
  });
  for (const { organization, day, emitted } of reports) {
    const counts = Object.fromEntries(
      Object.entries(emitted).map(([type, notified]) => [type, notified.length]),
    );
    if (Object.keys(counts).length > 0) logger.info({ organization, day, ...counts }, 'daily run finished');
  }
}

function takeReadings({ database, logger }: WorkerOptions, url: string, retentionDays: number) {
  return openReadingIntake({
    database,
    url,
    retentionDays,
    onState: (connected, error) =>
      connected
        ? logger.info('MQTT broker connected')
        : logger.warn({ err: error }, 'MQTT broker disconnected, reconnecting'),
    onRefused: (topic, refused) => logger.warn({ topic, refused }, 'MQTT readings rejected'),
    onError: (error, task) => logger.error({ err: error, task }, 'MQTT intake error'),
  });
}

const HEADS_OVERLAP_MS = 90_000;

/** Logs are stored outside the database, so a truncated chain does not match the head logged here. */
async function logHeads(database: Database, logger: FastifyBaseLogger): Promise<void> {
  const since = new Date(database.clock.now().getTime() - HEADS_OVERLAP_MS);
  for (const { orgId, position, hash } of await readGrownHeads(database.worker, since)) {
    logger.info({ organization: orgId, position, hash }, 'audit head');
  }
}

const LOOK_AGAIN_MS = 1_000;

/**
 * Runs a task periodically, never concurrently with itself. A failure is logged once, and the next run takes place as usual.
 * No run begins while the clock is unreliable, because neither due work nor the age of rows can then be determined.
 */
function repeat(task: Task, { time }: Database, logger: FastifyBaseLogger) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failing = false;
  const run = async () => {
    const isPaused = !time.state.isReliable;
    try {
      if (!isPaused) await task.run();
      failing = false;
    } catch (error) {
      if (!failing) logger.error({ err: error, task: task.name }, 'background task failed');
      failing = true;
    }
    if (!stopped)
      timer = setTimeout(
        () => {
          current = run();
        },
        isPaused ? Math.min(LOOK_AGAIN_MS, task.everyMs) : task.everyMs,
      );
  };
  let current = run();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
