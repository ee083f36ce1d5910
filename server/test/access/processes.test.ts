import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  callApi,
  expectWithin,
  newOrganization,
  openTestDatabase,
  runCommand,
  runCommandWith,
  type TestDatabase,
} from '../harness/index.js';
import { listenTo } from '../live/listening.js';
import { bearer } from './credential-states/index.js';
import { environmentFor, startLotward } from './lotward-process.js';

interface KeyMade {
  keyId: string;
  secret: string;
  apiKey: string;
  scopes: string[];
  expiresAt: string | null;
}

let db: TestDatabase;
let env: Record<string, string>;
/** Two processes that share a port. */
let server: Awaited<ReturnType<typeof startLotward>>;
beforeAll(async () => {
  db = await openTestDatabase();
  env = environmentFor(db);
  server = await startLotward('api', { ...env, WEB_CONCURRENCY: '2' });
}, 120_000);
afterAll(async () => {
  await server?.stop();
  await db.close();
});

/** Runs a command within this process and returns its JSON; the guides run them in processes of their own. */
async function commandJson<T>(...args: string[]): Promise<T> {
  const run = await runCommand(db, ...args, '--json');
  expect([args, run.exitCode, run.err]).toEqual([args, 0, '']);
  return JSON.parse(run.out) as T;
}

const whoami = (url: string, key: string) => callApi(url, 'GET', '/v2/whoami', undefined, key);

describe('the real program', { timeout: 120_000 }, () => {
  it('creates an organization and a key; a running server applies creation, rotation and revocation within a second', async () => {
    const org = await commandJson<{ orgId: string }>('org', 'create', '--code', 'acme', '--name', 'Acme');
    expect(org).toEqual({
      orgId: expect.stringMatching(/^org_/),
      code: 'acme',
      name: 'Acme',
      edition: 'ordinary',
      timeZone: 'UTC',
      status: 'active',
      samePersonRecheck: false,
      certificateGate: 'refuse',
      demandedCertificates: [],
      booksFrom: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      sandboxOf: null,
    });
    const key = ['--org', 'acme', '--name', 'erp', '--scope', 'products:read', '--owner', 'a@b.example'];
    const created = await commandJson<KeyMade>('key', 'create', ...key);
    expect((await whoami(server.url, created.apiKey)).status).toBe(200);
    const rotated = await commandJson<KeyMade>('key', 'rotate', created.keyId, '--overlap', '1h');
    expect(rotated).toMatchObject({ keyId: created.keyId, scopes: ['products:read'], expiresAt: null });
    for (const { apiKey } of [created, rotated]) expect((await whoami(server.url, apiKey)).status).toBe(200);
    await commandJson('key', 'revoke', created.keyId);
    const revokedMs = performance.now();
    for (const { apiKey } of [created, rotated]) {
      await vi.waitFor(async () => expect((await whoami(server.url, apiKey)).status).toBe(401), {
        timeout: 60_000,
        interval: 10,
      });
    }
    // Other tests that run meanwhile may take the processors for longer than this.
    expectWithin(1_000, revokedMs);
  });

  it('counts the requests of a key over all its processes: of 110 at once exactly 100 pass', async () => {
    const { key } = await newOrganization(db, { edition: 'ordinary' });
    const answers = await Promise.all(Array.from({ length: 110 }, () => whoami(server.url, key)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(100).fill(200), ...Array(10).fill(429)]);
  });

  it.each([
    [['key', 'create'], /^error: required option '--org <code>' not specified$/],
    [['nonsense'], /^error: unknown command 'nonsense'/],
    [
      ['org', 'update', '--code', 'nowhere', '--name', 'N'],
      /^There is no organization nowhere\. See: lotward org list$/,
    ],
  ])('says in a line what is wrong with %j, and fails', async (args, expected) => {
    const run = await runCommand(db, ...args);
    expect(run.exitCode).not.toBe(0);
    expect(run.out).toBe('');
    expect(run.err.split('\n')[0]).toMatch(expected);
    expect(run.err).not.toMatch(/\n\s+at /);
  });

  it('stops although a stream is open, which ends with it', async () => {
    const { key } = await newOrganization(db);
    const stream = await listenTo(server.url, bearer(key));
    expect(stream.status).toBe(200);
    // Not 0 if the stream were waited for until the time limit of a stop.
    expect(await server.stop()).toBe(0);
    await stream.ended;
  });

  it('names an invalid setting in one line, and fails', async () => {
    const run = await runCommandWith({ ...env, PORT: 'eighty' }, 'org', 'list');
    expect(run).toEqual({
      exitCode: 1,
      out: '',
      err: 'PORT must be a whole number from 0 to 65535, not "eighty".\n',
    });
  });
});
