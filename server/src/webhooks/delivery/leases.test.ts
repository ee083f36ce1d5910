import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestDatabase, type TestDatabase } from '../../../test/harness/index.js';
import { secretPlace } from '../sealed-secrets.store.js';
import { Endpoint } from './endpoint.js';
import { Leases } from './leases.js';
import { Recorder } from './recorder.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const MINUTE_MS = 60_000;
const sender = { send: () => Promise.reject(new Error('nothing is sent here')), close: async () => {} };

function newEndpoint(webhookId: string, orgId = 'org'): Endpoint {
  const facts = {
    orgId,
    webhookId,
    callbackUrl: 'https://receiver.example/',
    customerCode: null,
    secret: db.box.seal('secret', secretPlace(orgId, webhookId)),
    nextSecret: null,
    overlapUntil: null,
    headers: null,
    sandbox: false,
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

  it('are claimed up to its share, and beyond it where no worker took them', async () => {
    const { orgId } = (await newOrganization(db)).organization;
    const work = ['1', '2', '3', '4'].map((webhookId) => ({
      orgId,
      webhookId,
      head: 0,
      isDue: true,
      leasedUntil: null,
    }));
    for (const { webhookId } of work) {
      await db.sql(
        `insert into webhooks (org_id, webhook_id, callback_url, event_types, secret, created_at, created_by, updated_at)
         values ($1, $2, 'https://partner.example/', '{order.created}', 'sealed', now(), 'test', now())`,
        [orgId, webhookId],
      );
      await db.sql(
        `insert into webhook_states (org_id, webhook_id, status, consecutive_failures, settled_to, send_from, version,
           delivered_total, failed_total, duration_ms_total)
         values ($1, $2, 'enabled', 0, 0, 0, 1, 0, 0, 0)`,
        [orgId, webhookId],
      );
    }
    const [leases, other] = [openLeases(), openLeases()];
    await other.heartbeat();
    await leases.heartbeat();
    for (const webhookId of ['1', '2']) leases.hold(newEndpoint(webhookId, orgId));
    const claim = async () => (await leases.claim(work, true)).map(({ facts }) => facts.webhookId).sort();
    // Two of four are its share; the others are left to the other worker, until it is seen that it did not take them.
    expect(await claim()).toEqual([]);
    expect(await claim()).toEqual(['3', '4']);
    await Promise.all([leases.leave(), other.leave()]);
  });

  it('are given back once they have had nothing to do for a while', async () => {
    const [patient, impatient] = [MINUTE_MS, -1].map((lingerMs) => {
      const leases = new Leases(db.database, { leaseMs: MINUTE_MS, lingerMs });
      leases.hold(newEndpoint('whk'));
      return leases;
    });
    await patient?.releaseSurplus();
    await impatient?.releaseSurplus();
    expect([patient?.held.length, impatient?.held.length]).toEqual([1, 0]);
  });
});

describe('the results of pushes', () => {
  const errors: unknown[] = [];
  const openRecorder = () =>
    new Recorder({
      database: db.database,
      gapMs: 0,
      policy: { timeoutMs: 1_000, retryDelaysMs: [], disableAfter: 10, headerPrefix: 'X-Lotward' },
      consoleUrl: 'https://console.example',
      adminEmail: null,
      onWritten: () => {},
      onLost: () => {},
      onDisabled: () => {},
      onError: (error) => errors.push(error),
    });

  /** Ends so many pushes of the endpoint as delivered. */
  function push(recorder: Recorder, endpoint: Endpoint, count = 1): void {
    const after = endpoint.readTo;
    const events = Array.from({ length: count }, (_, i) => ({
      position: after + i + 1,
      eventId: `evt_${after + i + 1}`,
      eventType: 'inbound.received',
      entity: `batch ${after + i + 1}`,
      customerCode: null,
      isCustomerView: false,
      concerns: null,
      body: Buffer.from('{}'),
    }));
    endpoint.queueLive(events, after + count);
    const at = db.clock.now();
    for (const { position } of events) {
      const item = endpoint.takePush(1, db.clock);
      if (!item) throw new Error('there is nothing to push');
      const delivered = { delivered: true, status: 200, error: null, responseExcerpt: null };
      endpoint.endPush(item, { position, at, endedAt: at, durationMs: 1, ...delivered }, 250);
      recorder.add(endpoint);
    }
  }

  const expectWaiting = async (count: number) => {
    await expect.poll(async () => (await db.waiting()).length, { timeout: 60_000, interval: 20 }).toBe(count);
  };
  /** Nothing is written meanwhile. */
  async function whileLocked(work: (unlock: () => Promise<unknown>) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward,public' });
    await client.connect();
    await client.query('begin');
    await client.query('lock table webhook_states in access exclusive mode');
    await work(() => client.query('commit')).finally(() => client.end());
  }

  afterEach(() => {
    errors.length = 0;
  });

  it('are drained when they are written, not when their writing begins', async () => {
    const recorder = openRecorder();
    await whileLocked(async (unlock) => {
      push(recorder, newEndpoint('whk'));
      await expectWaiting(1);
      let isDrained = false;
      const drained = recorder.drained().then(() => {
        isDrained = true;
      });
      await db.waiting();
      expect(isDrained).toBe(false);
      await unlock();
      await drained;
    });
    expect([recorder.unwritten, errors]).toEqual([0, []]);
  });

  it('are written at most two thousand at a time, and those of an endpoint one batch after the other', async () => {
    const recorder = openRecorder();
    const [first, second] = [newEndpoint('whk_1'), newEndpoint('whk_2')];
    await whileLocked(async (unlock) => {
      push(recorder, first, 2_000);
      push(recorder, second);
      await expectWaiting(1);
      expect([first.isWriting, second.isWriting]).toEqual([true, false]);
      push(recorder, first);
      push(recorder, second);
      await expectWaiting(2);
      expect([first.unwrittenCount, second.isWriting]).toEqual([1, true]);
      await unlock();
      await recorder.drained();
    });
    expect([recorder.unwritten, errors]).toEqual([0, []]);
  });

  it('are written again when writing them fails', async () => {
    const recorder = openRecorder();
    await whileLocked(async (unlock) => {
      push(recorder, newEndpoint('whk'));
      await expectWaiting(1);
      await db.endWaiting();
      await expect.poll(() => errors.length, { timeout: 60_000, interval: 20 }).toBe(1);
      await unlock();
      await recorder.drained();
    });
    expect([recorder.unwritten, errors.length]).toEqual([0, 1]);
  });
});
