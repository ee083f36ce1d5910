import { describe, expect, it } from 'vitest';
import { DAYS_OF_READINGS, demoPoints, demoReadings, readingsNow } from './environment.rules.js';

const outside = (pointId: string, temperature: number | null | undefined): boolean => {
  const limits = demoPoints().find((point) => point.pointId === pointId)?.put.temperature;
  const value = temperature ?? 0;
  return value < (limits?.min ?? -300) || value > (limits?.max ?? 2_000);
};

describe.each(['2026-11-15T10:00:00Z', '2026-11-15T10:03:27.123Z', '2027-03-01T00:00:00Z'])(
  'the readings of the demo at %s',
  (text) => {
    const now = new Date(text);
    const days = Array.from({ length: DAYS_OF_READINGS }, (_, day) => demoReadings(now, day));

    it('are a week without gaps or doubles, none of them in the future', () => {
      const instants = days.flat().map(({ at }) => Date.parse(at));
      const own = days.flat().map(({ pointId, at }) => `${pointId} ${at}`);
      expect(new Set(own).size).toBe(demoPoints().length * DAYS_OF_READINGS * 144);
      expect(own).toHaveLength(demoPoints().length * DAYS_OF_READINGS * 144);
      expect(Math.max(...instants)).toBeLessThanOrEqual(now.getTime());
      for (const day of days) expect(day.length).toBeLessThanOrEqual(1_000);
    });

    it('leave the limits in two cold rooms only, of which one is still outside', () => {
      const out = days.flat().filter(({ pointId, temperature }) => outside(pointId, temperature));
      expect(new Set(out.map(({ pointId }) => pointId))).toEqual(new Set(['WH-WEST-COLD', 'WH-NORTH-COLD']));
      const last = days.flat().slice(-demoPoints().length);
      expect(last.filter(({ pointId, temperature }) => outside(pointId, temperature))).toMatchObject([
        { pointId: 'WH-NORTH-COLD' },
      ]);
    });
  },
);

describe('the readings of the simulation', () => {
  it('are one of each point, and now and then one cold room is too warm', () => {
    const minutes = Array.from({ length: 60 }, (_, n) =>
      readingsNow(new Date(Date.parse('2026-11-15T10:00:00Z') + n * 60_000)),
    );
    for (const readings of minutes) expect(readings).toHaveLength(demoPoints().length);
    const warm = minutes.map(
      (readings) => readings.filter(({ pointId, temperature }) => outside(pointId, temperature)).length,
    );
    expect(Math.max(...warm)).toBe(1);
    expect(warm.filter((count) => count > 0)).toHaveLength(9);
  });
});
