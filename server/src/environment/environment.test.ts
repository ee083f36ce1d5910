import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService } from '../../test/harness/index.js';
import { sequenceEvents } from '../events/index.js';

type Service = Awaited<ReturnType<typeof openTestService>>;
let service: Service;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

interface PointData {
  pointId: string;
  state: string;
  openAlerts: number;
  lastReading: object | null;
}
interface AlertData {
  alertId: string;
  status: string;
  metric: string;
  startedAt: string;
  openedAt: string;
  closedAt: string | null;
  lowest: number;
  highest: number;
  repeats: number;
  upperLimit: number | null;
}
interface Recorded {
  received: number;
  stored: number;
  duplicates: number;
  late: number;
  alerts: string[];
}
interface PageData<T> {
  items: T[];
  nextCursor: string | null;
}

const coldRoom = { name: 'Cold room', warehouse: 'WH-1', zone: 'COLD', temperature: { min: 2, max: 8 } };
let points = 0;
async function newPoint(part: object = {}): Promise<string> {
  const pointId = `P-${++points}`;
  const answer = await put(pointId, part);
  if (answer.status !== 200) throw new Error(answer.text);
  return pointId;
}
const put = (pointId: string, part: object = {}) =>
  service.call<PointData>('PUT', `/v2/environment/points/${pointId}`, { ...coldRoom, ...part });
const get = async (pointId: string) =>
  (await service.call<PointData>('GET', `/v2/environment/points/${pointId}`)).data;
const record = (readings: object[], key?: string) =>
  service.call<Recorded>('POST', '/v2/environment/readings', { readings }, key);
const alertsOf = async (pointId: string, more = '') =>
  (await service.call<PageData<AlertData>>('GET', `/v2/environment/alerts?pointId=${pointId}${more}`)).data
    .items;
/** Minutes before the moment at which the clock of the tests stands. */
const ago = (minutes: number) => new Date(service.db.clock.now().getTime() - minutes * 60_000).toISOString();
const reading = (pointId: string, minutes: number, temperature: number, more: object = {}) => ({
  pointId,
  at: ago(minutes),
  temperature,
  ...more,
});

async function eventsAbout(pointId: string) {
  await sequenceEvents(service.db.database, service.org.organization.orgId);
  const { data } = await service.call<{ items: { timestamp: string; data: { pointId: string } }[] }>(
    'GET',
    '/v2/events?eventType=environment.alert&limit=200',
  );
  return data.items.filter((event) => event.data.pointId === pointId);
}

