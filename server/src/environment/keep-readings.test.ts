import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newOrganization, openTestService } from '../../test/harness/index.js';
import { keepReadings } from './keep-readings.js';

type Service = Awaited<ReturnType<typeof openTestService>>;
let service: Service;
let key: string;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

/** As in a new database, with an organization of its own. */
beforeEach(async () => {
  service.db.clock.set('2026-11-15T10:00:00.000Z');
  for (const month of (await months()).filter((name) => name !== 'readings_rest'))
    await service.db.sql(`drop table ${month}`);
  await service.db.sql('truncate readings');
  key = (await newOrganization(service.db)).key;
  await call('PUT', '/v2/warehouses/WH-1', { name: 'Main' });
  await call('PUT', '/v2/environment/points/P-1', { name: 'Cold room', warehouse: 'WH-1' });
});

const call = <D>(method: string, path: string, body: object) => service.call<D>(method, path, body, key);

/** Where the readings lie: table and instant. */
const places = async () =>
  (
    await service.db.sql<{ place: string; at: Date }>(
      // On a cluster it is the name of the shard.
      String.raw`select regexp_replace(tableoid::regclass::text, '^lotward\.|_\d{6,}$', '', 'g') as place, at from readings order by at`,
    )
  ).map(({ place, at }) => `${place} ${at.toISOString().slice(0, 10)}`);
