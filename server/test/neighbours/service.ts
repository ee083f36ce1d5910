import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { inject } from 'vitest';
import { newKeyId, newKeyPair } from '../../src/credentials/key-token.js';
import { hashToken } from '../../src/platform/secrets/index.js';
import { callApi, TEST_SECRET_KEY, withAdmin } from '../harness/index.js';

const own = fileURLToPath(new URL('../../..', import.meta.url));
/** The folder whose Lotward is attacked: this one, or an older checkout to compare with. */
export const checkout = process.env.LOTWARD_CHECKOUT ?? own;
export const isOlder = checkout !== own;
/** A command that the processes are started with, for what an older version has no setting for. */
const launcher = process.env.LOTWARD_LAUNCHER?.split(' ') ?? [];
const program = `${checkout}/server/bin/lotward.mjs`;
const run = promisify(execFile);
const API_PROCESSES = 2;
const COPIED_AT_ONCE = 500;

interface Started {
  child: ChildProcess;
  url: string;
}

export interface Organization {
  code: string;
  orgId: string;
  key: string;
  /** More keys like the first, each with a rate limit of its own. */
  moreKeys(count: number): Promise<string[]>;
  /** Keys that are restricted to one customer. */
  customerKeys(customerCode: string, count: number): Promise<string[]>;
}

/** The real service, as it is operated: API processes and a worker on a PostgreSQL of their own database. */
export class Service {
  readonly #owner: pg.Pool;
  #processes: Started[] = [];
  #worker: ChildProcess | undefined;
  urls: string[] = [];

