import type { FastifyInstance } from 'fastify';
import { type Dispatcher, request } from 'undici';
import { SCOPES } from '../../src/access/index.js';
import { type ApiOptions, buildApi } from '../../src/app/api.js';
import { createKey } from '../../src/credentials/index.js';
import { createOrganization, type Organization } from '../../src/organizations/index.js';
import type { Database } from '../../src/platform/database/index.js';
import { transact } from '../../src/platform/database/index.js';
import { SlowRefusals } from '../../src/platform/http/index.js';
import { silentLogger } from '../../src/platform/logging/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { memoryLimiter } from '../../src/platform/rate-limit/index.js';
import { CITUS_URL } from './cluster.js';
import {
  BEGINNING,
  hideOrganizations,
  openTestDatabase,
  type TestClock,
  type TestDatabase,
  testBox,
} from './database.js';

export interface Answer<D = unknown> {
  status: number;
  code: number;
  data: D;
  json: {
    code: number;
    message: string;
    data: unknown;
    requestId: string;
    errors: { path: string; reason: string; message: string }[];
  };
  /** The first machine-readable reason of a failure. */
  reason: string | undefined;
  text: string;
  headers: Headers;
}

export interface TestApi {
  url: string;
  app: FastifyInstance;
  call<D = unknown>(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
    headers?: Record<string, string>,
  ): Promise<Answer<D>>;
  close(): Promise<void>;
}

/** A limiter that lets everything through: for tests that are about something else. */
const generous = { take: () => ({ allowed: true, remaining: 1, resetMs: 60_000 }) };

/** Refusals that are never delayed: some tests cause thousands. */
const prompt = new SlowRefusals({ later: (send) => send() });

/** The real server on a loopback port. */
export async function startApi(database: Database, options: Partial<ApiOptions> = {}): Promise<TestApi> {
  // Results must not depend on whether the console is built.
  const usual = {
    box: testBox,
    limiter: generous,
    refusals: prompt,
    logger: silentLogger(),
    consoleDirectory: null,
  };
  const app = await buildApi({ database, ...usual, ...options });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    app,
    call: (method, path, body, key, headers) => callApi(url, method, path, body, key, headers),
    close: () => app.close(),
  };
}

