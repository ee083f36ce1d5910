import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock/index.js';
import { type Database, openDatabase } from '../../src/platform/database/index.js';
import { freePort } from '../../src/platform/embedded-postgres/index.js';
import { createDatabase, dropDatabase, urlOf } from '../harness/cluster.js';
import { migrationsDirectory, TEST_SECRET_KEY, testBox } from '../harness/database.js';
import { type Answer, callApi, newOrganization, type TestOrganization } from '../harness/index.js';
import { BATCHES, CUSTOMER, OPENING } from '../journeys/crash-world.js';
import type { Wire } from '../journeys/order-load.js';
import { afterMs } from '../journeys/pace.js';
import { Installation, type RunningCommand } from '../journeys/service-process.js';

const POLLED = { timeout: 240_000, interval: 100 };
const PACE_MS = 50;
const AGAIN_MS = 200;

/** An organization, and the node that holds it. */
export interface PlacedOrganization extends TestOrganization {
  nodePort: number;
}

/** An API process and a worker process on a database of a cluster, and callers who repeat what they got no answer to. */
export class ClusterWorld implements Wire {
  readonly name = `test_${randomBytes(6).toString('hex')}`;
  readonly url = urlOf(inject('postgresUrl'), this.name);
  readonly orgs: PlacedOrganization[] = [];
  /** The time from the first attempt at a request to its success. */
  longestWaitMs = 0;
  /** Requests that had to be repeated, by what the caller saw. */
  readonly repeated = new Map<string, number>();
  readonly #home = new Installation();
  readonly #begun = new Map<string, number>();
  #database: Database | undefined;
  #owner: pg.Pool | undefined;
  #port = 0;
  #processes = new Map<'api' | 'worker', RunningCommand>();

  async open(): Promise<void> {
    await createDatabase(inject('postgresUrl'), this.name);
    this.#database = await openDatabase({
      url: this.url,
      migrationsDirectory,
      box: testBox,
      clock: systemClock,
    });
    this.#owner = new pg.Pool({
      connectionString: this.url,
      max: 2,
      options: '-c search_path=lotward,public',
    });
    this.#owner.on('error', () => {});
    this.#port = await freePort();
    await this.start('api');
    await this.start('worker');
  }

  get database(): Database {
    if (!this.#database) throw new Error('not open');
    return this.#database;
  }

  /** Adds organizations until there is one on each of so many nodes. */
  async addOrganizations(nodes: number): Promise<void> {
    while (new Set(this.orgs.map(({ nodePort }) => nodePort)).size < nodes) await this.#addOrganization();
  }

  async #addOrganization(): Promise<void> {
    const org = await newOrganization(this);
    const must = (method: string, path: string, body: object) => this.must(method, path, body, org.key);
    await must('PUT', '/v2/warehouses/WH-1', { name: 'Main' });
    await must('PUT', `/v2/partners/${CUSTOMER}`, { name: 'City hospital', roles: ['customer'] });
    await must('PUT', '/v2/products/CRASH-1', { productName: 'Sturdy' });
    for (const [i, batchNo] of BATCHES.entries())
      await must('POST', '/v2/stock/adjustments', {
        ...{ warehouse: 'WH-1', quantityDelta: OPENING, reason: 'opening' },
        ...{ productCode: 'CRASH-1', batchNo, expiryDate: `203${i}-01-01` },
      });
    this.orgs.push({ ...org, nodePort: (await this.placeOf(org)).port });
  }

  /** The shard with the rows of an organization, and the node that has it. */
  async placeOf({ organization }: TestOrganization): Promise<{ shard: string; port: number }> {
    const [place] = await this.rows<{ shard: string; port: number }>(
      `select shardid::text as shard, nodeport as port from pg_dist_shard_placement
       where shardid = get_shard_id_for_distribution_column('lotward.organizations', $1::text)`,
      [organization.orgId],
    );
    if (!place) throw new Error('organization without a place');
    return place;
  }

  async start(command: 'api' | 'worker'): Promise<void> {
    const port = command === 'api' ? this.#port : await freePort();
    const running = this.#home.start(command, port, {
      DATABASE_URL: this.url,
      LOTWARD_SECRET_KEY: TEST_SECRET_KEY,
      LOG_LEVEL: 'fatal',
    });
    this.#processes.set(command, running);
    await running.ready;
  }

  async kill(command: 'api' | 'worker'): Promise<void> {
    const ended = await this.#processes.get(command)?.end('SIGKILL');
    expect(ended).toEqual({ code: null, signal: 'SIGKILL' });
  }

  async must<D>(method: string, path: string, body: object | undefined, key: string): Promise<D> {
    const answer: Answer<D> = await callApi(`http://127.0.0.1:${this.#port}`, method, path, body, key);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.data;
  }

  async post(path: string, body: object, key: string, idempotencyKey: string): Promise<Answer | null> {
    await afterMs(PACE_MS);
    const startedMs = this.#begun.get(idempotencyKey) ?? performance.now();
    this.#begun.set(idempotencyKey, startedMs);
    const answer = await callApi(`http://127.0.0.1:${this.#port}`, 'POST', path, body, key, {
      'idempotency-key': idempotencyKey,
    }).catch(() => null);
    const seen = answer === null ? 'no answer' : repeatable(answer);
    if (seen === null) {
      this.longestWaitMs = Math.max(this.longestWaitMs, performance.now() - startedMs);
      this.#begun.delete(idempotencyKey);
      return answer;
    }
    this.repeated.set(seen, (this.repeated.get(seen) ?? 0) + 1);
    return null;
  }

  /** Whether it had been done is not asked: the node that knows may be away. */
  async recovered(): Promise<boolean> {
    await afterMs(AGAIN_MS);
    return false;
  }

  async rows<R>(text: string, values: unknown[] = []): Promise<R[]> {
    if (!this.#owner) throw new Error('not open');
    return (await this.#owner.query(text, values)).rows as R[];
  }

  /** Resolves when the events of all organizations have their positions. */
  async settled(): Promise<void> {
    await vi.waitFor(async () => {
      expect(await this.rows('select 1 from events where position is null limit 1')).toEqual([]);
    }, POLLED);
  }

  async close(): Promise<void> {
    await this.#home.endProcesses();
    await this.#database?.close();
    await this.#owner?.end();
    await this.#home.remove();
    await dropDatabase(inject('postgresUrl'), this.name);
  }
}

/** A client that keeps to the error table repeats after an outage of the database, and if somebody else has the record. */
function repeatable({ status, code, json }: Answer): string | null {
  if (status >= 500) return `${status} / ${code}`;
  const reason = json?.errors?.[0]?.reason;
  return reason === 'record_locked' ? reason : null;
}
