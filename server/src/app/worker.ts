import type { FastifyBaseLogger } from 'fastify';
import { readGrownHeads, sealAllAudits } from '../audit/index.js';
import { removeOldEventsEverywhere, sequenceAllEvents } from '../events/index.js';
import type { Database } from '../platform/database/index.js';
import { purgeIdempotencyKeys } from '../platform/http/index.js';

export interface Worker {
  /** Lets what is under way finish. */
  stop(): Promise<void>;
}

interface Task {
  name: string;
  everyMs: number;
  run(): Promise<unknown>;
}

/** The background side of the service. Any number of these may run: each task takes care of that itself. */
export function buildWorker(database: Database, logger: FastifyBaseLogger): Worker {
  const tasks: Task[] = [
    { name: 'seal audit', everyMs: 1_000, run: () => sealAllAudits(database) },
    { name: 'log audit heads', everyMs: 60_000, run: () => logHeads(database, logger) },
    { name: 'number events', everyMs: 500, run: () => sequenceAllEvents(database) },
    { name: 'remove old events', everyMs: 3_600_000, run: () => removeOldEventsEverywhere(database) },
    { name: 'purge idempotency keys', everyMs: 600_000, run: () => purgeIdempotencyKeys(database) },
  ];
  const running = tasks.map((task) => repeat(task, logger));
  return {
    async stop() {
      await Promise.all(running.map((task) => task.stop()));
    },
  };
}

const HEADS_OVERLAP_MS = 90_000;

/** Logs are kept elsewhere than the database: a chain cut short there does not fit the head noted here. */
async function logHeads(database: Database, logger: FastifyBaseLogger): Promise<void> {
  const since = new Date(database.clock.now().getTime() - HEADS_OVERLAP_MS);
  for (const { orgId, position, hash } of await readGrownHeads(database.worker, since)) {
    logger.info({ org: orgId, position, hash }, 'audit head');
  }
}

/** Runs a task again and again, never beside itself. A failure is logged and the next turn comes as usual. */
function repeat(task: Task, logger: FastifyBaseLogger) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failing = false;
  const turn = async () => {
    try {
      await task.run();
      failing = false;
    } catch (error) {
      if (!failing) logger.error({ err: error, task: task.name }, 'background task failed');
      failing = true;
    }
    if (!stopped)
      timer = setTimeout(() => {
        current = turn();
      }, task.everyMs);
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
