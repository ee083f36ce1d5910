import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { expect, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock/index.js';
import { type Database, openDatabase } from '../../src/platform/database/index.js';
import { freePort } from '../../src/platform/embedded-postgres/index.js';
import { secretBox } from '../../src/platform/secrets/index.js';
import { openBroker, type TestBroker } from '../harness/broker.js';
import {
  type Answer,
  type CompletenessData,
  callApi,
  newOrganization,
  type TestOrganization,
  type WebhookData,
} from '../harness/index.js';
import { afterMs } from './pace.js';
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

/** A process with API and background work. */
interface NamedWorker {
  running: RunningCommand;
  /** Its id in the database. */
  name: string;
}

/** `service` and `other` die while the other one goes on; `processes` are both, and `everything` is the database too. */
export const FAULTS = ['service', 'database', 'other', 'processes', 'everything'] as const;
export type Fault = (typeof FAULTS)[number];

const CHANGED = 'order.status_changed';
const LEFT = 'inventory.outbound_completed';
export const CUSTOMER = 'HOSP-1';
export const BATCHES = ['B1', 'B2', 'B3', 'B4'];
export const OPENING = 250_000;
const POLLED = { timeout: 120_000, interval: 40 };
const POLLED_OFTEN = { timeout: 120_000, interval: 2 };
const DATABASE_OUTAGE = 9999;

/**
 * `lotward start` twice on one folder, as the service that is called and the other beside it, and their own database;
 * with everything around them: webhook receivers, an MQTT broker, and callers.
 */
export class CrashWorld {
  readonly home = new Installation();
  readonly receiver = new PushReceiver();
  /** Each with a small catalogue, stock to sell, and webhooks. */
  readonly orgs: TestOrganization[] = [];
  readonly hooks: Hook[] = [];
  readonly kills: Fault[] = [];
  /** Pushes not answered yet when their worker was killed. */
  inFlightAtKills = 0;
  /** Responses that a caller got because the database was away. */
  outages = 0;
  /** Before each request of a load; while it hurries, until the next kill there is none. */
  paceMs = 0;
  isHurrying = false;
  #service: NamedWorker | undefined;
  #other: NamedWorker | undefined;
  #port = 0;
  #broker: TestBroker | undefined;
  #database: Database | undefined;
  #recovering: Promise<void> | undefined;
  #owner: Promise<pg.Client> | undefined;
  #lastRows: Promise<unknown> = Promise.resolve();

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  get database(): Database {
    if (!this.#database) throw new Error('not open');
    return this.#database;
  }

  get broker(): TestBroker {
    if (!this.#broker) throw new Error('not open');
    return this.#broker;
  }

  get service(): RunningCommand {
    if (!this.#service) throw new Error('the service does not run');
    return this.#service.running;
  }

  get workers(): NamedWorker[] {
    return [this.#service, this.#other].filter((each) => each !== undefined);
  }

  async open(organizations: number): Promise<void> {
    await this.home.prepare();
    this.#broker = await openBroker();
    this.#port = await freePort();
    await this.receiver.listen();
    const running = this.#start(this.#port);
    await running.ready;
    this.#database = await openDatabase({
      url: this.home.ownerUrl,
      migrationsDirectory: fileURLToPath(new URL('../../migrations', import.meta.url)),
      box: secretBox([readFileSync(join(this.home.dataDir, 'secret.key'), 'utf8')]),
      clock: systemClock,
    });
    this.#service = { running, name: await this.#nameOfNewWorker([]) };
    for (let i = 0; i < organizations; i++) await this.#addOrganization(i);
  }

  #start(port: number): RunningCommand {
    return this.home.start('start', port, {
      LOG_LEVEL: 'fatal',
      MQTT_URL: this.broker.url,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      // Short, so that a push that failed on a busy computer is soon repeated.
      WEBHOOK_RETRY_DELAYS_S: '1,1,2,2,5,5,5,5',
    });
  }

  async #addOrganization(number: number): Promise<void> {
    const org = await newOrganization(this);
    this.orgs.push(org);
    const put = (path: string, body: object) => this.must('PUT', path, body, org.key);
    await put('/v2/warehouses/WH-1', { name: 'Main' });
    await put(`/v2/partners/${CUSTOMER}`, { name: 'City hospital', roles: ['customer'] });
    await put('/v2/products/CRASH-1', { productName: 'Sturdy' });
    for (const [i, batchNo] of BATCHES.entries()) {
      const opening = { warehouse: 'WH-1', quantityDelta: OPENING, reason: 'opening' };
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

  /** A request of a load. Null: the outcome is unknown, because there was no response or the database was away. */
  async send<D>(path: string, body: object, key: string, headers = {}): Promise<Answer<D> | null> {
    await afterMs(this.isHurrying ? 0 : this.paceMs);
    const answer = await callApi<D>(this.url, 'POST', path, body, key, headers).catch(() => null);
    if (answer?.status !== 500) return answer;
    expect([answer.code, answer.headers.get('retry-after')]).toEqual([DATABASE_OUTAGE, expect.any(String)]);
    this.outages++;
    return null;
  }

  /** Resolves when the service is ready; all that wait ask together. */
  recovered(): Promise<void> {
    this.#recovering ??= vi
      .waitFor(async () => expect((await callApi(this.url, 'GET', '/readyz')).status).toBe(200), POLLED)
      .finally(() => {
        this.#recovering = undefined;
      });
    return this.#recovering;
  }

  /** The same, and whether the request with this key had been done. */
  wasDone(idempotencyKey: string): Promise<boolean> {
    return vi.waitFor(async () => {
      await this.recovered();
      const kept = await this.rows('select 1 from idempotency_keys where key = $1', [idempotencyKey]);
      return kept.length > 0;
    }, POLLED);
  }

  completeness({ webhookId, key }: Hook): Promise<CompletenessData> {
    const span = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
    return this.must('GET', `/v2/webhooks/${webhookId}/completeness?${span}`, undefined, key);
  }

  /** As the owner, one statement after the other, on a connection that is kept until the database goes. */
  rows<R>(text: string, values: unknown[] = []): Promise<R[]> {
    const answer = this.#lastRows.then(async () => {
      this.#owner ??= this.#connect();
      return (await (await this.#owner).query(text, values)).rows as R[];
    });
    this.#lastRows = answer.catch(() => {});
    return answer;
  }

  async #connect(): Promise<pg.Client> {
    // The database may be coming back.
    const owner = await vi.waitFor(() => this.home.owner(), POLLED);
    owner.once('end', () => {
      this.#owner = undefined;
    });
    return owner;
  }

  async #workerNames(): Promise<string[]> {
    const rows = await this.rows<{ name: string }>('select worker_id as name from workers');
    return rows.map(({ name }) => name);
  }

  /** Workers are started one after the other, so that each is matched to its id. */
  #nameOfNewWorker(before: readonly string[]): Promise<string> {
    return vi.waitFor(async () => {
      const fresh = (await this.#workerNames()).find((each) => !before.includes(each));
      if (fresh === undefined) throw new Error('no heartbeat of the worker yet');
      return fresh;
    }, POLLED);
  }

  async #startNamed(port: number, before: readonly string[]): Promise<NamedWorker> {
    const running = this.#start(port);
    await running.ready;
    return { running, name: await this.#nameOfNewWorker(before) };
  }

  async requireOther(): Promise<RunningCommand> {
    this.#other ??= await this.#startNamed(await freePort(), await this.#workerNames());
    return this.#other.running;
  }

  /**
   * Lets the loads hurry for some time, kills, verifies the kill, and starts the service again if it was hit. Nobody restarts
   * the database, which is killed while `isWriting`.
   */
  async strike(fault: Fault, afterHurryingMs: number, isWriting: () => boolean): Promise<void> {
    if (fault === 'service' || fault === 'other') await this.requireOther();
    const known = await this.#workerNames();
    const postmaster = this.home.postmasterPid;
    if (postmaster === null || !isAlive(postmaster)) throw new Error('no database runs');
    const victims = this.#victimsOf(fault);
    const withDatabase = fault === 'database' || fault === 'everything';
    this.isHurrying = true;
    await afterMs(afterHurryingMs);
    if (fault === 'service' || fault === 'other') await this.#hitWhilePushing(victims);
    else for (const { running } of victims) hit(running);
    if (withDatabase) {
      await vi.waitFor(() => {
        expect(isWriting()).toBe(true);
        process.kill(postmaster, 'SIGKILL');
      }, POLLED_OFTEN);
    }
    this.kills.push(fault);
    // While the database is away they go on hurrying, so that some of them notice.
    const back = (withDatabase ? this.#untilBack(postmaster) : Promise.resolve()).finally(() => {
      this.isHurrying = false;
    });
    for (const { running } of victims) await killed(running);
    if (this.#other && victims.includes(this.#other)) this.#other = undefined;
    if (this.#service && victims.includes(this.#service))
      this.#service = await this.#startNamed(this.#port, known);
    await back;
    expect(this.workers.map(({ running }) => running.child.exitCode)).toEqual(this.workers.map(() => null));
    // The database that went on is taken over, one that was killed is replaced.
    expect(this.home.postmasterPid === postmaster).toBe(!withDatabase);
  }

  /** Resolves when the database that was killed answers again. */
  async #untilBack(postmaster: number): Promise<void> {
    await vi.waitFor(() => expect(isAlive(postmaster)).toBe(false), POLLED);
    this.#owner = undefined;
    // A connection, not the process: until the last backend of the killed server has ended, each new server writes
    // its pid file, finds the old shared memory still in use and ends again.
    await this.rows('select 1');
  }

  #victimsOf(fault: Fault): NamedWorker[] {
    if (fault === 'database') return [];
    if (fault === 'service') return this.workers.filter((each) => each === this.#service);
    if (fault === 'other') return this.workers.filter((each) => each === this.#other);
    return this.workers;
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

  /** Kills a worker while pushes of it are in flight. */
  async #hitWhilePushing([victim]: readonly NamedWorker[]): Promise<void> {
    if (!victim) throw new Error('no worker runs');
    await vi.waitFor(
      async () => {
        const held = (await this.holdings()).get(victim.name) ?? [];
        await vi.waitFor(
          () => {
            const open = held.reduce((sum, { path }) => sum + this.receiver.at(path).open, 0);
            expect(open).toBeGreaterThan(0);
            // In the same turn of the event loop: none can have been answered in between.
            hit(victim.running);
            this.inFlightAtKills += open;
          },
          { timeout: 1_000, interval: 2 },
        );
      },
      { timeout: 60_000, interval: 50 },
    );
  }

  async close(): Promise<void> {
    // The processes first: they would restart a database that ends.
    await this.home.endProcesses();
    await (await this.#owner)?.end();
    await this.#database?.close();
    await this.receiver.close();
    await this.#broker?.close();
    await this.home.remove();
  }
}

function hit(victim: RunningCommand): void {
  if (victim.child.exitCode !== null || victim.child.signalCode !== null || !victim.child.kill('SIGKILL'))
    throw new Error('process had already ended');
}

/** Resolves when the signal has ended the process. */
async function killed(victim: RunningCommand): Promise<void> {
  expect(await victim.exit).toEqual({ code: null, signal: 'SIGKILL' });
}
