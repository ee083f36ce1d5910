import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/index.js';
import { secretBox } from '../../src/platform/secrets/index.js';
import { newOrganization, startApi, type TestApi } from '../harness/index.js';
import { openReplicatedPostgres, type ReplicatedPostgres } from './replicated-postgres.js';

const WAIT = { timeout: 60_000, interval: 100 };
const PARAMETERS = '?target_session_attrs=read-write';

describe('with two servers in DATABASE_URL', () => {
  let servers: ReplicatedPostgres;
  let database: Database;
  let api: TestApi;
  let key: string;
  let warehouses = 0;
  const open = (url: string): Promise<Database> =>
    openDatabase({
      url,
      migrationsDirectory: fileURLToPath(new URL('../../migrations', import.meta.url)),
      box: secretBox([servers.secretKey]),
    });
  beforeAll(async () => {
    servers = await openReplicatedPostgres();
    // The standby is listed first: it is skipped while it is read-only.
    database = await open(servers.urlOf([servers.standby, servers.primary], PARAMETERS));
    ({ key } = await newOrganization({ database }));
    api = await startApi(database, { box: secretBox([servers.secretKey]) });
  });
  afterAll(async () => {
    await api?.close();
    await database?.close();
    await servers?.close();
  });

  const write = async () => {
    const code = `W-${++warehouses}`;
    const answer = await api.call('PUT', `/v2/warehouses/${code}`, { name: code }, key);
    return { code, answer };
  };
  const read = (code: string) => api.call('GET', `/v2/warehouses/${code}`, undefined, key);
  const heard = (): Promise<string | null> =>
    new Promise((resolve) => {
      const stop = database.announcer.listen('events', (orgId) => {
        stop();
        resolve(orgId);
      });
    });

  it('the writable server is used, at any place in the list', async () => {
    const { code, answer } = await write();
    expect(answer.status).toBe(200);
    expect((await read(code)).status).toBe(200);
    expect(await servers.standby.sql('select pg_is_in_recovery() as standby')).toEqual([{ standby: true }]);
  });

  it('a server that becomes read-only is left, with retryable errors only', async () => {
    await servers.primary.sql(`alter system set default_transaction_read_only = on`);
    await servers.primary.sql('select pg_reload_conf()');
    await expect.poll(async () => (await write()).answer.status, WAIT).toBe(500);
    expect((await write()).answer.reason).toBe('database_read_only');
    const readiness = await api.call('GET', '/readyz');
    expect([readiness.status, readiness.reason]).toEqual([500, 'database_read_only']);
    const { answer } = await write();
    expect([answer.status, answer.code, answer.headers.get('retry-after')]).toEqual([
      500,
      9999,
      expect.stringMatching(/^\d+$/),
    ]);
    await servers.primary.sql('alter system reset default_transaction_read_only');
    await servers.primary.sql('select pg_reload_conf()');
    await expect.poll(async () => (await write()).answer.status, WAIT).toBe(200);
  });

  it('a promoted standby takes over without a restart: acknowledged writes are there, and notifications arrive', async () => {
    const before = await write();
    expect(before.answer.status).toBe(200);
    await heard();
    await servers.primary.kill();
    const during = (await write()).answer;
    expect([during.status, during.code, during.headers.get('retry-after')]).toEqual([
      500,
      9999,
      expect.stringMatching(/^\d+$/),
    ]);
    const reconnected = heard();
    await servers.standby.promote();
    await expect.poll(async () => (await write()).answer.status, WAIT).toBe(200);
    expect((await read(before.code)).status).toBe(200);
    // Listeners reconnect, and are notified that something may have changed in between.
    expect(await reconnected).toBeNull();
    expect((await api.call('GET', '/readyz')).status).toBe(200);
  });

  it('a process that starts while the first server is down uses the second', async () => {
    const second = await open(servers.urlOf([servers.primary, servers.standby], PARAMETERS));
    expect((await second.app.query({ name: '', text: 'select 1 as one' }, [])).length).toBe(1);
    const announced = heard();
    second.announcer.announce('events', 'org_of_nobody');
    expect(await announced).toBe('org_of_nobody');
    await second.close();
  });

  it('reports why each server cannot be used', async () => {
    await servers.standby.sql(`alter system set default_transaction_read_only = on`);
    await servers.standby.sql('select pg_reload_conf()');
    await expect(open(servers.urlOf([servers.primary, servers.standby], PARAMETERS))).rejects.toThrow(
      new RegExp(
        `cannot be reached: no server of DATABASE_URL can be used \\(127\\.0\\.0\\.1:${servers.primary.port}: .*ECONNREFUSED.*; 127\\.0\\.0\\.1:${servers.standby.port}: it is read-only\\)`,
      ),
    );
  });
});