const months = async () =>
  (
    await service.db.sql<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'readings'::regclass order by 1`,
    )
  ).map(({ name }) => name);
const record = async (...days: string[]) => {
  const readings = days.map((day) => ({ pointId: 'P-1', at: `${day}T00:00:00Z`, temperature: 5 }));
  const answer = await call('POST', '/v2/environment/readings', { readings });
  if (answer.status !== 200) throw new Error(answer.text);
};
const keep = (retentionDays = 1_830) => keepReadings(service.db.database, { retentionDays });

describe('keeping readings', () => {
  it('makes this month and the next two, once, also when several do it at once', async () => {
    const other = await service.db.another();
    await Promise.all([keep(), keepReadings(other, { retentionDays: 1_830 }), keep()]);
    expect(await months()).toEqual([
      'readings_2026_11',
      'readings_2026_12',
      'readings_2027_01',
      'readings_rest',
    ]);
    await keep();
    expect(await months()).toHaveLength(4);
  });

  it('leaves nothing in the table for the rest: months gone by get a table too, and go whole when they are old', async () => {
    // As after a time without workers: months without a table, and one late reading of long ago.
    service.db.clock.set('2027-05-15T10:00:00Z');
    await record('2026-01-31', '2027-03-01', '2027-04-30', '2027-05-14');
    await keep();
    expect(await places()).toEqual([
      'readings_2026_01 2026-01-31',
      'readings_2027_03 2027-03-01',
      'readings_2027_04 2027-04-30',
      'readings_2027_05 2027-05-14',
    ]);
    await record('2026-01-01', '2026-02-28', '2027-04-01');
    await keep();
    expect((await places()).filter((place) => place.startsWith('readings_rest'))).toEqual([]);
    expect(await months()).toContain('readings_2026_02');
    const known = { pointId: 'P-1', at: '2027-04-30T00:00:00Z', temperature: 9 };
    const again = await call('POST', '/v2/environment/readings', { readings: [known] });
    expect(again.data).toMatchObject({ stored: 0, duplicates: 1 });
    await keep(60);
    expect((await places())[0]).toBe('readings_2027_03 2027-03-01');
    expect((await months())[0]).toBe('readings_2027_03');
  });

  it('while months are taken out of the rest, no reading is lost, refused, doubled or out of sight', async () => {
    const points = Array.from({ length: 6 }, (_, i) => `P-${i + 1}`);
    for (const point of points)
      await call('PUT', `/v2/environment/points/${point}`, { name: point, warehouse: 'WH-1' });
    const count = async () =>
      (await service.db.sql<{ count: number }>('select count(*)::integer as count from readings'))[0]
        ?.count ?? 0;
    const batch = (b: number, from: string) =>
      call('POST', '/v2/environment/readings', {
        readings: Array.from({ length: 50 }, (_, i) => ({
          pointId: points[b % points.length],
          at: new Date(Date.parse(from) + (b * 50 + i) * 3_600_000).toISOString(),
          temperature: 5,
        })),
      });
    for (let b = 0; b < 12; b += 1) await batch(b, '2026-03-01T00:00:00Z');
    expect(await count()).toBe(600);
    const writing = Array.from({ length: 12 }, (_, b) => batch(b, '2026-06-01T00:00:00Z'));
    const seen: number[] = [];
    const watching = (async () => {
      for (let look = 0; look < 20; look += 1) seen.push(await count());
    })();
    await Promise.all([keep(), keep()]);
    expect((await Promise.all(writing)).map(({ status }) => status)).toEqual(Array(12).fill(200));
    await watching;
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(600);
    expect(await count()).toBe(1_200);
    await keep();
    expect((await places()).filter((place) => place.startsWith('readings_rest'))).toEqual([]);
    expect(await count()).toBe(1_200);
  });

  it('moves what was read before its month was made, and nothing else', async () => {
    await record('2026-10-31', '2026-11-01', '2026-11-14');
    expect(await places()).toEqual([
      'readings_rest 2026-10-31',
      'readings_rest 2026-11-01',
      'readings_rest 2026-11-14',
    ]);
    await keep();
    expect(await places()).toEqual([
      'readings_2026_10 2026-10-31',
      'readings_2026_11 2026-11-01',
      'readings_2026_11 2026-11-14',
    ]);
    await record('2026-11-15', '2026-10-30');
    expect(await places()).toEqual([
      'readings_2026_10 2026-10-30',
      'readings_2026_10 2026-10-31',
      'readings_2026_11 2026-11-01',
      'readings_2026_11 2026-11-14',
      'readings_2026_11 2026-11-15',
    ]);
    // Known readings stay known wherever they lie.
    const again = { pointId: 'P-1', at: '2026-11-14T00:00:00Z', temperature: 9 };
    const { data } = await call('POST', '/v2/environment/readings', { readings: [again] });
    expect(data).toMatchObject({ stored: 0, duplicates: 1 });
  });

  it('neither loses nor refuses what comes in while a month is made', async () => {
    const points = Array.from({ length: 9 }, (_, i) => `P-${i + 1}`);
    for (const point of points)
      await call('PUT', `/v2/environment/points/${point}`, { name: point, warehouse: 'WH-1' });
    const batch = (b: number, month: string) =>
      call('POST', '/v2/environment/readings', {
        readings: Array.from({ length: 50 }, (_, i) => ({
          pointId: points[b % points.length],
          at: new Date(Date.parse(month) + (b * 50 + i) * 60_000).toISOString(),
          temperature: 5,
        })),
      });
    // Each of them has no table yet: they are further apart than tables are made ahead.
    for (const month of ['2027-02-01', '2027-05-01', '2027-08-01', '2027-11-01']) {
      service.db.clock.set(`${month.slice(0, 7)}-15T10:00:00Z`);
      const writing = Array.from({ length: 30 }, (_, b) => batch(b, `${month}T00:00:00Z`));
      await writing[0];
      await keep();
      expect((await Promise.all(writing)).map(({ status }) => status)).toEqual(Array(30).fill(200));
    }
    const [row] = await service.db.sql<{ count: number }>('select count(*)::integer as count from readings');
    expect(row?.count).toBe(6_000);
  });

  it('drops whole months that are too old, and of the rest what is', async () => {
    await record('2026-08-31', '2026-09-01', '2026-11-14');
    await keep();
    expect(await months()).toContain('readings_2026_11');
    service.db.clock.set('2027-01-30T10:00:00Z');
    await keep(60);
    // The first day kept is 2026-12-01.
    expect(await months()).toEqual([
      'readings_2026_12',
      'readings_2027_01',
      'readings_2027_02',
      'readings_2027_03',
      'readings_rest',
    ]);
    expect(await places()).toEqual([]);
  });

  it('keeps a month of which one day is young enough', async () => {
    await record('2026-10-15', '2026-11-01', '2026-11-14');
    await keep();
    service.db.clock.set('2026-12-30T10:00:00Z');
    await keep(30);
    expect(await places()).toEqual(['readings_2026_11 2026-11-01', 'readings_2026_11 2026-11-14']);
  });
});
