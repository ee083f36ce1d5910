import { productRows } from '../catalogue/index.js';
import {
  bulkRows,
  Filter,
  type ListPage,
  listRows,
  onlyOf,
  organizationRow,
  statement,
  type Tx,
} from '../platform/database/index.js';
import { balanceRows, batchRows, holdRows } from '../stock/index.js';
import type { AffectedBatch, Alert } from './alert.js';
import type { Excursion, Metric } from './excursion.rules.js';

const columns = `alert_id as "alertId", point_id as "pointId", point_name as "pointName", warehouse, zone, metric,
  lower_limit as "lowerLimit", upper_limit as "upperLimit", started_at as "startedAt", opened_at as "openedAt", lowest, highest,
  last_value as "lastValue", last_observed_at as "lastObservedAt", repeats, last_told_at as "lastToldAt",
  closed_at as "closedAt", updated_at as "updatedAt", acknowledged_at as "acknowledgedAt", acknowledged_by as "acknowledgedBy", acknowledgement`;
const one = statement(`select ${columns} from environment_alerts where org_id = $1 and alert_id = $2`);
const lock = statement(
  `select ${columns} from environment_alerts where org_id = $1 and alert_id = $2 for no key update`,
);
const overlapping = statement(`
  select ${columns} from environment_alerts
  where org_id = $1 and point_id = $2 and started_at < $4 and (closed_at is null or closed_at >= $3)
  order by alert_id desc limit $5`);
const acknowledge = statement(`
  update environment_alerts set acknowledged_at = $3, acknowledged_by = $4, acknowledgement = $5, updated_at = $3
  where org_id = $1 and alert_id = $2`);
const closeOpen = statement(`
  update environment_alerts set closed_at = greatest($3, last_observed_at), updated_at = $3
  where org_id = $1 and point_id = $2 and closed_at is null`);
/** Instants are milliseconds, as in the rules. */
const courseColumns = {
  alert_id: 'text',
  lowest: 'float8',
  highest: 'float8',
  last_value: 'float8',
  last_observed_at: 'float8',
  repeats: 'integer',
  last_told_at: 'float8',
  closed_at: 'float8',
} as const;
const changedAlertColumns = bulkRows(courseColumns);
const newAlertColumns = bulkRows({
  ...courseColumns,
  point_id: 'text',
  point_name: 'text',
  warehouse: 'text',
  zone: 'text',
  metric: 'text',
  lower_limit: 'float8',
  upper_limit: 'float8',
  started_at: 'float8',
  opened_at: 'float8',
});
const insert = statement(`
  insert into environment_alerts (org_id, alert_id, point_id, point_name, warehouse, zone, metric, lower_limit, upper_limit,
    started_at, opened_at, lowest, highest, last_value, last_observed_at, repeats, last_told_at, closed_at, recorded_at, updated_at)
  select g.org_id, a.alert_id, a.point_id, a.point_name, a.warehouse, a.zone, a.metric, a.lower_limit, a.upper_limit,
    to_timestamp(a.started_at / 1000), to_timestamp(a.opened_at / 1000), a.lowest, a.highest, a.last_value,
    to_timestamp(a.last_observed_at / 1000), a.repeats, to_timestamp(a.last_told_at / 1000), to_timestamp(a.closed_at / 1000), $2, $2
  from ${organizationRow('g')}, ${newAlertColumns.from('a', 3)}
  returning 1`);
const change = statement(`
  update environment_alerts e set lowest = a.lowest, highest = a.highest, last_value = a.last_value,
    last_observed_at = to_timestamp(a.last_observed_at / 1000), repeats = a.repeats,
    last_told_at = to_timestamp(a.last_told_at / 1000), closed_at = to_timestamp(a.closed_at / 1000), updated_at = $2
  from ${changedAlertColumns.from('a', 3)}
  where e.org_id = $1 and e.alert_id = a.alert_id`);

export async function findAlert(tx: Tx, alertId: string): Promise<Alert | null> {
  const [row] = await tx.query<Alert>(one, [tx.orgId, alertId]);
  return row ?? null;
}

export async function lockAlert(tx: Tx, alertId: string): Promise<Alert | null> {
  const [row] = await tx.query<Alert>(lock, [tx.orgId, alertId]);
  return row ?? null;
}

export interface AlertFilter {
  /** The ids of alerts or points that match a text. */
  found?: { alertIds: readonly string[]; pointIds: readonly string[] } | undefined;
  pointId?: string | undefined;
  warehouse?: string | undefined;
  metric?: readonly string[] | undefined;
  status?: readonly ('open' | 'closed')[] | undefined;
  acknowledged?: boolean | undefined;
}

/** Newest first. */
export async function listAlerts(tx: Tx, filter: AlertFilter, page: ListPage): Promise<Alert[]> {
  const list = new Filter('org_id = $1', [tx.orgId, page.limit]);
  const order = list.page(page, {
    ...{ id: 'alert_id', direction: 'desc', updatedAt: 'updated_at' },
    sorts: { startedAt: 'alert_id' },
  });
  list.either([{ alert_id: filter.found?.alertIds }, { point_id: filter.found?.pointIds }]);
  list.and('point_id = ?', filter.pointId);
  list.and('warehouse = ?', filter.warehouse);
  list.anyOf('metric', filter.metric);
  list.and('(acknowledged_at is not null) = ?', filter.acknowledged);
  // A literal rather than a parameter, so that the index of open alerts can be used.
  const state = { open: ' and closed_at is null', closed: ' and closed_at is not null' };
  const status = onlyOf(filter.status);
  const only = status === undefined ? '' : state[status];
  return listRows<Alert>(tx, page, list, {
    rows: `select ${columns} from environment_alerts where ${list.where}${only} order by ${order} limit $2`,
    counted: `select from environment_alerts where ${list.where}${only} limit $2`,
  });
}

