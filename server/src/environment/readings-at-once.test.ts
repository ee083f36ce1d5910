import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService, startApi, type TestApi } from '../../test/harness/index.js';

type Service = Awaited<ReturnType<typeof openTestService>>;
interface Recorded {
  stored: number;
  duplicates: number;
  late: number;
  alerts: string[];
}

let service: Service;
let second: TestApi;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  second = await startApi(await service.db.another());
});
afterAll(async () => {
  await second.close();
  await service.close();
});

const start = Date.parse('2026-11-15T08:00:00Z');
const at = (n: number) => new Date(start + n * 1000).toISOString();
async function newPoints(prefix: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
  for (const id of ids) {
    const body = { name: id, warehouse: 'WH-1', temperature: { min: 2, max: 8 } };
    const answer = await service.call('PUT', `/v2/environment/points/${id}`, body);
    if (answer.status !== 200) throw new Error(answer.text);
  }
  return ids;
}
const post = (api: TestApi, readings: object[]) =>
  api.call<Recorded>('POST', '/v2/environment/readings', { readings }, service.org.key);
const sum = (answers: readonly { data: Recorded }[], of: (recorded: Recorded) => number) =>
  answers.reduce((total, { data }) => total + of(data), 0);

/** Outside at every fifth reading. */
const wave = (n: number) => (n % 5 === 0 ? 9 : 5);

describe('the same batch at the same moment', () => {
  it('by eight on two processes is stored once, with each alert and event once', async () => {
    const points = await newPoints('SAME', 4);
    const batch = Array.from({ length: 200 }, (_, n) => ({
      pointId: points[n % 4],
      at: at(Math.floor(n / 4)),
      temperature: wave(Math.floor(n / 4)),
    }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => post(i % 2 === 0 ? service.api : second, batch)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(sum(answers, ({ stored }) => stored)).toBe(200);
    expect(sum(answers, ({ duplicates }) => duplicates)).toBe(7 * 200);
    expect(sum(answers, ({ late }) => late)).toBe(0);
    const [counts] = await service.db.sql(
      `select (select count(*)::integer from readings where point_id like 'SAME-%') as readings,
        (select count(*)::integer from environment_alerts where point_id like 'SAME-%') as alerts,
        (select count(*)::integer from events where entity_id like 'SAME-%') as events`,
    );
    expect(counts).toEqual({ readings: 200, alerts: 4 * 10, events: 4 * 10 });
    expect(sum(answers, ({ alerts }) => alerts.length)).toBe(40);
  });
});

describe('batches that overlap', () => {
  it('in any order of their points do not wait in a circle, and lose and double nothing', async () => {
    const points = await newPoints('OVER', 6);
    const batches = Array.from({ length: 24 }, (_, b) => {
      const readings = points.flatMap((pointId) =>
        // Each batch shares half of its instants with the next one.
        Array.from({ length: 20 }, (_, i) => ({
          pointId,
          at: at(b * 10 + i),
          temperature: wave(b * 10 + i),
        })),
      );
      return b % 2 === 0 ? readings : readings.reverse();
    });
    const answers = await Promise.all(
      batches.map((batch, b) => post(b % 3 === 0 ? second : service.api, batch)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200));
    expect(sum(answers, ({ stored }) => stored)).toBe(6 * 250);
    const rows = await service.db.sql<{ count: number; first: Date; last: Date }>(
      `select count(*)::integer as count, min(at) as first, max(at) as last from readings
       where point_id like 'OVER-%' group by point_id`,
    );
    expect(rows).toEqual(
      Array(6).fill({ count: 250, first: new Date(start), last: new Date(start + 249_000) }),
    );
    // The number of late ones depends on who came first; no notification is repeated.
    const [events] = await service.db.sql<{ events: number; versions: number }>(
      `select count(*)::integer as events, count(distinct (entity_id, entity_version))::integer as versions
       from events where entity_id like 'OVER-%'`,
    );
    const [alerts] = await service.db.sql<{ count: number }>(
      "select count(*)::integer as count from environment_alerts where point_id like 'OVER-%'",
    );
    expect([events?.versions, alerts?.count]).toEqual([events?.events, events?.events]);
    expect(alerts?.count).toBe(sum(answers, ({ alerts }) => alerts.length));
  });

  it('and limits that change meanwhile leave one open alert at most, judged by one set of limits or the other', async () => {
    const [pointId = ''] = await newPoints('LIMITS', 1);
    const put = (max: number) =>
      service.call('PUT', `/v2/environment/points/${pointId}`, {
        name: 'x',
        warehouse: 'WH-1',
        temperature: { min: 2, max },
      });
    const work: Promise<{ status: number }>[] = [];
    for (let n = 0; n < 40; n++) {
      work.push(post(n % 2 === 0 ? service.api : second, [{ pointId, at: at(n), temperature: 10 }]));
      if (n % 4 === 0) work.push(put(n % 8 === 0 ? 20 : 8));
    }
    expect(new Set((await Promise.all(work)).map(({ status }) => status))).toEqual(new Set([200]));
    await put(8);
    const last = await post(service.api, [{ pointId, at: at(100), temperature: 10 }]);
    expect(last.status).toBe(200);
    const open = await service.db.sql(
      `select upper_limit::integer as limit from environment_alerts where point_id = $1 and closed_at is null`,
      [pointId],
    );
    expect(open).toEqual([{ limit: 8 }]);
  });
});
