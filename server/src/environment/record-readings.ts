import { recordAudit } from '../audit/index.js';
import { publishEvents } from '../events/index.js';
import { latestTold } from '../platform/clock/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseAny, unknownReference } from '../platform/errors/index.js';
import { newId } from '../platform/ids/index.js';
import { UNIT } from './alert.js';
import { changeAlerts, insertAlerts, type NamedExcursion } from './alert.store.js';
import { refuseEnvironment } from './environment.errors.js';
import {
  type Demands,
  type Excursion,
  type Judgement,
  judgeReadings,
  type Measured,
  type Telling,
} from './excursion.rules.js';
import type { NewReading, RecordedReadings, WatchedPoint } from './reading.js';
import {
  appendReadings,
  lockPoints,
  type PointStanding,
  savePointStates,
  saveReadings,
} from './reading.store.js';

const DAY_MS = 86_400_000;

export interface RecordOptions {
  retentionDays: number;
}

/** The readings of a batch, by column for the database and by point for the rules. */
interface Batch {
  pointIds: string[];
  places: number[];
  instants: number[];
  temperatures: (number | null)[];
  humidities: (number | null)[];
  /** In the order of `pointIds`. */
  byPoint: Measured[][];
  /** Where in the batch each point is first named. */
  firstAt: number[];
}

/**
 * Takes a batch of readings, all or none of it. A reading that is known already (same point, same instant) changes
 * nothing, so a batch can be sent again; alerts and their events come about in the same transaction.
 */
export async function recordReadings(
  tx: Tx,
  readings: readonly NewReading[],
  options: RecordOptions,
): Promise<RecordedReadings> {
  const received = readings.length;
  if (received === 0) return { received, stored: 0, duplicates: 0, late: 0, alerts: [] };
  const batch = sortOut(tx, readings, options);
  const points = await lockPoints(tx, batch.pointIds);
  const watched = requireActive(batch, points);
  const judgements = watched.map((point, i) =>
    judgeReadings(point.watch, demandsOf(point), batch.byPoint[i] ?? []),
  );
  const judged = judgements.reduce((sum, found) => sum + found.judged, 0);
  const stored = await store(tx, batch, judged);
  const alerts = await follow(tx, watched, judgements);
  const outcome = { received, stored, duplicates: received - stored, late: stored - judged, alerts };
  if (stored > 0) await note(tx, batch, outcome);
  return outcome;
}

function sortOut(tx: Tx, readings: readonly NewReading[], { retentionDays }: RecordOptions): Batch {
  const latest = latestTold(tx.now);
  const oldest = tx.now.getTime() - retentionDays * DAY_MS;
  const batch: Batch = {
    pointIds: [],
    places: [],
    instants: [],
    temperatures: [],
    humidities: [],
    byPoint: [],
    firstAt: [],
  };
  const placeOf = new Map<string, number>();
  readings.forEach(({ pointId, at: told, temperature = null, humidity = null }, i) => {
    const at = Date.parse(told);
    if (at > latest) throw refuseEnvironment('reading_in_future', `/readings/${i}/at`);
    if (at < oldest) throw refuseEnvironment('reading_too_old', `/readings/${i}/at`);
    if (temperature === null && humidity === null)
      throw refuseEnvironment('reading_empty', `/readings/${i}/temperature`);
    let place = placeOf.get(pointId);
    if (place === undefined) {
      place = batch.pointIds.push(pointId);
      placeOf.set(pointId, place);
      batch.byPoint.push([]);
      batch.firstAt.push(i);
    }
    batch.places.push(place);
    batch.instants.push(at);
    batch.temperatures.push(temperature);
    batch.humidities.push(humidity);
    batch.byPoint[place - 1]?.push({ at, temperature, humidity });
  });
  return batch;
}

