import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect } from 'vitest';
import { buildWorker, type WorkerOptions } from '../../src/app/worker.js';
import { type Concerns, type FeedType, publishEvents } from '../../src/events/index.js';
import { type Database, transact } from '../../src/platform/database/index.js';
import { outboxMailer } from '../../src/platform/mail/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { sampleOf } from '../../src/webhooks/samples.rules.js';
import { CITUS_URL } from './cluster.js';
import type { TestDatabase } from './database.js';

/** Partners of tests are on this machine; a time-out that is not meant to happen does not, however busy that is. */
export const LOCAL_WEBHOOKS = { allowedNetworks: ['127.0.0.0/8'], timeoutMs: 15_000 };

export interface TestWorker {
  /** Errors that the worker logged. */
  readonly complaints: string[];
  /** The mails in its outbox, as they would open in a mail program. */
  mails(): Promise<string[]>;
  /** Resolves when it has polled several times from now on. */
  looked(): Promise<void>;
  stop(): Promise<void>;
}

const LOOKS = 4;
/** A look at all organizations goes to every shard of a cluster, whose nodes would do nothing else. */
const POLL_MS = CITUS_URL ? 400 : 100;
const WAIT_MS = 60_000;

/** The real worker, polling more often than in operation, and soon again at an endpoint that is down. */
export async function startWorker(
  db: TestDatabase,
  options: Partial<WorkerOptions> & { database?: Database } = {},
): Promise<TestWorker> {
  const directory = await mkdtemp(join(tmpdir(), 'lotward-outbox-'));
  const complaints: string[] = [];
  const { webhooks, deliveryLimits, ...others } = options;
  const worker = buildWorker({
    database: db.database,
    box: db.box,
    logger: pino({ level: 'error' }, { write: (line) => complaints.push(line) }),
    mailer: outboxMailer({ directory, from: { name: 'Lotward', address: 'no-reply@lotward.example' } }),
    consoleUrl: 'https://lotward.example',
    adminEmail: 'operator@lotward.example',
    webhooks: { ...LOCAL_WEBHOOKS, ...webhooks },
    deliveryLimits: { pollMs: POLL_MS, pauseMs: 5, ...deliveryLimits },
    ...others,
  });
  // Every poll is a heartbeat that extends the presence of the worker.
  const lastLook = async () => {
    const [row] = await db.sql<{ at: Date | null }>('select max(seen_until) as at from workers');
    return row?.at?.getTime() ?? 0;
  };
  let stopping: Promise<void> | undefined;
  return {
    complaints,
    async mails() {
      const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.eml'));
      return Promise.all(names.sort().map((name) => readFile(join(directory, name), 'utf8')));
    },
    async looked() {
      for (let i = 0; i < LOOKS; i++) {
        const before = await lastLook();
        await expect.poll(lastLook, { timeout: WAIT_MS, interval: 20 }).toBeGreaterThan(before);
      }
    },
    stop() {
      stopping ??= worker.stop().then(() => rm(directory, { recursive: true, force: true }));
      return stopping;
    },
  };
}

export interface Happening {
  type?: FeedType;
  /** The entity of the event; pushes of one entity keep their order. */
  entity?: string;
  customerCode?: string | null;
  /** The customer that gets a view of the event. */
  viewedBy?: string;
  /** The codes it concerns, instead of those of the sample. */
  concerns?: Concerns;
  at?: Date;
}

/** Publishes events in one transaction, as the change they belong to would. */
export async function happen(
  { database }: Pick<TestDatabase, 'database'>,
  orgId: string,
  ...happenings: Happening[]
): Promise<void> {
  await transact(database, systemPrincipal(orgId, 'someone@test.example'), (tx) =>
    publishEvents(
      tx,
      happenings.map(
        ({
          type = 'order.status_changed',
          entity = 'ord_1',
          customerCode = null,
          viewedBy,
          concerns = {},
          at = tx.now,
        }) => ({
          type,
          at,
          entity: {
            type: type === 'order.status_changed' ? 'order' : 'product',
            id: entity,
            version: ++versions,
          },
          customerCode,
          concerns,
          data: sampleOf(type, at),
          views: viewedBy === undefined ? [] : [{ customerCode: viewedBy, data: sampleOf(type, at) }],
        }),
      ),
    ),
  );
}
let versions = 0;
