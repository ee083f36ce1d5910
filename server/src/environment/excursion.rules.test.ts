import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../test/harness/index.js';
import {
  type Excursion,
  judgeReadings,
  METRICS,
  type Measured,
  type PointLimits,
  type PointWatch,
  type Watch,
} from './excursion.rules.js';

const seed = Number(process.env.LOTWARD_TEST_SEED ?? randomInt(2 ** 31));
const MINUTE = 60_000;
const T0 = Date.parse('2026-11-15T10:00:00Z');
const untouched: Watch = {
  value: null,
  valueAt: null,
  outSince: null,
  outLowest: null,
  outHighest: null,
  open: null,
};
const fresh: PointWatch = { newestAt: null, temperature: untouched, humidity: untouched };
const cold: PointLimits = { temperature: { min: 2, max: 8 }, humidity: null, delayMs: 0 };

/** `[minute, temperature, humidity]` */
type Row = readonly [number, number | null, (number | null)?];
const measured = (rows: readonly Row[]): Measured[] =>
  rows.map(([minute, temperature, humidity = null]) => ({ at: T0 + minute * MINUTE, temperature, humidity }));
const minuteOf = (at: number | null) => (at === null ? null : (at - T0) / MINUTE);

function outcomeOf(limits: PointLimits, rows: readonly Row[], before: PointWatch = fresh) {
  const { watch, touched, notifications } = judgeReadings(before, limits, measured(rows));
  return {
    watch,
    alerts: touched.map((e) => [minuteOf(e.startedAt), minuteOf(e.openedAt), minuteOf(e.closedAt)]),
    events: notifications.map((notification) => [
      minuteOf(notification.observedAt),
      notification.value,
      notification.repeat,
    ]),
  };
}

