import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService } from '../../test/harness/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const coldRoom = { name: 'Cold room', warehouse: 'WH-1', zone: 'COLD', temperature: { min: 2, max: 8 } };
let points = 0;
const put = (pointId: string, part: object = {}) =>
  service.call('PUT', `/v2/environment/points/${pointId}`, { ...coldRoom, ...part });
async function newPoint(part: object = {}): Promise<string> {
  const pointId = `P-${++points}`;
  const answer = await put(pointId, part);
  if (answer.status !== 200) throw new Error(answer.text);
  return pointId;
}
const record = (readings: object[]) =>
  service.call<{ stored: number; alerts: string[] }>('POST', '/v2/environment/readings', { readings });
/** Minutes before the moment at which the clock of the tests stands. */
const ago = (minutes: number) => new Date(service.db.clock.now().getTime() - minutes * 60_000).toISOString();
const reading = (pointId: string, minutes: number, temperature: number) => ({
  pointId,
  at: ago(minutes),
  temperature,
});

describe('a monitoring point', () => {
  it('in a zone that is dropped meanwhile is refused, as in one that never was', async () => {
    const place = { warehouse: 'WH-DROP', zone: 'SHELF' };
    await service.call('PUT', '/v2/warehouses/WH-DROP', {
      name: 'Zoned',
      zones: [{ code: 'SHELF', name: 'Shelf' }],
    });
    const known = await newPoint({ warehouse: 'WH-DROP', zone: null });
    const client = new pg.Client({
      connectionString: service.db.url,
      options: '-c search_path=lotward,public',
    });
    await client.connect();
    await client.query('begin');
    await client.query(`delete from warehouse_zones where warehouse = 'WH-DROP'`);
    const answers = Promise.all([put('P-drop', place), put(known, place)]);
    const waiting = async () => (await service.db.waiting()).length;
    await expect
      .poll(waiting, { timeout: 60_000, interval: 20 })
      .toBe(2)
      .finally(() => client.query('commit'))
      .finally(() => client.end());
    for (const answer of [...(await answers), await put('P-drop', place)])
      expect([answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([
        400,
        'unknown_reference',
        '/zone',
      ]);
  });

  it('is listed by warehouse, zone and state', async () => {
    await service.call('PUT', '/v2/warehouses/WH-LIST', {
      name: 'Listed',
      zones: [
        { code: 'A', name: 'A' },
        { code: 'B', name: 'B' },
      ],
    });
    const [first, second] = [
      await newPoint({ warehouse: 'WH-LIST', zone: 'A' }),
      await newPoint({ warehouse: 'WH-LIST', zone: 'B' }),
    ];
    await record([reading(second, 1, 9)]);
    const listed = async (query: string) =>
      (
        await service.call<{ items: { pointId: string }[] }>(
          'GET',
          `/v2/environment/points?limit=200&${query}`,
        )
      ).data.items.map(({ pointId }) => pointId);
    expect(await listed('warehouse=WH-LIST')).toEqual([first, second]);
    expect(await listed('warehouse=WH-LIST&zone=B')).toEqual([second]);
    expect(await listed('warehouse=WH-LIST&state=no_data')).toEqual([first]);
    expect(await listed('zone=A')).toEqual([first]);
  });

  it('that is put into service again has forgotten how long it was outside before it was retired', async () => {
    const delayed = { alarmDelaySeconds: 600 };
    const pointId = await newPoint(delayed);
    await record([reading(pointId, 20, 9)]);
    await put(pointId, { ...delayed, status: 'retired' });
    await put(pointId, delayed);
    expect((await record([reading(pointId, 5, 9)])).data.alerts).toEqual([]);
  });

  it('may have one limit only, or the same for both', async () => {
    const alertsAt = async (temperature: object, value: number) =>
      (await record([reading(await newPoint({ temperature }), 1, value)])).data.alerts.length;
    expect([await alertsAt({ min: 2 }, 1), await alertsAt({ min: 2 }, 99)]).toEqual([1, 0]);
    expect([await alertsAt({ max: 8 }, 9), await alertsAt({ max: 8 }, -99)]).toEqual([1, 0]);
    expect([await alertsAt({ min: 5, max: 5 }, 5), await alertsAt({ min: 5, max: 5 }, 6)]).toEqual([0, 1]);
  });
});

describe('readings', () => {
  it('are taken for as long as they are kept, and with humidity alone', async () => {
    const pointId = await newPoint();
    expect((await record([reading(pointId, 1_830 * 24 * 60, 5)])).status).toBe(200);
    expect((await record([{ pointId, at: ago(1), humidity: 40 }])).data.stored).toBe(1);
  });
});
