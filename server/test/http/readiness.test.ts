import { afterAll, beforeAll, expect, it } from 'vitest';
import { statement, transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { openTestService, startApi } from '../harness/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

it('a process whose connections are all in use is ready, because it is busy and not broken', async () => {
  const { app, reader } = service.db.database;
  const pools = [app, reader];
  // Each as another organization: one alone does not get all connections.
  const lent = await Promise.all(
    pools.flatMap((pool) => Array.from({ length: 10 }, (_, n) => pool.lend(`organization ${n}`))),
  );
  try {
    const answer = await service.api.call('GET', '/readyz');
    expect(pools.map(({ figures }) => figures.idle)).toEqual([0, 0]);
    expect([answer.status, answer.json]).toEqual([200, { status: 'ready' }]);
  } finally {
    for (const { giveBack } of lent) giveBack();
  }
});

it('a process about to stop is not ready, and still answers what is sent to it', async () => {
  const stopping = new AbortController();
  const api = await startApi(service.db.database, { stopping: stopping.signal });
  const answers = async () => ({
    readiness: await api.call('GET', '/readyz'),
    request: await api.call('GET', '/v2/whoami', undefined, service.org.key),
  });
  expect((await answers()).readiness.status).toBe(200);
  stopping.abort();
  const { readiness, request } = await answers();
  expect([readiness.status, readiness.reason, request.status]).toEqual([500, 'shutting_down', 200]);
  await api.close();
});

it('a full disk is reported where the process is asked whether it is ready', async () => {
  const full = statement(`do $$ begin raise exception 'as a test' using errcode = '53100'; end $$`);
  const principal = systemPrincipal(service.org.organization.orgId, 'somebody@test.example');
  await expect(transact(service.db.database, principal, (tx) => tx.query(full, []))).rejects.toMatchObject({
    reason: 'storage_full',
  });
  const answer = await service.api.call('GET', '/readyz');
  expect([answer.status, answer.json]).toEqual([
    200,
    { status: 'ready', writes: 'refused', reason: 'storage_full' },
  ]);
});
