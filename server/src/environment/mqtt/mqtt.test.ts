import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openBroker, type TestBroker } from '../../../test/harness/broker.js';
import { newOrganization, openTestService, stockCatalogue } from '../../../test/harness/index.js';
import { openPools, openPostgresProxy } from '../../../test/http/postgres-proxy.js';
import type { Database } from '../../platform/database/index.js';
import { openReadingIntake } from './index.js';
import { readIntakeCounts } from './intake-counts.store.js';

let service: Awaited<ReturnType<typeof openTestService>>;
let broker: TestBroker;
let code: string;
let points = 0;
let pointId: string;
const open: { stop(): Promise<void> }[] = [];
const refusals: { topic: string; refused: Readonly<Record<string, number>> }[] = [];

beforeAll(async () => {
  service = await openTestService({ alone: true });
  broker = await openBroker();
  code = service.org.organization.code;
});
afterEach(async () => {
  for (const intake of open.splice(0)) await intake.stop();
  refusals.length = 0;
});
afterAll(async () => {
  await broker.close();
  await service.close();
});

const start = (database: Database = service.db.database, leaseMs = 300, waitingMax = 1_000) => {
  const intake = openReadingIntake({
    database,
    url: broker.url,
    retentionDays: 1_000,
    leaseMs,
    waitingMax,
    onState: () => {},
    onRefused: (topic, refused) => refusals.push({ topic, refused }),
    onError: () => {},
  });
  open.push(intake);
  return intake;
};
const connected = () => expect.poll(broker.clients, { timeout: 60_000 }).toHaveLength(1);

async function newPoint(): Promise<string> {
  pointId = `P-${++points}`;
  const answer = await service.call('PUT', `/v2/environment/points/${pointId}`, {
    name: 'Cold room',
    warehouse: 'WH-1',
    temperature: { min: 2, max: 8 },
  });
  expect(answer.status, answer.text).toBe(200);
  return pointId;
}

const minute = (n: number) => new Date(Date.parse('2026-11-15T08:00:00Z') + n * 60_000).toISOString();
const stored = async (of = pointId) => {
  const rows = await service.db.sql<{ at: Date; temperature: number }>(
    'select at, temperature from readings where point_id = $1 order by at',
    [of],
  );
  return rows.map(({ at, temperature }) => [at.toISOString(), temperature]);
};
const eventually = (rows: unknown[], of = pointId) =>
  expect.poll(() => stored(of), { timeout: 60_000 }).toEqual(rows);
const counted = async (outcome: string) =>
  (await readIntakeCounts(service.db.database.worker)).find((each) => each.outcome === outcome)?.count ?? 0;