describe('a monitoring point', () => {
  it('is put, read and listed with all its fields', async () => {
    const { status, data } = await put('P-full', {
      humidity: { min: null, max: 75 },
      alarmDelaySeconds: 60,
      silentAfterSeconds: 600,
    });
    expect(status).toBe(200);
    expect(data).toEqual({
      ...coldRoom,
      pointId: 'P-full',
      humidity: { min: null, max: 75 },
      alarmDelaySeconds: 60,
      silentAfterSeconds: 600,
      status: 'active',
      state: 'no_data',
      lastReading: null,
      openAlerts: 0,
      version: 1,
      createdAt: ago(0),
      updatedAt: ago(0),
    });
    expect(await get('P-full')).toEqual(data);
    const listed = await service.call<PageData<PointData>>(
      'GET',
      '/v2/environment/points?zone=COLD&limit=200',
    );
    expect(listed.data.items).toContainEqual(data);
    // A view can be sent back as it is.
    expect((await service.call('PUT', '/v2/environment/points/P-full', data)).data).toEqual(data);
  });

  it.each([
    [{ warehouse: 'WH-9' }, 'unknown_reference', '/warehouse'],
    [{ zone: 'HOT' }, 'unknown_reference', '/zone'],
    [{ warehouse: 'WH-2' }, 'unknown_reference', '/zone'],
    [{ temperature: { min: 9, max: 8 } }, 'range_crossed', '/temperature/min'],
    [{ humidity: { min: 9, max: 8 } }, 'range_crossed', '/humidity/min'],
    [{ humidity: { max: 101 } }, 'out_of_range', '/humidity/max'],
    [{ temperature: { min: -274 } }, 'out_of_range', '/temperature/min'],
    [{ alarmDelaySeconds: 86_401 }, 'out_of_range', '/alarmDelaySeconds'],
    [{ silentAfterSeconds: 0 }, 'out_of_range', '/silentAfterSeconds'],
    [{ status: 'broken' }, 'not_allowed', '/status'],
    [{ pointId: 'P-other' }, 'code_mismatch', '/pointId'],
    [{ colour: 'blue' }, 'unknown_field', '/colour'],
  ])('%j is refused: %s at %s', async (part, reason, path) => {
    const answer = await put('P-refused', part);
    expect([answer.status, answer.json.errors[0]]).toMatchObject([400, { reason, path }]);
    expect((await service.call('GET', '/v2/environment/points/P-refused')).status).toBe(404);
  });

  it('keeps its zone: a warehouse cannot drop a zone in which a point stands', async () => {
    const zones = [{ code: 'SHELF', name: 'Shelf' }];
    await service.call('PUT', '/v2/warehouses/WH-Z', { name: 'Zoned', zones });
    const pointId = await newPoint({ warehouse: 'WH-Z', zone: 'SHELF' });
    const dropped = { name: 'Zoned', zones: [{ code: 'FLOOR', name: 'Floor' }] };
    const answer = await service.call('PUT', '/v2/warehouses/WH-Z', dropped);
    expect([answer.status, answer.reason]).toEqual([400, 'zone_in_use']);
    const read = await service.call<{ zones: object[] }>('GET', '/v2/warehouses/WH-Z');
    expect(read.data.zones).toEqual(zones);
    await put(pointId, { warehouse: 'WH-Z', zone: null });
    expect((await service.call('PUT', '/v2/warehouses/WH-Z', dropped)).status).toBe(200);
  });

  it('is normal, in alert, silent or without data, by its readings and the time', async () => {
    const pointId = await newPoint({ silentAfterSeconds: 600 });
    const inState = async (state: string) => {
      const path = `/v2/environment/points?state=${state}&limit=200`;
      const { data } = await service.call<PageData<PointData>>('GET', path);
      return data.items.some((point) => point.pointId === pointId);
    };
    expect([(await get(pointId)).state, await inState('no_data')]).toEqual(['no_data', true]);
    await record([reading(pointId, 5, 5, { humidity: 40 })]);
    expect(await get(pointId)).toMatchObject({
      state: 'normal',
      lastReading: { at: ago(5), temperature: 5, humidity: 40 },
    });
    await record([reading(pointId, 4, 9)]);
    expect(await get(pointId)).toMatchObject({ state: 'alert', openAlerts: 1 });
    expect([await inState('alert'), await inState('normal')]).toEqual([true, false]);
    service.db.clock.advance(6 * 60_000);
    expect((await get(pointId)).state).toBe('alert');
    service.db.clock.advance(1);
    expect([(await get(pointId)).state, await inState('silent')]).toEqual(['silent', true]);
    await put(pointId, { status: 'retired' });
    expect([(await get(pointId)).state, await inState('retired')]).toEqual(['retired', true]);
  });

  it('that is retired takes no readings, and its open alert closes', async () => {
    const pointId = await newPoint();
    await record([reading(pointId, 4, 9)]);
    await put(pointId, { status: 'retired' });
    expect(await alertsOf(pointId)).toMatchObject([{ status: 'closed', closedAt: ago(0) }]);
    const answer = await record([reading(pointId, 1, 9)]);
    expect(answer.json.errors[0]).toMatchObject({ reason: 'point_retired', path: '/readings/0/pointId' });
    await put(pointId);
    expect((await record([reading(pointId, 1, 9)])).data.alerts).toHaveLength(1);
  });

  it('is made once by two who put it at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => put('P-race', { name: `Name ${i}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});

describe('readings', () => {
  it('are stored, and sent again are known', async () => {
    const pointId = await newPoint();
    const batch = [reading(pointId, 3, 5), reading(pointId, 2, 6, { humidity: 50 }), reading(pointId, 1, 7)];
    expect((await record(batch)).data).toEqual({
      received: 3,
      stored: 3,
      duplicates: 0,
      late: 0,
      alerts: [],
    });
    expect((await record(batch)).data).toEqual({
      received: 3,
      stored: 0,
      duplicates: 3,
      late: 0,
      alerts: [],
    });
    const { data } = await service.call<PageData<object>>(
      'GET',
      `/v2/environment/readings?pointId=${pointId}`,
    );
    expect(data.items).toEqual([
      { pointId, at: ago(3), temperature: 5, humidity: null },
      { pointId, at: ago(2), temperature: 6, humidity: 50 },
      { pointId, at: ago(1), temperature: 7, humidity: null },
    ]);
  });

  it('of one instant: the first stays, in a batch as between batches', async () => {
    const pointId = await newPoint();
    const first = await record([reading(pointId, 3, 5), reading(pointId, 3, 9)]);
    expect(first.data).toMatchObject({ received: 2, stored: 1, duplicates: 1, alerts: [] });
    expect((await record([reading(pointId, 3, 9)])).data).toMatchObject({ duplicates: 1, alerts: [] });
    expect(await get(pointId)).toMatchObject({ state: 'normal', lastReading: { temperature: 5 } });
  });

  it('that come late are stored and never alert', async () => {
    const pointId = await newPoint();
    await record([reading(pointId, 10, 5)]);
    const late = await record([reading(pointId, 20, 30), reading(pointId, 10.5, -40)]);
    expect(late.data).toEqual({ received: 2, stored: 2, duplicates: 0, late: 2, alerts: [] });
    expect(await get(pointId)).toMatchObject({
      state: 'normal',
      lastReading: { at: ago(10), temperature: 5 },
    });
    expect(await eventsAbout(pointId)).toEqual([]);
  });

  it.each<[string, (pointId: string) => object, string, string]>([
    ['an unknown point', (p) => reading(`${p}-x`, 1, 5), 'unknown_reference', '/readings/1/pointId'],
    ['the future', (p) => reading(p, -5.01, 5), 'reading_in_future', '/readings/1/at'],
    ['too long ago', (p) => reading(p, 1_830 * 24 * 60 + 0.01, 5), 'reading_too_old', '/readings/1/at'],
    ['nothing read', (p) => ({ pointId: p, at: ago(1) }), 'reading_empty', '/readings/1/temperature'],
    [
      'nothing but null',
      (p) => ({ pointId: p, at: ago(1), humidity: null }),
      'reading_empty',
      '/readings/1/temperature',
    ],
    ['too cold to be', (p) => reading(p, 1, -273.16), 'out_of_range', '/readings/1/temperature'],
    ['too hot', (p) => reading(p, 1, 1_000.1), 'out_of_range', '/readings/1/temperature'],
    [
      'humidity above 100',
      (p) => reading(p, 1, 5, { humidity: 100.1 }),
      'out_of_range',
      '/readings/1/humidity',
    ],
    ['no instant', (p) => ({ pointId: p, temperature: 5 }), 'required', '/readings/1/at'],
    [
      'a local time',
      (p) => ({ pointId: p, at: '2026-11-15T10:00:00', temperature: 5 }),
      'bad_format',
      '/readings/1/at',
    ],
    [
      'a word',
      (p) => ({ pointId: p, at: ago(1), temperature: 'warm' }),
      'wrong_type',
      '/readings/1/temperature',
    ],
  ])('with %s refuse the whole batch', async (_what, bad, reason, path) => {
    const pointId = await newPoint();
    const answer = await record([reading(pointId, 2, 9), bad(pointId)]);
    expect([answer.status, answer.json.errors[0]]).toMatchObject([400, { reason, path }]);
    expect(await get(pointId)).toMatchObject({ state: 'no_data', openAlerts: 0 });
    const { data } = await service.call<PageData<object>>(
      'GET',
      `/v2/environment/readings?pointId=${pointId}`,
    );
    expect(data.items).toEqual([]);
  });

  it('up to 5 minutes ahead, and up to a thousand at once, are taken; none and one more are not', async () => {
    const pointId = await newPoint();
    expect((await record([reading(pointId, -5, 5)])).status).toBe(200);
    const many = (count: number) => Array.from({ length: count }, (_, i) => reading(pointId, 1 + i, 5));
    expect((await record(many(1_000))).data).toMatchObject({ stored: 1_000, late: 1_000 });
    for (const count of [0, 1_001]) expect((await record(many(count))).reason).toBe('bad_item_count');
  });

  it('are paged in the order of their instants, from and to', async () => {
    const pointId = await newPoint();
    await record(Array.from({ length: 25 }, (_, i) => reading(pointId, 100 - i, i / 10)));
    const seen: { temperature: number }[] = [];
    let cursor = '';
    do {
      const path = `/v2/environment/readings?pointId=${pointId}&limit=10&from=${ago(98)}&to=${ago(80)}${cursor}`;
      const { data } = await service.call<PageData<{ temperature: number }>>('GET', path);
      seen.push(...data.items);
      cursor = data.nextCursor === null ? '' : `&cursor=${data.nextCursor}`;
    } while (cursor !== '');
    expect(seen.map(({ temperature }) => temperature)).toEqual(
      Array.from({ length: 18 }, (_, i) => (i + 2) / 10),
    );
  });

  it('leave one audit entry a batch that says how many and of when, and none when nothing was new', async () => {
    const [one, two] = [await newPoint(), await newPoint()];
    const entries = () =>
      service.db.sql<{ after: object }>(
        `select after from audit_entries where action = 'readings.record' and after->>'points' = '2' order by entry_id`,
      );
    const before = (await entries()).length;
    const batch = [reading(one, 9, 5), reading(two, 7, 5), reading(one, 8, 5)];
    await record(batch);
    await record(batch);
    expect((await entries()).slice(before)).toEqual([
      { after: { received: 3, stored: 3, duplicates: 0, late: 0, points: 2, from: ago(9), to: ago(7) } },
    ]);
  });
});

describe('an alert', () => {
  it('opens, is repeated every 30 minutes and closes, with an event for each notification', async () => {
    const pointId = await newPoint();
    const { data } = await record([
      reading(pointId, 100, 5),
      reading(pointId, 90, 9.1),
      reading(pointId, 70, 12),
      reading(pointId, 60, 10),
      reading(pointId, 20, 9),
    ]);
    const [alertId = ''] = data.alerts;
    const open = {
      alertId,
      status: 'open',
      pointId,
      pointName: 'Cold room',
      warehouse: 'WH-1',
      zone: 'COLD',
      metric: 'temperature',
      unit: '°C',
      lowerLimit: 2,
      upperLimit: 8,
      startedAt: ago(90),
      openedAt: ago(90),
      lowest: 9,
      highest: 12,
      lastValue: 9,
      lastObservedAt: ago(20),
      repeats: 2,
      lastToldAt: ago(20),
      closedAt: null,
      acknowledgedAt: null,
      acknowledgedBy: null,
      acknowledgement: null,
      updatedAt: ago(0),
    };
    expect(await alertsOf(pointId)).toEqual([open]);
    await record([reading(pointId, 10, 8)]);
    const closed = { ...open, status: 'closed', closedAt: ago(10) };
    expect(await alertsOf(pointId)).toEqual([closed]);
    const single = await service.call('GET', `/v2/environment/alerts/${alertId}`);
    expect(single.data).toEqual({ ...closed, affectedBatches: [] });
    const common = {
      alertId,
      pointId,
      pointName: 'Cold room',
      warehouse: 'WH-1',
      zone: 'COLD',
      metric: 'temperature',
    };
    const limits = { unit: '°C', lowerLimit: 2, upperLimit: 8, startedAt: ago(90) };
    expect((await eventsAbout(pointId)).map((event) => event.data)).toEqual([
      { ...common, ...limits, value: 9.1, observedAt: ago(90), repeat: 0 },
      { ...common, ...limits, value: 10, observedAt: ago(60), repeat: 1 },
      { ...common, ...limits, value: 9, observedAt: ago(20), repeat: 2 },
    ]);
  });

  it('waits for the delay, over several batches, and remembers how bad it was meanwhile', async () => {
    const pointId = await newPoint({ alarmDelaySeconds: 600, humidity: { max: 70 } });
    const first = await record([reading(pointId, 30, 15, { humidity: 90 })]);
    const second = await record([reading(pointId, 25, 9, { humidity: 60 }), reading(pointId, 20.1, 9)]);
    expect([first.data.alerts, second.data.alerts]).toEqual([[], []]);
    const third = await record([reading(pointId, 20, 9)]);
    expect(third.data.alerts).toHaveLength(1);
    expect(await alertsOf(pointId)).toMatchObject([
      { metric: 'temperature', startedAt: ago(30), openedAt: ago(20), highest: 15, lowest: 9, repeats: 0 },
    ]);
  });

  it('of every crossing in one batch is there, newest first, and its event after the one before', async () => {
    const pointId = await newPoint();
    const values = [9, 5, 1, 5, 9, 5];
    await record(values.map((value, i) => reading(pointId, 50 - i, value)));
    expect((await alertsOf(pointId)).map(({ openedAt, closedAt }) => [openedAt, closedAt])).toEqual([
      [ago(46), ago(45)],
      [ago(48), ago(47)],
      [ago(50), ago(49)],
    ]);
    expect((await eventsAbout(pointId)).map(({ data }) => (data as { value?: number }).value)).toEqual([
      9, 1, 9,
    ]);
    const versions = await service.db.sql(
      `select entity_version::integer as version from events where entity_id = $1 order by entity_version`,
      [pointId],
    );
    expect(versions).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }]);
  });

  it('is judged by new limits from the next reading on', async () => {
    const pointId = await newPoint();
    await record([reading(pointId, 50, 9)]);
    await put(pointId, { temperature: { min: 2, max: 10 } });
    expect(await alertsOf(pointId)).toMatchObject([{ status: 'open', upperLimit: 8 }]);
    await record([reading(pointId, 40, 9)]);
    expect(await alertsOf(pointId)).toMatchObject([{ status: 'closed', closedAt: ago(40), upperLimit: 8 }]);
    await record([reading(pointId, 30, 11)]);
    await put(pointId, { temperature: null });
    await record([reading(pointId, 20, 11)]);
    expect(await alertsOf(pointId, '&status=open')).toEqual([]);
    expect(await alertsOf(pointId, '&status=closed')).toMatchObject([
      { upperLimit: 10, closedAt: ago(20) },
      {},
    ]);
  });

  it('of a clock that went back still has its events in order', async () => {
    const pointId = await newPoint();
    await record([reading(pointId, 50, 9)]);
    const here = service.db.clock.now().toISOString();
    service.db.clock.set(new Date(Date.parse(here) - 600_000).toISOString());
    await record([reading(pointId, 30, 5), reading(pointId, 20, 1)]);
    service.db.clock.set(here);
    const events = await eventsAbout(pointId);
    expect(events.map(({ timestamp }) => timestamp)).toEqual([here, here]);
  });

  it('is found by warehouse, metric, status and acknowledgement, page by page', async () => {
    await service.call('PUT', '/v2/warehouses/WH-F', { name: 'Filtered' });
    const pointId = await newPoint({ warehouse: 'WH-F', zone: null, humidity: { max: 70 } });
    await record([9, 5, 9, 5, 9].map((value, i) => reading(pointId, 50 - i, value, { humidity: 80 })));
    const find = async (query: string) => {
      const path = `/v2/environment/alerts?warehouse=WH-F${query}`;
      return (await service.call<PageData<AlertData>>('GET', path)).data;
    };
    expect((await find('')).items).toHaveLength(4);
    expect((await find('&metric=humidity')).items).toMatchObject([{ metric: 'humidity', status: 'open' }]);
    expect((await find('&status=open')).items).toHaveLength(2);
    expect((await find('&status=closed&metric=temperature')).items).toHaveLength(2);
    const [humid] = (await find('&metric=humidity')).items;
    await service.call('POST', `/v2/environment/alerts/${humid?.alertId}/acknowledge`, { comment: 'seen' });
    expect((await find('&acknowledged=true')).items.map(({ alertId }) => alertId)).toEqual([humid?.alertId]);
    expect((await find('&acknowledged=false')).items).toHaveLength(3);
    const first = await find('&limit=3');
    const rest = await find(`&limit=3&cursor=${first.nextCursor}`);
    const ids = [...first.items, ...rest.items].map(({ alertId }) => alertId);
    expect(ids).toEqual((await find('')).items.map(({ alertId }) => alertId));
  });

  it('is acknowledged once, by the caller, with a comment', async () => {
    const pointId = await newPoint();
    const [alertId] = (await record([reading(pointId, 5, 9)])).data.alerts;
    const path = `/v2/environment/alerts/${alertId}/acknowledge`;
    expect((await service.call('POST', path, {})).reason).toBe('required');
    const both = await Promise.all(
      [1, 2].map((n) => service.call('POST', path, { comment: `door open ${n}` })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(both.find(({ status }) => status === 400)?.reason).toBe('already_acknowledged');
    expect(both.find(({ status }) => status === 200)?.data).toMatchObject({
      acknowledgedAt: ago(0),
      acknowledgedBy: `owner@${service.org.organization.code}.example`,
      acknowledgement: expect.stringMatching(/^door open/),
    });
  });
});

describe('history', () => {
  it('is taken together by equal spans, with limits and alerts; empty spans are left out', async () => {
    const pointId = await newPoint({ humidity: { max: 70 } });
    await record([
      reading(pointId, 60, 4),
      reading(pointId, 59, 6, { humidity: 40 }),
      reading(pointId, 30, 9, { humidity: 50 }),
      reading(pointId, 1, 5),
      reading(pointId, 0, 7),
    ]);
    const path = `/v2/environment/points/${pointId}/history?from=${ago(60)}&to=${ago(0)}&buckets=6`;
    const { data } = await service.call<{ alerts: object[] }>('GET', path);
    expect(data).toMatchObject({
      pointId,
      from: ago(60),
      to: ago(0),
      bucketSeconds: 600,
      temperature: { min: 2, max: 8 },
      humidity: { min: null, max: 70 },
      buckets: [
        {
          ...{ at: ago(60), firstAt: ago(60), lastAt: ago(59) },
          count: 2,
          temperature: { min: 4, avg: 5, max: 6 },
          humidity: { min: 40, avg: 40, max: 40 },
        },
        {
          ...{ at: ago(30), firstAt: ago(30), lastAt: ago(30) },
          count: 1,
          temperature: { min: 9, avg: 9, max: 9 },
          humidity: { min: 50, avg: 50, max: 50 },
        },
        {
          ...{ at: ago(10), firstAt: ago(1), lastAt: ago(1) },
          count: 1,
          temperature: { min: 5, avg: 5, max: 5 },
          humidity: null,
        },
      ],
      alerts: [{ startedAt: ago(30), closedAt: ago(1) }],
    });
    const later = `/v2/environment/points/${pointId}/history?from=${ago(0.5)}`;
    expect((await service.call<{ alerts: object[] }>('GET', later)).data.alerts).toEqual([]);
  });

  it('is of the last 24 hours in 300 parts when nothing is said', async () => {
    const pointId = await newPoint();
    await record([reading(pointId, 24 * 60 + 1, 4), reading(pointId, 24 * 60, 5), reading(pointId, 1, 6)]);
    const { data } = await service.call<{ buckets: { count: number }[] }>(
      'GET',
      `/v2/environment/points/${pointId}/history`,
    );
    expect(data).toMatchObject({ from: ago(24 * 60), to: ago(0), bucketSeconds: 288 });
    expect(data.buckets.map(({ count }) => count)).toEqual([1, 1]);
  });

  it.each([
    [`from=2026-11-15T10:00:00Z&to=2026-11-15T10:00:00Z`, 'span_reversed'],
    ['buckets=0', 'out_of_range'],
    ['buckets=2001', 'out_of_range'],
    ['from=yesterday', 'bad_format'],
  ])('%s is refused: %s', async (query, reason) => {
    const pointId = await newPoint();
    expect((await service.call('GET', `/v2/environment/points/${pointId}/history?${query}`)).reason).toBe(
      reason,
    );
  });
});
