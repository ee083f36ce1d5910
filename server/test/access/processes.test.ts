import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callApi, newOrganization, openTestDatabase, type TestDatabase } from '../harness/index.js';
import { environmentFor, lotward, lotwardJson, startLotward } from './lotward-process.js';

interface KeyMade {
  keyId: string;
  secret: string;
  apiKey: string;
  scopes: string[];
  expiresAt: string | null;
}

let db: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  db = await openTestDatabase();
  env = environmentFor(db);
  // The launcher first compiles if the sources are newer than the build.
  expect((await lotward(['--help'], env)).code).toBe(0);
}, 120_000);
afterAll(() => db.drop());

const whoami = (url: string, key: string) => callApi(url, 'GET', '/v2/whoami', undefined, key);

describe('the real program', { timeout: 120_000 }, () => {
  it('creates an organization and a key; a running server applies creation, rotation and revocation within a second', async () => {
    const server = await startLotward('api', env);
    try {
      const org = await lotwardJson<{ orgId: string }>(
        ['org', 'create', '--code', 'acme', '--name', 'Acme'],
        env,
      );
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
      });
      const created = await lotwardJson<KeyMade>(
        [
          'key',
          'create',
          '--org',
          'acme',
          '--name',
          'erp',
          '--scope',
          'products:read',
          '--owner',
          'a@b.example',
        ],
        env,
      );
      expect((await whoami(server.url, created.apiKey)).status).toBe(200);
      const rotated = await lotwardJson<KeyMade>(['key', 'rotate', created.keyId, '--overlap', '1h'], env);
      expect(rotated).toMatchObject({ keyId: created.keyId, scopes: ['products:read'], expiresAt: null });
      for (const { apiKey } of [created, rotated])
        expect((await whoami(server.url, apiKey)).status).toBe(200);
      await lotwardJson(['key', 'revoke', created.keyId], env);
      const answeredMs = performance.now();
      for (const { apiKey } of [created, rotated]) {
        await vi.waitFor(async () => expect((await whoami(server.url, apiKey)).status).toBe(401), {
          timeout: 3_000,
          interval: 10,
        });
      }
      expect(performance.now() - answeredMs).toBeLessThan(1_000);
    } finally {
      await server.stop();
    }
  });

  it('counts the requests of a key over all its processes: of 110 at once exactly 100 pass', async () => {
    const { key } = await newOrganization(db, { edition: 'ordinary' });
    const server = await startLotward('api', { ...env, WEB_CONCURRENCY: '2' });
    try {
      const answers = await Promise.all(Array.from({ length: 110 }, () => whoami(server.url, key)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array(100).fill(200), ...Array(10).fill(429)]);
    } finally {
      await server.stop();
    }
  });

  it.each([
    [['key', 'create'], /^error: required option '--org <code>' not specified$/],
    [['nonsense'], /^error: unknown command 'nonsense'/],
    [
      ['org', 'update', '--code', 'nowhere', '--name', 'N'],
      /^There is no organization nowhere\. See: lotward org list$/,
    ],
  ])('says in a line what is wrong with %j, and fails', async (args, expected) => {
    const run = await lotward(args, env);
    expect(run.code).not.toBe(0);
    expect(run.stdout).toBe('');
    expect(run.stderr.split('\n')[0]).toMatch(expected);
    expect(run.stderr).not.toMatch(/\n\s+at /);
  });

  it('names an invalid setting in one line, and fails', async () => {
    const run = await lotward(['org', 'list'], { ...env, PORT: 'eighty' });
    expect(run).toEqual({
      code: 1,
      stdout: '',
      stderr: 'PORT must be a whole number from 0 to 65535, not "eighty".\n',
    });
  });
});
