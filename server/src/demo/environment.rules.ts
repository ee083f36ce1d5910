import type { NewReading, PointInput } from '../environment/index.js';
import { diceFrom } from './dice.rules.js';
import { WAREHOUSES } from './partners.rules.js';

const EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
export const DAYS_OF_READINGS = 7;

interface DemoPoint {
  pointId: string;
  put: PointInput;
  /** The average reading. */
  temperature: number;
  humidity: number;
  /** The largest deviation from it. */
  sway: number;
}

/** A cold room and an ambient hall in every warehouse. */
export function demoPoints(): DemoPoint[] {
  return WAREHOUSES.flatMap(({ code, name }) => [
    {
      pointId: `${code}-COLD`,
      put: { name: `Cold room, ${name}`, warehouse: code, zone: 'COLD', temperature: { min: 2, max: 8 } },
      temperature: 4.8,
      humidity: 55,
      sway: 1.4,
    },
    {
      pointId: `${code}-AMBIENT`,
      put: {
        name: `Hall, ${name}`,
        warehouse: code,
        zone: 'AMBIENT',
        temperature: { min: 15, max: 25 },
        humidity: { max: 70 },
        alarmDelaySeconds: 1_200,
      },
      temperature: 20,
      humidity: 48,
      sway: 2.5,
    },
  ]);
}

/** One cold room had its door open three days ago; in another the cooling has just failed. */
const EXCURSIONS = [
  { pointId: 'WH-WEST-COLD', fromMinutesAgo: 3 * 1_440 + 200, toMinutesAgo: 3 * 1_440 + 110, warmer: 5.5 },
  { pointId: 'WH-NORTH-COLD', fromMinutesAgo: 50, toMinutesAgo: 0, warmer: 5 },
] as const;

/** Readings of all points on one of the days before `now`; the last day has number `DAYS_OF_READINGS - 1`. */
export function demoReadings(now: Date, day: number): NewReading[] {
  const end = now.getTime() - (DAYS_OF_READINGS - 1 - day) * DAY_MS;
  const first = Math.ceil((end - DAY_MS + 1) / EVERY_MS) * EVERY_MS;
  const readings: NewReading[] = [];
  for (let at = first; at <= end; at += EVERY_MS) {
    const minutesAgo = (now.getTime() - at) / 60_000;
    for (const [place, point] of demoPoints().entries())
      readings.push(readingOf(point, place, at, minutesAgo));
  }
  return readings;
}

function readingOf(point: DemoPoint, place: number, at: number, minutesAgo: number): NewReading {
  const isOut = EXCURSIONS.find(
    ({ pointId, fromMinutesAgo, toMinutesAgo }) =>
      pointId === point.pointId && minutesAgo < fromMinutesAgo && minutesAgo >= toMinutesAgo,
  );
  return reading(point, place, at, isOut?.warmer ?? 0);
}

/** Varies with the hour of the day, plus seeded noise. */
function reading(point: DemoPoint, place: number, at: number, warmer: number): NewReading {
  const dice = diceFrom(Math.floor(at / 1000) * 31 + place);
  const byHour = Math.sin((at / DAY_MS) * 2 * Math.PI + place) * 0.6;
  const sway = (byHour + dice.between(-40, 40) / 100) * point.sway;
  return {
    pointId: point.pointId,
    at: new Date(at).toISOString(),
    temperature: Math.round((point.temperature + sway + warmer) * 10) / 10,
    humidity: Math.round(point.humidity + sway * 3),
  };
}

const EXCURSION_MINUTES_OF_HOUR = 3;

/** Current readings of all points; for some minutes of every hour one cold room, in turn, is too warm. */
export function readingsNow(now: Date): NewReading[] {
  const minute = Math.floor(now.getTime() / 60_000);
  const points = demoPoints();
  const slot = Math.floor(60 / points.length);
  return points.map((point, place) => {
    const isWarm =
      point.pointId.endsWith('-COLD') && (minute - place * slot) % 60 < EXCURSION_MINUTES_OF_HOUR;
    return reading(point, place, now.getTime(), isWarm ? 5.5 : 0);
  });
}