describe('one metric of one point', () => {
  it.each<[string, PointLimits, Row[], unknown[], unknown[]]>([
    ['inside, nothing', cold, [[0, 5]], [], []],
    [
      'on the limits is inside',
      cold,
      [
        [0, 2],
        [1, 8],
      ],
      [],
      [],
    ],
    ['just above', cold, [[0, 8.001]], [[0, 0, null]], [[0, 8.001, 0]]],
    ['just below', cold, [[0, 1.999]], [[0, 0, null]], [[0, 1.999, 0]]],
    [
      'back inside closes',
      cold,
      [
        [0, 9],
        [1, 8],
      ],
      [[0, 0, 1]],
      [[0, 9, 0]],
    ],
    [
      'from above to below without being inside is one alert',
      cold,
      [
        [0, 9],
        [1, 1],
        [2, 5],
      ],
      [[0, 0, 2]],
      [[0, 9, 0]],
    ],
    [
      'every crossing is an alert of its own',
      cold,
      [
        [0, 9],
        [1, 5],
        [2, 9],
        [3, 5],
        [4, 1],
      ],
      [
        [0, 0, 1],
        [2, 2, 3],
        [4, 4, null],
      ],
      [
        [0, 9, 0],
        [2, 9, 0],
        [4, 1, 0],
      ],
    ],
    [
      'repeated after 30 minutes, and not before',
      cold,
      [
        [0, 9],
        [29.99, 10],
        [30, 11],
        [59, 12],
        [60, 13],
        [200, 14],
      ],
      [[0, 0, null]],
      [
        [0, 9, 0],
        [30, 11, 1],
        [60, 13, 2],
        [200, 14, 3],
      ],
    ],
    [
      'counted from the last notification, not from the opening',
      cold,
      [
        [0, 9],
        [40, 9],
        [60, 9],
        [70, 9],
      ],
      [[0, 0, null]],
      [
        [0, 9, 0],
        [40, 9, 1],
        [70, 9, 2],
      ],
    ],
    [
      'with a delay it opens at the first reading that is late enough, and began before',
      { ...cold, delayMs: 10 * MINUTE },
      [
        [0, 9],
        [9.9, 9],
        [10, 9.5],
        [12, 5],
      ],
      [[0, 10, 12]],
      [[10, 9.5, 0]],
    ],
    [
      'back inside within the delay was nothing, and the delay begins anew',
      { ...cold, delayMs: 10 * MINUTE },
      [
        [0, 9],
        [5, 5],
        [11, 9],
        [20, 9],
        [21, 9],
      ],
      [[11, 21, null]],
      [[21, 9, 0]],
    ],
    [
      'one-sided: only the side that is there',
      { ...cold, temperature: { min: null, max: 8 } },
      [
        [0, -100],
        [1, 9],
      ],
      [[1, 1, null]],
      [[1, 9, 0]],
    ],
    [
      'a reading without the metric changes nothing for it',
      cold,
      [
        [0, 9],
        [1, null, 50],
        [31, null, 50],
        [32, 9],
      ],
      [[0, 0, null]],
      [
        [0, 9, 0],
        [32, 9, 1],
      ],
    ],
    [
      'of one instant the first counts',
      cold,
      [
        [0, 5],
        [0, 9],
      ],
      [],
      [],
    ],
    [
      'judged by their instants, in any order of arrival',
      cold,
      [
        [2, 5],
        [0, 9],
        [1, 9],
      ],
      [[0, 0, 2]],
      [[0, 9, 0]],
    ],
  ])('%s', (_what, limits, rows, alerts, events) => {
    const found = outcomeOf(limits, rows);
    expect(found.alerts).toEqual(alerts);
    expect(found.events).toEqual(events);
  });

  it('an alert knows the extremes since the first reading outside, also those before it opened', () => {
    const delayed = { ...cold, delayMs: 10 * MINUTE };
    const first = judgeReadings(fresh, delayed, measured([[0, 15]]));
    const { touched } = judgeReadings(
      first.watch,
      delayed,
      measured([
        [3, 1],
        [10, 9],
      ]),
    );
    expect(touched).toMatchObject([{ lowest: 1, highest: 15, lastValue: 9 }]);
  });

  it('temperature and humidity are watched apart', () => {
    const both: PointLimits = { ...cold, humidity: { min: 35, max: 75 } };
    const { touched } = judgeReadings(
      fresh,
      both,
      measured([
        [0, 9, 80],
        [1, 5, 80],
        [2, 5, 50],
      ]),
    );
    expect(touched.map(({ metric, closedAt }) => [metric, minuteOf(closedAt)])).toEqual([
      ['temperature', 1],
      ['humidity', 2],
    ]);
  });

  it('is judged by the limits as they are now; where there are none any more, the alert closes', () => {
    const { watch } = judgeReadings(fresh, cold, measured([[0, 9]]));
    const wider: PointLimits = { ...cold, temperature: { min: 2, max: 10 } };
    expect(outcomeOf(wider, [[1, 9]], watch).alerts).toEqual([[0, 0, 1]]);
    expect(outcomeOf({ ...cold, temperature: null }, [[1, 9]], watch).alerts).toEqual([[0, 0, 1]]);
    const still = judgeReadings(watch, { ...cold, temperature: { min: 2, max: 8.5 } }, measured([[30, 9]]));
    expect(still.touched).toMatchObject([{ upperLimit: 8, repeats: 1 }]);
    expect(still.notifications).toMatchObject([{ limits: { max: 8.5 } }]);
  });

  it('does not change what it was given', () => {
    const { watch } = judgeReadings(fresh, cold, measured([[0, 9]]));
    const before = structuredClone(watch);
    judgeReadings(
      watch,
      cold,
      measured([
        [31, 12],
        [32, 5],
      ]),
    );
    expect(watch).toEqual(before);
  });
});

/** All alerts and events of a stream that comes in batches, each time taken up where the last one ended. */
function judgeBatches(pointLimits: PointLimits, batches: readonly (readonly Measured[])[]) {
  let watch = fresh;
  const alerts: Excursion[] = [];
  const events: unknown[] = [];
  for (const batch of batches) {
    const found = judgeReadings(watch, pointLimits, batch);
    for (const excursion of found.touched) {
      if (excursion.alertId === null) {
        excursion.alertId = `${excursion.metric}-${excursion.openedAt}`;
        alerts.push({ ...excursion });
      } else {
        const at = alerts.findIndex((each) => each.alertId === excursion.alertId);
        alerts[at] = { ...excursion };
      }
    }
    for (const { excursion, limits, value, observedAt, repeat } of found.notifications) {
      const { metric, startedAt } = excursion;
      events.push({ metric, startedAt, limits, value, observedAt, repeat });
    }
    watch = found.watch;
  }
  const order = (a: Excursion, b: Excursion) => ((a.alertId ?? '') < (b.alertId ?? '') ? -1 : 1);
  return { alerts: alerts.sort(order), events, watch };
}

