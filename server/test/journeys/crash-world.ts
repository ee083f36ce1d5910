import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock/index.js';
import { type Database, openDatabase } from '../../src/platform/database/index.js';
import { freePort } from '../../src/platform/embedded-postgres/index.js';
import { secretBox } from '../../src/platform/secrets/index.js';
import {
  type Answer,
  type CompletenessData,
  callApi,
  newOrganization,
  type TestOrganization,
  type WebhookData,
} from '../harness/index.js';
import { PushProcesses } from './push-processes.js';
import { PushReceiver } from './push-receiver.js';
import { Installation, isAlive, type RunningCommand } from './service-process.js';

export interface Hook {
  orgId: string;
  key: string;
  webhookId: string;
  path: string;
  eventTypes: string[];
  customerCode: string | null;
}

interface NamedWorker {
  running: RunningCommand;
  /** Its id in the database. */
  name: string;
}

export const FAULTS = ['worker', 'database', 'api', 'everything'] as const;
export type Fault = (typeof FAULTS)[number];

const CHANGED = 'order.status_changed';
const LEFT = 'inventory.outbound_completed';
export const CUSTOMER = 'HOSP-1';
const BATCHES = ['B1', 'B2', 'B3', 'B4'];

/** API, two workers and their own database as separate processes, with organizations and their webhook receivers. */
export class CrashWorld {
  readonly home = new Installation();
  readonly receiver = new PushReceiver();
  readonly orgs: TestOrganization[] = [];
  readonly hooks: Hook[] = [];
  readonly workers: NamedWorker[] = [];
  readonly kills: Record<Exclude<Fault, 'everything'>, number> = { worker: 0, database: 0, api: 0 };
  /** Pushes not answered yet when their worker was killed. */
  inFlightAtKills = 0;
  // Short, so that a push that failed on a busy computer is soon repeated.
  readonly #processes = new PushProcesses({
    LOTWARD_DATA_DIR: this.home.dataDir,
    WEBHOOK_RETRY_DELAYS_S: '1,1,2,2,5,5,5,5',
  });
  readonly #restarting = new Map<'worker' | 'api', Promise<void>>();
  #port = 0;
  #api: RunningCommand | undefined;
  #database: Database | undefined;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get database(): Database {
    if (!this.#database) throw new Error('not open');
    return this.#database;
  }

  async open(organizations: number): Promise<void> {
    await this.home.prepare();
    this.#port = await freePort();
    this.#api = await this.#processes.start('api', this.#port);
    this.#database = await openDatabase({
      url: this.home.ownerUrl,
      migrationsDirectory: fileURLToPath(new URL('../../migrations', import.meta.url)),
      box: secretBox([readFileSync(join(this.home.dataDir, 'secret.key'), 'utf8')]),
      clock: systemClock,
    });
    await this.receiver.listen();
    for (let i = 0; i < organizations; i++) await this.#addOrganization(i);
    // One after the other, so that each is matched to its id.
    await this.#startWorker();
    await this.#startWorker();
  }

  async #addOrganization(number: number): Promise<void> {
    const org = await newOrganization(this);
    this.orgs.push(org);
    const put = (path: string, body: object) => this.must('PUT', path, body, org.key);
    await put('/v2/warehouses/WH-1', { name: 'Main' });
    await put(`/v2/partners/${CUSTOMER}`, { name: 'City hospital', roles: ['customer'] });
    await put('/v2/products/CRASH-1', { productName: 'Sturdy' });
    for (const [i, batchNo] of BATCHES.entries()) {
      const opening = { warehouse: 'WH-1', quantityDelta: 250_000, reason: 'opening' };
      const batch = { productCode: 'CRASH-1', batchNo, expiryDate: `203${i}-01-01` };
      await this.must('POST', '/v2/stock/adjustments', { ...opening, ...batch }, org.key);
    }
    await this.#addHook(org, [CHANGED, LEFT], null);
    await this.#addHook(org, [CHANGED], null);
    if (number === 0) await this.#addHook(org, [CHANGED], CUSTOMER);
    if (number === 1) await this.#addHook(org, [LEFT], null);
  }

  async #addHook(org: TestOrganization, eventTypes: string[], customerCode: string | null): Promise<void> {
    const key = customerCode === null ? org.key : (await org.newKey({ customerCode })).apiKey;
    const path = `/hook/${this.hooks.length}`;
    const body = { callbackUrl: this.receiver.url(path), eventTypes };
    const { webhookId } = await this.must<WebhookData>('POST', '/v2/webhooks', body, key);
    const { orgId } = org.organization;
    this.hooks.push({ orgId, key, webhookId, path, eventTypes, customerCode });
  }

  async must<D>(method: string, path: string, body: object | undefined, key: string): Promise<D> {
    const answer: Answer<D> = await callApi(this.url, method, path, body, key);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  }

  completeness({ webhookId, key }: Hook): Promise<CompletenessData> {
    const span = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
    return this.must('GET', `/v2/webhooks/${webhookId}/completeness?${span}`, undefined, key);
  }

  async rows<R>(text: string, values: unknown[] = []): Promise<R[]> {
    // The database may be coming back.
    const owner = await vi.waitFor(() => this.home.owner(), { timeout: 60_000, interval: 50 });
    try {
      return (await owner.query(text, values)).rows as R[];
    } finally {
      await owner.end();
    }
  }

  async #startWorker(): Promise<void> {
    const names = async () => {
      const rows = await this.rows<{ name: string }>('select worker_id as name from workers');
      return rows.map(({ name }) => name);
    };
    const before = await names();
    const running = await this.#processes.start('worker');
    const name = await vi.waitFor(
      async () => {
        const fresh = (await names()).find((each) => !before.includes(each));
        if (fresh === undefined) throw new Error('no heartbeat of the worker yet');
        return fresh;
      },
      { timeout: 60_000, interval: 20 },
    );
    this.workers.push({ running, name });
  }

  /** Kills and verifies the kill; the victim is restarted, and is running before it can be hit again. */
  async strike(fault: Fault): Promise<void> {
    if (fault === 'worker') {
      await this.#restarting.get('worker');
      await this.#killBusiestWorker();
    } else if (fault === 'api') {
      await this.#restarting.get('api');
      await this.#killApi();
    } else {
      await this.restarted();
      const others = () => [this.#killApi(), this.#killWorkers(this.workers.splice(0))];
      await Promise.all([this.#killDatabase(), ...(fault === 'everything' ? others() : [])]);
    }
  }

  /** Resolves when everything that was killed runs again. */
  async restarted(): Promise<void> {
    await Promise.all(this.#restarting.values());
  }

  #restart(part: 'worker' | 'api', start: () => Promise<void>): void {
    const restarted = start();
    // A failure reaches the caller that awaits it.
    restarted.catch(() => {});
    this.#restarting.set(part, restarted);
  }

  /** The endpoints each worker holds for at least two more seconds. */
  async holdings(): Promise<Map<string, Hook[]>> {
    const rows = await this.rows<{ webhookId: string; holder: string }>(
      `select webhook_id as "webhookId", lease_owner as holder from webhook_states
       where leased_until > clock_timestamp() + interval '2 seconds'`,
    );
    return new Map(
      this.workers.map(({ name }) => {
        const held = rows.filter((row) => row.holder === name).map((row) => row.webhookId);
        return [name, this.hooks.filter((hook) => held.includes(hook.webhookId))];
      }),
    );
  }

  /** Kills the worker with most endpoints while pushes of it are in flight. */
  async #killBusiestWorker(): Promise<void> {
    const victim = await vi.waitFor(
      async () => {
        const holdings = await this.holdings();
        const held = (worker: NamedWorker) => holdings.get(worker.name) ?? [];
        const [busiest] = this.workers.toSorted((a, b) => held(b).length - held(a).length);
        if (!busiest) throw new Error('no worker runs');
        await vi.waitFor(
          () => {
            const open = held(busiest).reduce((sum, { path }) => sum + this.receiver.at(path).open, 0);
            expect(open).toBeGreaterThan(0);
            // In the same turn of the event loop: none can have been answered in between.
            hit(busiest.running);
            this.inFlightAtKills += open;
          },
          { timeout: 1_000, interval: 2 },
        );
        return busiest;
      },
      { timeout: 60_000, interval: 50 },
    );
    this.workers.splice(this.workers.indexOf(victim), 1);
    await this.#replaceWorkers([victim]);
  }

  async #killWorkers(victims: readonly NamedWorker[]): Promise<void> {
    for (const { running } of victims) hit(running);
    await this.#replaceWorkers(victims);
  }

  async #replaceWorkers(victims: readonly NamedWorker[]): Promise<void> {
    await Promise.all(victims.map(({ running }) => killed(running)));
    this.kills.worker += victims.length;
    this.#restart('worker', async () => {
      for (const _ of victims) await this.#startWorker();
    });
  }

  async #killApi(): Promise<void> {
    if (!this.#api) throw new Error('no API runs');
    hit(this.#api);
    await killed(this.#api);
    this.kills.api++;
    this.#restart('api', async () => {
      this.#api = await this.#processes.start('api', this.#port);
    });
  }

  async #killDatabase(): Promise<void> {
    const postmaster = this.home.postmasterPid;
    if (postmaster === null || !isAlive(postmaster)) throw new Error('no database runs');
    process.kill(postmaster, 'SIGKILL');
    await vi.waitFor(() => expect(isAlive(postmaster)).toBe(false), { timeout: 60_000, interval: 20 });
    // A connection, not the process: until the last backend of the killed server has ended, each new server writes
    // its pid file, finds the old shared memory still in use and ends again.
    await this.rows('select 1');
    expect(this.home.postmasterPid).not.toBe(postmaster);
    this.kills.database++;
  }

  async close(): Promise<void> {
    // The processes first: they would restart a database that ends.
    await this.#processes.end();
    await this.#database?.close();
    await this.receiver.close();
    await this.home.remove();
  }
}

export function hit(victim: RunningCommand): void {
  if (victim.child.exitCode !== null || victim.child.signalCode !== null || !victim.child.kill('SIGKILL'))
    throw new Error('process had already ended');
}

/** Resolves when the signal has ended the process. */
export async function killed(victim: RunningCommand): Promise<void> {
  expect(await victim.exit).toEqual({ code: null, signal: 'SIGKILL' });
}
