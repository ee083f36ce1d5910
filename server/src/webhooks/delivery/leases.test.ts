import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/harness/index.js';
import { secretPlace } from '../sealed-secrets.store.js';
import { Endpoint } from './endpoint.js';
import { Leases } from './leases.js';
import { Recorder } from './recorder.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.drop());

const MINUTE_MS = 60_000;
const sender = { send: () => Promise.reject(new Error('nothing is sent here')), close: async () => {} };

function newEndpoint(webhookId: string): Endpoint {
  const facts = {
    orgId: 'org',
    webhookId,
    callbackUrl: 'https://receiver.example/',
    customerCode: null,
    secret: db.box.seal('secret', secretPlace('org', webhookId)),
    nextSecret: null,
    overlapUntil: null,
    subscriptions: [],
    status: 'enabled' as const,
    ownerEndsAt: null,
    watermark: 0,
    sendFrom: 0,
    version: 1,
    head: 0,
    incarnation: 'one',
    hasDue: false,
    recovering: false,
    settledBeyond: [],
  };
  return new Endpoint(facts, { token: 'token', safeUntilMs: performance.now() + MINUTE_MS }, sender, db.box);
}
const openLeases = () => new Leases(db.database, { leaseMs: MINUTE_MS, lingerMs: MINUTE_MS });

describe('the endpoints a worker holds', () => {
  it('no longer include one that was dropped, so that it can be claimed again', () => {
    const leases = openLeases();
    const [lost, again] = [newEndpoint('whk'), newEndpoint('whk')];
    leases.hold(lost);
    leases.drop(lost);
    expect([lost.isDraining, leases.find(lost)]).toEqual([true, undefined]);
    leases.hold(again);
    // A late report about the earlier lease does not end the present one.
    leases.drop(lost);
    expect(leases.find(lost)).toBe(again);
  });

  it('are given back beyond one more than its share, and only while there is another worker', async () => {
    const [leases, other] = [openLeases(), openLeases()];
    for (let n = 0; n < 6; n++) leases.hold(newEndpoint(`whk_${n}`));
    await leases.heartbeat();
    await leases.releaseSurplus();
    expect(leases.held).toHaveLength(6);
    await other.heartbeat();
    await leases.heartbeat();
    await leases.releaseSurplus();
    // Half of six, and one more.
    expect(leases.held).toHaveLength(4);
    await Promise.all([leases.leave(), other.leave()]);
  });
});

it('results are drained when they are written, not when their writing begins', async () => {
  const endpoint = newEndpoint('whk');
  const recorder = new Recorder({
    database: db.database,
    gapMs: 0,
    policy: { timeoutMs: 1_000, retryDelaysMs: [], disableAfter: 10, headerPrefix: 'X-Lotward' },
    consoleUrl: 'https://console.example',
    adminEmail: null,
    onWritten: () => {},
    onLost: () => {},
    onDisabled: () => {},
    onError: (error) => {
      throw error;
    },
  });
  const client = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward,public' });
  await client.connect();
  await client.query('begin');
  await client.query('lock table webhook_states in access exclusive mode');
  endpoint.queueLive(
    [
      {
        position: 1,
        eventId: 'evt_1',
        eventType: 'inbound.received',
        entity: 'batch 1',
        customerCode: null,
        body: Buffer.from('{}'),
      },
    ],
    1,
  );
  const at = db.clock.now();
  const item = endpoint.takePush(1, db.clock);
  if (!item) throw new Error('there is nothing to push');
  const delivered = { delivered: true, status: 200, error: null, responseExcerpt: null };
  endpoint.endPush(item, { position: 1, at, endedAt: at, durationMs: 1, ...delivered });
  recorder.add(endpoint);
  const waiting = () =>
    db.sql(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  let isDrained = false;
  await expect
    .poll(async () => (await waiting()).length, { timeout: 60_000, interval: 20 })
    .toBe(1)
    .then(async () => {
      const drained = recorder.drained().then(() => {
        isDrained = true;
      });
      await waiting();
      expect(isDrained).toBe(false);
      await client.query('commit');
      await drained;
    })
    .finally(() => client.end());
  expect(recorder.unwritten).toBe(0);
});
