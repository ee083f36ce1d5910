import type { FastifyBaseLogger } from 'fastify';
import {
  keepSigningKeys,
  removeExpiredGrants,
  removeExpiredSignIns,
  removeOldUsage,
} from '../access/index.js';
import { readGrownHeads, sealAllAudits } from '../audit/index.js';
import { type Config, READING_RETENTION_DAYS_DEFAULT, WEBHOOK_DEFAULTS } from '../config/index.js';
import { keepReadings, openReadingIntake } from '../environment/index.js';
import { removeOldEventsEverywhere } from '../events/index.js';
import { removeOldMails, sendDueMails } from '../mailing/index.js';
import type { Database } from '../platform/database/index.js';
import { purgeIdempotencyKeys } from '../platform/http/index.js';
import type { Mailer } from '../platform/mail/index.js';
import { performDueDailyRuns } from '../watch/index.js';
import { type DeliveryLimits, openDelivery, removeOldPushes } from '../webhooks/index.js';
import { connectSlices } from './connect-slices.js';
import { outboundFor } from './webhooks.js';

export interface Worker {
  /** Lets what is under way finish. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  database: Database;
  logger: FastifyBaseLogger;
  mailer: Mailer;
  /** Where people find what a mail speaks of. */
  consoleUrl: string;
  adminEmail: string | null;
  webhooks?: Partial<Config['webhooks']>;
  readingRetentionDays?: number;
  /** A broker from which readings are taken. */
  mqttUrl?: string | null;
  onLoopback?: boolean;
  deliveryLimits?: Partial<DeliveryLimits>;
}

interface Task {
  name: string;
  everyMs: number;
  run(): Promise<unknown>;
}

/** The background side of the service. Any number of these may run: each task takes care of that itself. */
export function buildWorker(options: WorkerOptions): Worker {
  connectSlices();
  const { database, logger, mailer } = options;
  const stopping = new AbortController();
  const policy = { ...WEBHOOK_DEFAULTS, ...options.webhooks };
  const retentionDays = options.readingRetentionDays ?? READING_RETENTION_DAYS_DEFAULT;
  const outbound = outboundFor(database, policy, options.onLoopback ?? false);
  const delivery = openDelivery({
    database,
    policy,
    consoleUrl: options.consoleUrl,
    adminEmail: options.adminEmail,
    senderFor: async (orgId) => (await outbound.forOrganization(orgId)).sender,
    onError: (error, task) => logger.error({ err: error, task }, 'webhook delivery error'),
    ...(options.deliveryLimits ? { limits: options.deliveryLimits } : {}),
  });
  const tasks: Task[] = [
    { name: 'seal audit', everyMs: 1_000, run: () => sealAllAudits(database) },
    { name: 'log audit heads', everyMs: 60_000, run: () => logHeads(database, logger) },
    { name: 'turn of the day', everyMs: 15_000, run: () => turnDays(options) },
    { name: 'send mail', everyMs: 1_000, run: () => sendMail(options, stopping.signal) },
    { name: 'remove old mail', everyMs: 3_600_000, run: () => removeOldMails(database) },
    { name: 'remove old pushes', everyMs: 3_600_000, run: () => removeOldPushes(database) },
    { name: 'remove old events', everyMs: 3_600_000, run: () => removeOldEventsEverywhere(database) },
    { name: 'remove old usage', everyMs: 3_600_000, run: () => removeOldUsage(database) },
    { name: 'keep readings', everyMs: 3_600_000, run: () => keepReadings(database, { retentionDays }) },
    { name: 'keep signing keys', everyMs: 3_600_000, run: () => keepSigningKeys(database) },
    { name: 'remove expired grants', everyMs: 600_000, run: () => removeExpiredGrants(database) },
    { name: 'remove ended sign-ins', everyMs: 600_000, run: () => removeExpiredSignIns(database) },
    { name: 'purge idempotency keys', everyMs: 600_000, run: () => purgeIdempotencyKeys(database) },
  ];
  const intake = options.mqttUrl ? takeReadings(options, options.mqttUrl, retentionDays) : null;
  const running = tasks.map((task) => repeat(task, database, logger));
  return {
    async stop() {
      stopping.abort();
      await Promise.all([delivery.stop(), intake?.stop(), ...running.map((task) => task.stop())]);
      await Promise.all([outbound.close(), mailer.close()]);
    },
  };
}

async function sendMail({ database, mailer, logger }: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { sent, failures } = await sendDueMails(database, mailer, { signal });
  if (sent > 0) logger.info({ sent }, 'mail sent');
  for (const failure of failures) {
    if (failure.nextAttemptAt) logger.warn(failure, 'mail not sent; it will be tried again');
    else logger.error(failure, 'mail given up');
  }
}

/** Told soon after local midnight, and at the start for the days when nobody was there. */
async function turnDays({ database, consoleUrl, logger }: WorkerOptions): Promise<void> {
  const reports = await performDueDailyRuns(database, {
    consoleUrl,
    onError: (error, organization) => logger.error({ err: error, organization }, 'the day did not turn'),
  });
  for (const { organization, day, emitted } of reports) {
    const counts = Object.fromEntries(Object.entries(emitted).map(([type, told]) => [type, told.length]));
    if (Object.keys(counts).length > 0) logger.info({ organization, day, ...counts }, 'the day has turned');
  }
}

function takeReadings({ database, logger }: WorkerOptions, url: string, retentionDays: number) {
  return openReadingIntake({
    database,
    url,
    retentionDays,
    onState: (connected, error) =>
      connected
        ? logger.info('taking readings from the MQTT broker')
        : logger.warn({ err: error }, 'no connection to the MQTT broker; trying again'),
    onRefused: (topic, refused) => logger.warn({ topic, refused }, 'readings by MQTT passed over'),
    onError: (error, doing) => logger.error({ err: error, doing }, 'readings by MQTT stumbled'),
  });
}

const HEADS_OVERLAP_MS = 90_000;

/** Logs are kept elsewhere than the database: a chain cut short there does not fit the head noted here. */
async function logHeads(database: Database, logger: FastifyBaseLogger): Promise<void> {
  const since = new Date(database.clock.now().getTime() - HEADS_OVERLAP_MS);
  for (const { orgId, position, hash } of await readGrownHeads(database.worker, since)) {
    logger.info({ org: orgId, position, hash }, 'audit head');
  }
}

const LOOK_AGAIN_MS = 1_000;

/**
 * Runs a task again and again, never beside itself. A failure is logged and the next turn comes as usual. While the time
 * is not reliable no turn begins: what is due, or old enough to be removed, cannot be known.
 */
function repeat(task: Task, { time }: Database, logger: FastifyBaseLogger) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failing = false;
  const turn = async () => {
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
          current = turn();
        },
        isPaused ? Math.min(LOOK_AGAIN_MS, task.everyMs) : task.everyMs,
      );
  };
  let current = turn();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