describe('readings from a broker', () => {
  it('are dated with any offset, and one instant in two spellings is one reading', async () => {
    await newPoint();
    start();
    await connected();
    const topic = `lotward/${code}/readings/${pointId}`;
    await broker.publish(topic, { at: '2026-11-15T17:00:00+08:00', temperature: 5 });
    await broker.publish(topic, [
      { at: '2026-11-15T09:00:00.0000000+00:00', temperature: 6 },
      { at: '2026-11-15t09:01:00z', temperature: 7 },
    ]);
    await eventually([
      ['2026-11-15T09:00:00.000Z', 5],
      ['2026-11-15T09:01:00.000Z', 7],
    ]);
    expect(refusals).toEqual([]);
  });

  it('of one message are all stored, also beyond the 1,000 of one transaction', async () => {
    await newPoint();
    start();
    await connected();
    const first = Date.parse('2026-11-14T00:00:00Z');
    const instant = (second: number) => new Date(first + second * 1_000).toISOString();
    const readings = Array.from({ length: 1_001 }, (_, n) => ({ at: instant(n), temperature: 5 }));
    await broker.publish(`lotward/${code}/readings/${pointId}`, readings);
    await expect.poll(async () => (await stored()).length, { timeout: 10_000 }).toBe(1_001);
    expect((await stored()).at(-1)).toEqual([instant(1_000), 5]);
    expect(refusals).toEqual([]);
  });

  it('are stored from either topic, alone or together, and alert as those of the API do', async () => {
    await newPoint();
    start();
    await connected();
    await broker.publish(`lotward/${code}/readings/${pointId}`, { at: minute(0), temperature: 5 });
    await broker.publish(`lotward/${code}/readings/${pointId}`, [{ at: minute(1), temperature: 6 }]);
    await broker.publish(`lotward/${code}/readings`, {
      readings: [
        { pointId, at: minute(2), temperature: 9 },
        { pointId, at: minute(3), temperature: 5 },
      ],
    });
    await eventually([
      [minute(0), 5],
      [minute(1), 6],
      [minute(2), 9],
      [minute(3), 5],
    ]);
    const alerts = await service.call<{ items: object[] }>(
      'GET',
      `/v2/environment/alerts?pointId=${pointId}`,
    );
    expect(alerts.data.items).toMatchObject([{ metric: 'temperature', startedAt: minute(2) }]);
  });

  it('that are invalid are counted and rejected, and the valid ones beside them stored', async () => {
    await newPoint();
    const before = { unreadable: await counted('unreadable'), malformed: await counted('malformed') };
    start();
    await connected();
    const readings = `lotward/${code}/readings`;
    await broker.publish(readings, 'not JSON');
    await broker.publish(readings, '"text"');
    await broker.publish(readings, { readings: [] });
    await broker.publish(`lotward/${code}/readings/${pointId}`, Buffer.alloc(1_100_000, ' ').toString());
    await broker.publish('lotward/nobody/readings', [{ pointId, at: minute(0), temperature: 1 }]);
    await broker.publish(`lotward/${code}/readings/${pointId}`, {
      pointId: 'OTHER',
      at: minute(0),
      temperature: 1,
    });
    await broker.publish(readings, [
      { pointId, at: minute(1), temperature: 5 },
      { pointId, at: 'yesterday', temperature: 5 },
      { pointId, at: minute(2), temperature: 5_000 },
      { pointId: 'NOBODY', at: minute(2), temperature: 5 },
      { pointId: 'NOBODY', at: minute(3), temperature: 5 },
      { pointId, at: '2026-11-15T11:00:00Z', temperature: 5 },
      { pointId, at: minute(2), temperature: 6 },
    ]);
    await eventually([
      [minute(1), 5],
      [minute(2), 6],
    ]);
    await expect
      .poll(() => refusals.map(({ refused }) => refused))
      .toEqual([
        { unreadable: 1 },
        { unreadable: 1 },
        { unreadable: 1 },
        { unreadable: 1 },
        { unknown_organization: 1 },
        { malformed: 1 },
        { malformed: 2, unknown_reference: 2, reading_in_future: 1 },
      ]);
    await expect.poll(() => counted('unreadable')).toBe(before.unreadable + 4);
    await expect.poll(() => counted('malformed')).toBe(before.malformed + 3);
    expect((await service.api.call('GET', '/metrics')).text).toMatch(
      /lotward_mqtt_total\{outcome="unreadable"\} \d/,
    );
  });

  it('wait with the broker while no worker is there, also when the connection breaks', async () => {
    await newPoint();
    const first = start();
    await connected();
    await first.stop();
    for (let n = 0; n < 20; n++)
      await broker.publish(`lotward/${code}/readings/${pointId}`, { at: minute(n), temperature: 5 });
    expect(await stored()).toEqual([]);
    start();
    await connected();
    broker.cut();
    for (let n = 20; n < 25; n++)
      await broker.publish(`lotward/${code}/readings/${pointId}`, { at: minute(n), temperature: 5 });
    await eventually(Array.from({ length: 25 }, (_, n) => [minute(n), 5]));
  });

  it('are taken by one worker at a time, and by the other when that one has gone', async () => {
    await newPoint();
    const [one, other] = [start(), start(await service.db.another())];
    await connected();
    const publish = (n: number) =>
      broker.publish(`lotward/${code}/readings/${pointId}`, { at: minute(n), temperature: 5 });
    await publish(0);
    await eventually([[minute(0), 5]]);
    expect(broker.clients()).toHaveLength(1);
    await one?.stop();
    await publish(1);
    await eventually([
      [minute(0), 5],
      [minute(1), 5],
    ]);
    expect(broker.clients()).toHaveLength(1);
    await other?.stop();
    expect(broker.clients()).toEqual([]);
  });

  it('are not acknowledged before they are stored: with the database away they come when it is back', async () => {
    await newPoint();
    const proxy = await openPostgresProxy(service.db.url);
    const limits = { waitMs: 500, silenceMs: 500 };
    const database = await openPools(proxy.url, service.db.clock, {
      app: limits,
      reader: limits,
      worker: limits,
    });
    // Long enough that the lease does not run out while the database is away.
    start(database, 60_000);
    await connected();
    await proxy.cut();
    for (let n = 0; n < 5; n++)
      await broker.publish(`lotward/${code}/readings/${pointId}`, { at: minute(n), temperature: 5 });
    expect(await stored()).toEqual([]);
    await proxy.restore();
    await eventually(Array.from({ length: 5 }, (_, n) => [minute(n), 5]));
    for (const intake of open.splice(0)) await intake.stop();
    await database.close();
    await proxy.close();
  });
});