/** The newest alerts that overlap the span from `from` until before `to`. */
export async function alertsDuring(
  tx: Tx,
  pointId: string,
  from: Date,
  to: Date,
  limit: number,
): Promise<Alert[]> {
  return tx.query<Alert>(overlapping, [tx.orgId, pointId, from, to, limit]);
}

export async function saveAcknowledgement(tx: Tx, alertId: string, comment: string): Promise<void> {
  tx.send(acknowledge, [tx.orgId, alertId, tx.now, tx.actor, comment]);
}

/** For a point that will have no more readings to close them. */
export async function closeOpenAlerts(tx: Tx, pointId: string): Promise<void> {
  tx.send(closeOpen, [tx.orgId, pointId, tx.now]);
}

/** An excursion that has its name, and the point it happened at. */
export interface NamedExcursion {
  excursion: Excursion;
  alertId: string;
  point: { pointId: string; name: string; warehouse: string; zone: string | null };
}

const toCourse = ({ alertId, excursion: e }: NamedExcursion) => ({
  alert_id: alertId,
  lowest: e.lowest,
  highest: e.highest,
  last_value: e.lastValue,
  last_observed_at: e.lastObservedAt,
  repeats: e.repeats,
  last_told_at: e.lastToldAt,
  closed_at: e.closedAt,
});

export async function insertAlerts(tx: Tx, alerts: readonly NamedExcursion[]): Promise<void> {
  if (alerts.length === 0) return;
  tx.send(insert, [
    tx.orgId,
    tx.now,
    ...newAlertColumns.values(alerts, (alert) => ({
      ...toCourse(alert),
      point_id: alert.point.pointId,
      point_name: alert.point.name,
      warehouse: alert.point.warehouse,
      zone: alert.point.zone,
      metric: alert.excursion.metric,
      lower_limit: alert.excursion.lowerLimit,
      upper_limit: alert.excursion.upperLimit,
      started_at: alert.excursion.startedAt,
      opened_at: alert.excursion.openedAt,
    })),
  ]);
}

export async function changeAlerts(tx: Tx, alerts: readonly NamedExcursion[]): Promise<void> {
  if (alerts.length === 0) return;
  tx.send(change, [tx.orgId, tx.now, ...changedAlertColumns.values(alerts, toCourse)]);
}

const affected = (metric: Metric) =>
  statement(`
  select b.product_code as "productCode", p.product_name as "productName", b.batch_no as "batchNo",
    t.expiry_date as "expiryDate", b.quantity, h.hold_id is not null and h.released_at is null as held,
    a.alert_id is not null as "wasHeld"
  from ${balanceRows('$1')} b
  join ${productRows('$1')} p on p.product_code = b.product_code
  join ${batchRows('$1')} t on t.product_code = b.product_code and t.batch_no = b.batch_no
  left join environment_alert_holds a on a.org_id = $1 and a.alert_id = $3 and a.product_code = b.product_code
    and a.batch_no = b.batch_no
  left join ${holdRows('$1')} h on h.hold_id = a.hold_id
  where b.warehouse = $2 and b.quantity > 0
    and (p.${metric}_min > $4::float8 or p.${metric}_max < $5::float8)
    and ($6::text is null or ((p.${metric}_min <= $8::float8) is not false and (p.${metric}_max >= $7::float8) is not false))
  order by b.product_code, b.batch_no`);
const affectedBy: Readonly<Record<Metric, ReturnType<typeof statement>>> = {
  temperature: affected('temperature'),
  humidity: affected('humidity'),
};
const rememberHolds = statement(`
  insert into environment_alert_holds (org_id, alert_id, product_code, batch_no, hold_id)
  select g.org_id, $2, h.* from ${organizationRow('g')}, unnest($3::text[], $4::text[], $5::text[]) as h returning 1`);

/**
 * Sorted in the order in which stock changes lock products. Stock is not recorded by zone, so an alert of a zone affects
 * only products whose storage range overlaps the zone's limits: ambient goods are not kept in a cold room.
 */
export async function affectedBatches(tx: Tx, alert: Alert): Promise<AffectedBatch[]> {
  const { alertId, warehouse, zone, lowest, highest, lowerLimit, upperLimit } = alert;
  return tx.query<AffectedBatch>(affectedBy[alert.metric], [
    tx.orgId,
    warehouse,
    alertId,
    lowest,
    highest,
    zone,
    lowerLimit,
    upperLimit,
  ]);
}

export async function saveAlertHolds(
  tx: Tx,
  alertId: string,
  holds: readonly { productCode: string; batchNo: string; holdId: string }[],
): Promise<void> {
  tx.send(rememberHolds, [
    tx.orgId,
    alertId,
    holds.map((hold) => hold.productCode),
    holds.map((hold) => hold.batchNo),
    holds.map((hold) => hold.holdId),
  ]);
}