export async function callApi<D = unknown>(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  key?: string,
  headers: Record<string, string> = {},
): Promise<Answer<D>> {
  // Not `fetch`: it takes twice the time, and the tests make tens of thousands of requests.
  const response = await request(url + path, {
    method: method as Dispatcher.HttpMethod,
    headers: {
      'user-agent': 'node',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await textOf(response);
  let json: Answer['json'] | undefined;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return {
    status: response.statusCode,
    code: json?.code ?? Number.NaN,
    data: json?.data as D,
    json: json as Answer['json'],
    reason: json?.errors?.[0]?.reason,
    text,
    headers: headersOf(response),
  };
}

/** The body; of a stream, which does not end, only the first chunk. */
async function textOf({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  if (!String(headers['content-type']).startsWith('text/event-stream')) return body.text();
  for await (const chunk of body) return new TextDecoder().decode(chunk);
  return '';
}

const headersOf = ({ headers }: Dispatcher.ResponseData): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, values = []]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  );

/** A limiter as a single process has it, for tests about limits. */
export const countingLimiter = (clock: TestClock) =>
  memoryLimiter({ windowMs: 60_000, now: () => clock.now().getTime(), keysMax: 1_000 });

export interface TestOrganization {
  organization: Organization;
  /** A key with every scope. */
  key: string;
  keyId: string;
  newKey(
    input?: Partial<Parameters<typeof createKey>[1]>,
  ): Promise<{ apiKey: string; keyId: string; secret: string }>;
}

let counter = 0;

export async function newOrganization(
  { database }: Pick<TestDatabase, 'database'>,
  input: { code?: string; edition?: 'ordinary' | 'standard'; timeZone?: string } = {},
): Promise<TestOrganization> {
  const code = input.code ?? `org-${++counter}`;
  const organization = await createOrganization(database, 'operator@test.example', {
    name: code,
    edition: 'standard',
    ...input,
    code,
  });
  const principal = systemPrincipal(organization.orgId, 'operator@test.example', organization);
  const newKey: TestOrganization['newKey'] = (given = {}) =>
    transact(database, principal, (tx) =>
      createKey(tx, { name: 'test', scopes: SCOPES, owner: `owner@${code}.example`, ...given }),
    );
  const { apiKey, keyId } = await newKey();
  return { organization, key: apiKey, keyId, newKey };
}

export const GTIN = '06901234567892';

/** A catalogue small enough to know by heart: one supplier, one customer, two warehouses, one product per tracking. */
export async function stockCatalogue(api: TestApi, key: string): Promise<void> {
  const must = async (path: string, body: unknown) => {
    const answer = await api.call('PUT', path, body, key);
    if (answer.status !== 200) throw new Error(`PUT ${path}: ${answer.text}`);
  };
  await must('/v2/partners/SUP-1', { name: 'Acme Devices', roles: ['supplier'] });
  await must('/v2/partners/HOSP-1', { name: 'City hospital', roles: ['customer'] });
  await must('/v2/warehouses/WH-1', { name: 'Main', zones: [{ code: 'COLD', name: 'Cold room' }] });
  await must('/v2/warehouses/WH-2', { name: 'Second' });
  await must(`/v2/products/${GTIN}`, {
    productName: 'Coronary stent 3.0×18',
    tracking: 'batch',
    supplierCode: 'SUP-1',
  });
  await must('/v2/products/PUMP-1', { productName: 'Infusion pump', tracking: 'serial' });
  await must('/v2/products/GLOVE-1', { productName: 'Gloves', tracking: 'none' });
}

interface Service {
  db: TestDatabase;
  api: TestApi;
}

/** By their options. They end with the process. */
const shared = new Map<string, Promise<Service>>();

async function startService(options: Partial<ApiOptions>): Promise<Service> {
  const db = await openTestDatabase();
  return { db, api: await startApi(db.database, options) };
}

/**
 * One that the files of a process have one after the other: at the time at which a new one begins, without what the last file opened,
 * and with SQL that sees the organizations of the file only.
 */
async function borrowService(options: Pick<ApiOptions, 'webhooks'>): Promise<Service> {
  const id = JSON.stringify(options);
  const starting = shared.get(id) ?? startService(options);
  shared.set(id, starting);
  const { db, api } = await starting;
  await hideOrganizations(db);
  db.clock.set(BEGINNING);
  const others: Database[] = [];
  const another = async () => {
    const other = await db.another();
    others.push(other);
    return other;
  };
  const close = async () => {
    await Promise.all(others.map((other) => other.close()));
  };
  return { db: { ...db, another, close }, api: { ...api, close: async () => {} } };
}

interface ServiceOptions extends Partial<ApiOptions> {
  /**
   * For tests of what is the same for all organizations: tables without one, limits, migrations, commands and workers that look at
   * all of them. Others share database and service with the files of their process that ran before.
   */
  alone?: boolean;
}

/** Database, server, and one organization with a small catalogue: the start of most test files. */
export async function openTestService({ alone = false, webhooks, ...own }: ServiceOptions = {}) {
  const options = webhooks ? { webhooks } : {};
  // A cluster does not change rows through views.
  const isShared = !alone && !CITUS_URL && Object.keys(own).length === 0;
  const { db, api } = await (isShared ? borrowService(options) : startService({ ...options, ...own }));
  const org = await newOrganization(db);
  await stockCatalogue(api, org.key);
  const call = <D = unknown>(
    method: string,
    path: string,
    body?: unknown,
    key = org.key,
    headers?: Record<string, string>,
  ) => api.call<D>(method, path, body, key, headers);
  return {
    db,
    api,
    org,
    call,
    async close() {
      await api.close();
      await db.close();
    },
  };
}