describe('readings of several organizations', () => {
  /** Another organization with a point of its own. */
  async function otherPoint() {
    const { key, organization } = await newOrganization(service.db);
    await stockCatalogue(service.api, key);
    const name = `Q-${++points}`;
    const body = { name: 'Cold room', warehouse: 'WH-1', temperature: { min: 2, max: 8 } };
    const answer = await service.api.call('PUT', `/v2/environment/points/${name}`, body, key);
    expect(answer.status, answer.text).toBe(200);
    return { name, topic: `lotward/${organization.code}/readings/${name}` };
  }
  /** Nothing of the point can be recorded until it is let go. */
  async function lockPoint(locked: string) {
    const client = new pg.Client({ connectionString: service.db.url, options: '-c search_path=lotward' });
    await client.connect();
    await client.query('begin');
    await client.query('select 1 from point_states where org_id = $1 and point_id = $2 for update', [
      service.org.organization.orgId,
      locked,
    ]);
    const letGo = () => client.end();
    onTestFinished(letGo);
    return letGo;
  }

  it('are recorded in turn: many of one, or one that cannot be recorded, leave those of another in time', async () => {
    const noisy = await newPoint();
    const quiet = await otherPoint();
    start();
    await connected();
    const letGo = await lockPoint(noisy);
    for (let n = 0; n < 20; n++)
      await broker.publish(`lotward/${code}/readings/${noisy}`, { at: minute(n), temperature: 5 });
    await broker.publish(quiet.topic, { at: minute(0), temperature: 6 });
    await eventually([[minute(0), 6]], quiet.name);
    expect(await stored(noisy)).toEqual([]);
    await letGo();
    await eventually(
      Array.from({ length: 20 }, (_, n) => [minute(n), 5]),
      noisy,
    );
    await expect.poll(() => service.db.sql('select 1 from intake_messages')).toEqual([]);
  });

  it('wait in a number that is bounded: more of one are rejected and counted, those of another not', async () => {
    const noisy = await newPoint();
    const quiet = await otherPoint();
    start(undefined, undefined, 3);
    await connected();
    const letGo = await lockPoint(noisy);
    for (let n = 0; n < 5; n++)
      await broker.publish(`lotward/${code}/readings/${noisy}`, { at: minute(n), temperature: 5 });
    await broker.publish(quiet.topic, { at: minute(0), temperature: 6 });
    await eventually([[minute(0), 6]], quiet.name);
    expect(refusals.map(({ refused }) => refused)).toEqual([{ overloaded: 1 }, { overloaded: 1 }]);
    await letGo();
    await eventually(
      Array.from({ length: 3 }, (_, n) => [minute(n), 5]),
      noisy,
    );
  });

  it('that wait when a worker stops are recorded by the next one', async () => {
    const noisy = await newPoint();
    const first = start();
    await connected();
    const letGo = await lockPoint(noisy);
    for (let n = 0; n < 4; n++)
      await broker.publish(`lotward/${code}/readings/${noisy}`, { at: minute(n), temperature: 5 });
    await expect.poll(() => service.db.sql('select 1 from intake_messages')).toHaveLength(4);
    await first.stop();
    await letGo();
    expect(await stored(noisy)).toEqual([]);
    start(await service.db.another());
    await eventually(
      Array.from({ length: 4 }, (_, n) => [minute(n), 5]),
      noisy,
    );
  });
});
