import type { Static } from 'typebox';
import { readCertificateCounts } from '../certificates/index.js';
import { readDispatchOverview } from '../dispatching/index.js';
import { listAlerts, readAlertCounts, toAlertView } from '../environment/index.js';
import { readFinishedOrders, readOrderOverview } from '../orders/index.js';
import { type Tx, usualPage } from '../platform/database/index.js';
import { readQualityOverview } from '../quality/index.js';
import { readRecallOverview } from '../recalls/index.js';
import { countPendingReceipts } from '../receiving/index.js';
import { readStockOverview } from '../stock/index.js';
import { readDeliveryOverview } from '../webhooks/index.js';
import type { OverviewView } from './overview.schemas.js';
import { type KnownCounts, readTasks } from './read-tasks.js';

export type Overview = Static<typeof OverviewView>;

const ALERTS_SHOWN = 5;

/**
 * Reads the figures and tasks that these scopes may see. The statements are sent together; none waits for another's rows.
 */
export async function readOverview(
  tx: Tx,
  scopes: ReadonlySet<string>,
  readFinished: typeof readFinishedOrders = readFinishedOrders,
): Promise<Overview> {
  const ifMay = <T, V>(scope: string, found: T | null, view: (found: T) => V): V | null =>
    found !== null && scopes.has(scope) ? view(found) : null;
  const found = await readParts(tx, scopes, readFinished);
  const { needs, tasks } = await readTasks(tx, scopes, countsOf(found));
  return {
    stock: found.stock,
    orders: ifMay('orders:read', found.orders, ({ toApprove: _toApprove, ...shown }) => shown),
    receipts: ifMay('receipts:read', found.receipts, (pending) => ({ pending })),
    dispatches: ifMay('dispatches:read', found.dispatches, ({ picking, rechecking }) => ({
      picking,
      rechecking,
    })),
    alerts: ifMay('environment:read', found.alerts, (counts) => ({
      ...counts,
      newest: (found.newest ?? []).map(toAlertView),
    })),
    certificates: ifMay('certificates:read', found.certificates, (counts) => counts),
    recalls: ifMay('recalls:read', found.recalls, ({ open, unanswered }) => ({ open, unanswered })),
    quality: ifMay('quality:read', found.quality, ({ open, proposed, approved }) => ({
      ...{ open, proposed, approved },
    })),
    deliveries: ifMay('webhooks:read', found.deliveries, ({ byHour, ...counts }) => ({
      ...counts,
      byHour: byHour.map(({ hour, ...figures }) => ({ hour: hour.toISOString(), ...figures })),
    })),
    needsMe: needs,
    tasks: tasks.map(({ since, ...task }) => ({ ...task, since: since.toISOString() })),
  };
}

type Parts = Awaited<ReturnType<typeof readParts>>;

async function readParts(tx: Tx, scopes: ReadonlySet<string>, readFinished: typeof readFinishedOrders) {
  /** Read once for everyone who may see or act on it. */
  const part = async <T>(read: (tx: Tx) => Promise<T>, ...any: readonly string[]): Promise<T | null> =>
    any.some((scope) => scopes.has(scope)) ? read(tx) : null;
  const [stock, orders, receipts, dispatches, alerts, newest, certificates, recalls, quality, deliveries] =
    await Promise.all([
      part(readStockOverview, 'inventory:read'),
      part((each) => readOrderOverview(each, readFinished), 'orders:read', 'orders:approve'),
      part(countPendingReceipts, 'receipts:read', 'receipts:write'),
      part(readDispatchOverview, 'dispatches:read', 'dispatches:write'),
      part(readAlertCounts, 'environment:read', 'environment:write'),
      part(() => listAlerts(tx, { status: ['open'] }, usualPage(null, ALERTS_SHOWN)), 'environment:read'),
      part(readCertificateCounts, 'certificates:read', 'certificates:write'),
      part(readRecallOverview, 'recalls:read', 'recalls:write'),
      part(readQualityOverview, 'quality:read', 'quality:write'),
      part(readDeliveryOverview, 'webhooks:read', 'webhooks:write'),
    ]);
  return {
    ...{ stock, orders, receipts, dispatches, alerts, newest },
    ...{ certificates, recalls, quality, deliveries },
  };
}

function countsOf(found: Parts): Partial<KnownCounts> {
  const { orders, receipts, dispatches, alerts, certificates, recalls, quality, deliveries } = found;
  return {
    ...(orders && { toApprove: orders.toApprove }),
    ...(receipts !== null && { receipts }),
    ...(dispatches && { picking: dispatches.picking, toRecheck: dispatches.toRecheck }),
    ...(alerts && { unacknowledged: alerts.unacknowledged }),
    ...(certificates && { expired: certificates.expired, expiring: certificates.expiring }),
    ...(recalls && { recalls: { count: recalls.unanswered, oldest: recalls.waiting } }),
    ...(quality && {
      toDecide: quality.toDecide,
      dispositionsToApprove: quality.toApprove,
      dispositionsToExecute: quality.approved,
    }),
    ...(deliveries && { disabled: deliveries.disabled }),
  };
}