const value = fc.option(fc.integer({ min: 0, max: 12 }), { nil: null });
const stream = fc
  .uniqueArray(fc.record({ minute: fc.integer({ min: 0, max: 600 }), temperature: value, humidity: value }), {
    selector: ({ minute }) => minute,
    minLength: 1,
    maxLength: 60,
  })
  .map((rows) =>
    rows
      .toSorted((a, b) => a.minute - b.minute)
      .map(({ minute, temperature, humidity }) => ({ at: T0 + minute * MINUTE, temperature, humidity })),
  );
const limits = fc.constantFrom(
  null,
  { min: 3, max: 9 },
  { min: null, max: 6 },
  { min: 5, max: null },
  { min: 4, max: 4 },
);
const pointLimits = fc.record({
  temperature: limits,
  humidity: limits,
  delayMs: fc.constantFrom(0, 1, 7 * MINUTE, 45 * MINUTE),
});
const cuts = fc.array(fc.nat({ max: 60 }), { maxLength: 12 });

function cutAt<T>(items: readonly T[], places: readonly number[]): T[][] {
  const ends = [...new Set([...places.filter((place) => place < items.length), items.length])].sort(
    (a, b) => a - b,
  );
  return ends.map((end, i) => items.slice(ends[i - 1] ?? 0, end));
}

describe(`any stream (seed ${seed})`, () => {
  const runs = { seed, numRuns: sized(500, 20_000) };

  it('gives the same alerts and events however it is cut into batches and mixed within them', () => {
    fc.assert(
      fc.property(stream, pointLimits, cuts, fc.nat(), (readings, by, places, turn) => {
        const whole = judgeBatches(by, [readings]);
        const mixed = cutAt(readings, places).map((batch) => {
          const at = turn % Math.max(1, batch.length);
          return [...batch.slice(at), ...batch.slice(0, at)];
        });
        expect(judgeBatches(by, mixed)).toEqual(whole);
      }),
      runs,
    );
  });

  it('gives the same when batches and readings are sent again, at once or later', () => {
    fc.assert(
      fc.property(
        stream,
        pointLimits,
        cuts,
        fc.array(fc.nat({ max: 200 })),
        (readings, by, places, again) => {
          const batches = cutAt(readings, places);
          const repeated = batches.flatMap((batch, i) => {
            const earlier = readings.slice(
              0,
              readings.indexOf(batch.at(-1) ?? (readings[0] as Measured)) + 1,
            );
            const some = again.map((n) => earlier[n % earlier.length] as Measured);
            return i % 2 === 0 ? [batch, batch, some] : [[...batch, ...some]];
          });
          expect(judgeBatches(by, repeated)).toEqual(judgeBatches(by, batches));
        },
      ),
      runs,
    );
  });

  it('has no alert and no event from what is late', () => {
    fc.assert(
      fc.property(stream, stream, pointLimits, (readings, more, by) => {
        const before = judgeBatches(by, [readings]);
        const newest = readings.at(-1)?.at ?? 0;
        const late = more
          .filter(({ at }) => at <= newest)
          .map((reading) => ({ ...reading, temperature: 99 }));
        expect(judgeBatches(by, [readings, late])).toEqual(before);
      }),
      runs,
    );
  });

  it('has never two open alerts of a metric, each opened outside and closed inside', () => {
    fc.assert(
      fc.property(stream, pointLimits, (readings, by) => {
        const { alerts } = judgeBatches(by, [readings]);
        for (const metric of METRICS) {
          const own = alerts
            .filter((alert) => alert.metric === metric)
            .sort((a, b) => a.openedAt - b.openedAt);
          own.forEach((alert, i) => {
            expect(alert.openedAt - alert.startedAt).toBeGreaterThanOrEqual(by.delayMs);
            const next = own[i + 1];
            if (next) expect(alert.closedAt ?? Number.POSITIVE_INFINITY).toBeLessThan(next.startedAt);
          });
        }
      }),
      runs,
    );
  });
});