/** The points of the batch, in its order; refuses all that are unknown, or one that is retired. */
function requireActive(batch: Batch, points: ReadonlyMap<string, WatchedPoint>): WatchedPoint[] {
  const named = batch.pointIds.map((pointId, i) => ({
    pointId,
    point: points.get(pointId),
    path: `/readings/${batch.firstAt[i]}/pointId`,
  }));
  refuseAny(
    named.flatMap(({ pointId, point, path }) =>
      point
        ? []
        : [
            unknownReference(
              path,
              `Monitoring point ${pointId}`,
              `Create it with PUT /v2/environment/points/${encodeURIComponent(pointId)}.`,
            ),
          ],
    ),
  );
  return named.flatMap(({ pointId, point, path }) => {
    if (point?.status === 'retired')
      throw refuseEnvironment('point_retired', path, `monitoring point ${pointId} is retired`);
    return point ?? [];
  });
}

const demandsOf = ({ temperature, humidity, alarmDelaySeconds }: WatchedPoint): Demands => ({
  temperature,
  humidity,
  delayMs: alarmDelaySeconds * 1000,
});

/** Under the lock of its points, what is newer than everything before cannot be there yet. */
async function store(tx: Tx, batch: Batch, judged: number): Promise<number> {
  if (judged < batch.instants.length) return saveReadings(tx, batch);
  await appendReadings(tx, batch);
  return judged;
}

/** Writes where the points stand now, and what is to be told of them; answers the alerts that opened. */
async function follow(
  tx: Tx,
  watched: readonly WatchedPoint[],
  judgements: readonly Judgement[],
): Promise<string[]> {
  const standings: PointStanding[] = [];
  const opened: NamedExcursion[] = [];
  const changed: NamedExcursion[] = [];
  const events: ReturnType<typeof alertEvent>[] = [];
  for (const [i, point] of watched.entries()) {
    const found = judgements[i];
    if (!found || found.judged === 0) continue;
    const names = new Map<Excursion, string>();
    for (const excursion of found.touched) {
      const alertId = excursion.alertId ?? newId('alr', new Date(excursion.openedAt));
      names.set(excursion, alertId);
      (excursion.alertId === null ? opened : changed).push({ excursion, alertId, point });
    }
    const { tellings } = found;
    // The clocks of two machines differ: no event of a point is dated before the one that preceded it.
    const at = Math.max(tx.now.getTime(), point.lastEventAt ?? 0);
    for (const [n, telling] of tellings.entries()) {
      const alertId = names.get(telling.excursion) ?? '';
      events.push(alertEvent(point, telling, alertId, at, point.eventVersion + n + 1));
    }
    standings.push({
      pointId: point.pointId,
      watch: found.watch,
      eventVersion: point.eventVersion + tellings.length,
      lastEventAt: tellings.length > 0 ? at : point.lastEventAt,
    });
  }
  await savePointStates(tx, standings);
  // What closes goes first: a point has one open alert of a metric.
  await changeAlerts(tx, changed);
  await insertAlerts(tx, opened);
  await publishEvents(tx, events);
  return opened.map(({ alertId }) => alertId);
}

function alertEvent(point: WatchedPoint, telling: Telling, alertId: string, at: number, version: number) {
  const { excursion, limits, value, observedAt, repeat } = telling;
  return {
    type: 'environment.alert' as const,
    at: new Date(at),
    entity: { type: 'point', id: point.pointId, version },
    customerCode: null,
    data: {
      alertId,
      pointId: point.pointId,
      pointName: point.name,
      warehouse: point.warehouse,
      zone: point.zone,
      metric: excursion.metric,
      value,
      unit: UNIT[excursion.metric],
      lowerLimit: limits.min,
      upperLimit: limits.max,
      observedAt: new Date(observedAt).toISOString(),
      startedAt: new Date(excursion.startedAt).toISOString(),
      repeat,
    },
  };
}

/** The readings themselves are the record of what was read; the entry says who brought them. */
async function note(tx: Tx, { instants, pointIds }: Batch, outcome: RecordedReadings): Promise<void> {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const at of instants) {
    if (at < first) first = at;
    if (at > last) last = at;
  }
  const { alerts, ...counts } = outcome;
  await recordAudit(tx, {
    action: 'readings.record',
    entityType: 'readings',
    entityId: newId('rdg', tx.now),
    after: {
      ...counts,
      points: pointIds.length,
      from: new Date(first).toISOString(),
      to: new Date(last).toISOString(),
      ...(alerts.length > 0 ? { alerts } : {}),
    },
  });
}