  private constructor(
    readonly databaseUrl: string,
    readonly name: string,
    readonly settings: Readonly<Record<string, string>>,
  ) {
    this.#owner = new pg.Pool({
      connectionString: databaseUrl,
      max: 4,
      options: '-c search_path=lotward,public',
    });
    this.#owner.on('error', () => {});
  }

  static async create(settings: Readonly<Record<string, string>>): Promise<Service> {
    const name = `neighbours_${randomBytes(4).toString('hex')}`;
    const server = new URL(inject('postgresUrl'));
    await withAdmin(server.toString(), async (admin) => {
      await admin.query(`create database ${name}`);
      // As in operation. Other tests do without it, but all attacks share one database, and what they leave behind adds up.
      await admin.query('alter system set autovacuum = on');
      await admin.query('select pg_reload_conf()');
    });
    server.pathname = `/${name}`;
    return new Service(server.toString(), name, settings);
  }

  get ports(): number[] {
    return this.urls.map((url) => Number(new URL(url).port));
  }

  async sql<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    return (await this.#owner.query(text, values)).rows as R[];
  }

  /** Copies rows of an organization, each `count` times, with other values in some columns: SQL over the row `r` and its number `n`. */
  async copyRows(
    table: string,
    { orgId }: Pick<Organization, 'orgId'>,
    where: string,
    count: number,
    columns: Readonly<Record<string, string>>,
  ): Promise<void> {
    const changes = Object.entries(columns).map(([column, value]) => `'${column}', ${value}`);
    await this.sql(
      `insert into ${table} select c.* from ${table} r, generate_series(1, ${count}) n,
         lateral jsonb_populate_record(r, jsonb_build_object(${changes.join(', ')})) c
       where r.org_id = $1 and ${where}`,
      [orgId],
    );
    // As the server does by itself within a minute of such a change.
    await this.sql(`analyze ${table}`);
  }

  /** A session of its own, to hold locks with. */
  async session(): Promise<pg.PoolClient> {
    return this.#owner.connect();
  }

  async start(): Promise<void> {
    // One after the other: the first migrates.
    for (let i = 0; i < API_PROCESSES; i++) this.#processes.push(await this.startApi());
    this.urls = this.#processes.map(({ url }) => url);
    this.#worker = this.#spawn('worker', this.databaseUrl);
    await said(this.#worker, /ready/i);
  }

  /** One more API process, on another way to the database. */
  async startApi(databaseUrl = this.databaseUrl): Promise<Started> {
    const child = this.#spawn('api', databaseUrl);
    const [, url = ''] = await said(child, /(http:\/\/127\.0\.0\.1:\d+)\/v2/);
    return { child, url };
  }

  async stop(): Promise<void> {
    const children = [...this.#processes.map(({ child }) => child), ...(this.#worker ? [this.#worker] : [])];
    await Promise.all(children.map(kill));
    this.#processes = [];
    this.#worker = undefined;
  }

  async drop(): Promise<void> {
    await this.stop();
    await this.#owner.end();
    await withAdmin(inject('postgresUrl'), (admin) => admin.query(`drop database ${this.name} with (force)`));
  }

  #environment(databaseUrl: string): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: databaseUrl,
      LOTWARD_SECRET_KEY: TEST_SECRET_KEY,
      PORT: '0',
      LOG_LEVEL: 'fatal',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      ...this.settings,
    };
  }

  #spawn(command: 'api' | 'worker', databaseUrl: string): ChildProcess {
    const [first = process.execPath, ...rest] = [...launcher, process.execPath, program, command];
    const child = spawn(first, rest, {
      env: this.#environment(databaseUrl),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A session of its own, as a service manager would start it: Linux shares the cores by session.
      detached: true,
    });
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    return child;
  }

  async cli<T>(...args: string[]): Promise<T> {
    const { stdout } = await run(process.execPath, [program, ...args, '--json'], {
      env: this.#environment(this.databaseUrl),
    });
    return JSON.parse(stdout) as T;
  }

  /** An organization with a warehouse, two customers and two products in stock. */
  async newOrganization(code: string): Promise<Organization> {
    await this.cli('org', 'create', '--code', code, '--name', code, '--edition', 'standard');
    const keyOf = async (...more: string[]) => {
      const made = await this.cli<{ apiKey: string; keyId: string }>(
        ...[
          'key',
          'create',
          '--org',
          code,
          '--name',
          'neighbour',
          '--scope',
          SCOPES,
          '--owner',
          `owner@${code}.example`,
        ],
        ...more,
      );
      return made.apiKey;
    };
    const key = await keyOf();
    const [row] = await this.sql<{ org_id: string }>(
      'select org_id from organization_directory where code = $1',
      [code],
    );
    await this.#stock(key);
    return {
      code,
      key,
      orgId: row?.org_id ?? '',
      moreKeys: (count) => this.#copyKey(key, count),
      customerKeys: async (customerCode, count) =>
        this.#copyKey(await keyOf('--customer', customerCode), count),
    };
  }

  async must<D>(method: string, path: string, body: unknown, key: string): Promise<D> {
    const answer = await callApi<D>(this.urls[0] ?? '', method, path, body, key);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.data;
  }

  async #stock(key: string): Promise<void> {
    await this.must('PUT', '/v2/warehouses/WH-1', { name: 'Main' }, key);
    for (const customer of ['HOSP-1', 'HOSP-2'])
      await this.must('PUT', `/v2/partners/${customer}`, { name: customer, roles: ['customer'] }, key);
    for (const product of ['GLOVE-1', 'MASK-1']) {
      await this.must('PUT', `/v2/products/${product}`, { productName: product, tracking: 'none' }, key);
      await this.must('POST', '/v2/stock/adjustments', adjustmentOf(product, 100_000), key);
    }
  }

  /** Keys by the hundred, which the command would take minutes for. */
  async #copyKey(apiKey: string, count: number): Promise<string[]> {
    const [, keyId] = apiKey.split('_');
    const pairs = Array.from({ length: count }, () => newKeyPair(newKeyId()));
    for (let at = 0; at < count; at += COPIED_AT_ONCE) {
      const some = pairs.slice(at, at + COPIED_AT_ONCE);
      const ids = some.map((pair) => pair.keyId);
      const hashes = some.map((pair) => `\\x${hashToken(pair.apiKey).toString('hex')}`);
      await this.sql(
        `insert into api_keys select (jsonb_populate_record(k, jsonb_build_object('key_id', n.id, 'secret_hash', n.hash))).*
         from api_keys k, unnest($2::text[], $3::text[]) as n(id, hash) where k.key_id = $1`,
        [keyId, ids, hashes],
      );
      await this.sql(
        `insert into api_key_directory (key_id, org_id)
         select n.id, d.org_id from api_key_directory d, unnest($2::text[]) as n(id) where d.key_id = $1`,
        [keyId, ids],
      );
    }
    return pairs.map((pair) => pair.apiKey);
  }
}

const SCOPES = [
  ...[
    'products:read',
    'products:write',
    'inventory:read',
    'inventory:write',
    'orders:read',
    'orders:write',
    'udi:read',
  ],
  ...[
    'recalls:read',
    'recalls:write',
    'events:read',
    'webhooks:read',
    'webhooks:write',
    'settings:read',
    'settings:write',
  ],
].join(',');

export const adjustmentOf = (productCode: string, quantityDelta: number, more: object = {}): object => ({
  productCode,
  warehouse: 'WH-1',
  quantityDelta,
  reason: 'neighbours',
  ...more,
});

/** The body of an order whose number is filled in by the sender. */
export const orderOf = (prefix: string, productCode = 'GLOVE-1'): string =>
  JSON.stringify({
    orderNo: `${prefix}-{n}`,
    customerCode: 'HOSP-1',
    warehouse: 'WH-1',
    currency: 'EUR',
    lines: [{ lineNo: 1, productCode, quantity: 1, unitPrice: '1.50' }],
  });

/** Waits until a process says this, and reads on, so that its pipe never fills. */
function said(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    let isFound = false;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        if (isFound) return;
        text += chunk.toString('utf8');
        const match = pattern.exec(text);
        if (!match) return;
        isFound = true;
        resolve(match);
      });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
