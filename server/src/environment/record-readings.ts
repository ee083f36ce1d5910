import { recordAudit } from '../audit/index.js';
import { publishEvents } from '../events/index.js';
import { maxAcceptedTimestamp } from '../platform/clock/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseAny, unknownReference } from '../platform/errors/index.js';
import { newId } from '../platform/ids/index.js';
import { UNIT } from './alert.js';
import { changeAlerts, insertAlerts, type NamedExcursion } from './alert.store.js';
import { refuseEnvironment } from './environment.errors.js';
import {
  type AlertNotification,
  type Excursion,
  type Judgement,
  judgeReadings,
  type Measured,
  type PointLimits,
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
interface ReadingColumns {
  pointIds: string[];
  places: number[];
  instants: number[];
  temperatures: (number | null)[];
  humidities: (number | null)[];
  /** Ordered like `pointIds`. */
  byPoint: Measured[][];
  /** The index of the first reading of each point. */
  firstAt: number[];
}

/**
 * Records a batch of readings, all or none. A duplicate (same point, same instant) changes nothing, so a batch can be sent
 * again. Alerts and their events are written in the same transaction.
 */
export async function recordReadings(
  tx: Tx,
  readings: readonly NewReading[],
  options: RecordOptions,
): Promise<RecordedReadings> {
  const received = readings.length;
  if (received === 0) return { received, stored: 0, duplicates: 0, late: 0, alerts: [] };
  const batch = toColumns(tx, readings, options);
  const points = await lockPoints(tx, batch.pointIds);
  const watched = requireActive(batch, points);
  const judgements = watched.map((point, i) =>
    judgeReadings(point.watch, limitsOf(point), batch.byPoint[i] ?? []),
  );
  const judged = judgements.reduce((sum, found) => sum + found.judged, 0);
  const stored = await storeReadings(tx, batch, judged);
  const alerts = await applyJudgements(tx, watched, judgements);
  const outcome = { received, stored, duplicates: received - stored, late: stored - judged, alerts };
  if (stored > 0) await auditReadings(tx, batch, outcome);
  return outcome;
}

function toColumns(
  tx: Tx,
  readings: readonly NewReading[],
  { retentionDays }: RecordOptions,
): ReadingColumns {
  const latest = maxAcceptedTimestamp(tx.now);
  const oldest = tx.now.getTime() - retentionDays * DAY_MS;
  const batch: ReadingColumns = {
    pointIds: [],
    places: [],
    instants: [],
    temperatures: [],
    humidities: [],
    byPoint: [],
    firstAt: [],
  };
  const placeOf = new Map<string, number>();
  readings.forEach(({ pointId, at: instant, temperature = null, humidity = null }, i) => {
    const at = Date.parse(instant);
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

/** The points of the batch, in its order. Refuses unknown and retired ones. */
function requireActive(batch: ReadingColumns, points: ReadonlyMap<string, WatchedPoint>): WatchedPoint[] {
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

const limitsOf = ({ temperature, humidity, alarmDelaySeconds }: WatchedPoint): PointLimits => ({
  temperature,
  humidity,
  delayMs: alarmDelaySeconds * 1000,
});

/** Under the lock of its points, a reading newer than all earlier ones cannot be a duplicate: it is appended unchecked. */
async function storeReadings(tx: Tx, batch: ReadingColumns, judged: number): Promise<number> {
  if (judged < batch.instants.length) return saveReadings(tx, batch);
  await appendReadings(tx, batch);
  return judged;
}

/** Writes the new states of the points, their alerts and events; returns the ids of alerts that opened. */
async function applyJudgements(
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
    const { notifications } = found;
    // The clocks of two processes may differ: an event of a point is never dated before the previous one.
    const at = Math.max(tx.now.getTime(), point.lastEventAt ?? 0);
    for (const [n, notification] of notifications.entries()) {
      const alertId = names.get(notification.excursion) ?? '';
      events.push(alertEvent(point, notification, alertId, at, point.eventVersion + n + 1));
    }
    standings.push({
      pointId: point.pointId,
      watch: found.watch,
      eventVersion: point.eventVersion + notifications.length,
      lastEventAt: notifications.length > 0 ? at : point.lastEventAt,
    });
  }
  await savePointStates(tx, standings);
  // Closing comes first: a point has at most one open alert per metric.
  await changeAlerts(tx, changed);
  await insertAlerts(tx, opened);
  await publishEvents(tx, events);
  return opened.map(({ alertId }) => alertId);
}

function alertEvent(
  point: WatchedPoint,
  notification: AlertNotification,
  alertId: string,
  at: number,
  version: number,
) {
  const { excursion, limits, value, observedAt, repeat } = notification;
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

/** The readings themselves are the record; the audit entry names who sent them. */
async function auditReadings(
  tx: Tx,
  { instants, pointIds }: ReadingColumns,
  outcome: RecordedReadings,
): Promise<void> {
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
