import type { Static } from 'typebox';
import { readCertificateCounts } from '../certificates/index.js';
import { readDispatchOverview } from '../dispatching/index.js';
import { listAlerts, readAlertCounts, toAlertView } from '../environment/index.js';
import { readOrderOverview } from '../orders/index.js';
import { type Tx, usualPage } from '../platform/database/index.js';
import { readQualityOverview } from '../quality/index.js';
import { readRecallOverview } from '../recalls/index.js';
import { countPendingReceipts } from '../receiving/index.js';
import { readStockOverview } from '../stock/index.js';
import { readDeliveryOverview } from '../webhooks/index.js';
import type { NEEDS, OverviewView } from './overview.schemas.js';

export type Overview = Static<typeof OverviewView>;
type Need = { kind: (typeof NEEDS)[number]; count: number };

const ALERTS_SHOWN = 5;

/** Reads the figures and tasks that these scopes may see. */
export async function readOverview(tx: Tx, scopes: ReadonlySet<string>): Promise<Overview> {
  /** Read once, for everybody who may see it or act on it. */
  const part = async <T>(read: (tx: Tx) => Promise<T>, ...any: readonly string[]): Promise<T | null> =>
    any.some((scope) => scopes.has(scope)) ? read(tx) : null;
  const ifMay = <T, V>(scope: string, found: T | null, view: (found: T) => V): V | null =>
    found !== null && scopes.has(scope) ? view(found) : null;

  const stock = await part(readStockOverview, 'inventory:read');
  const orders = await part(readOrderOverview, 'orders:read', 'orders:approve');
  const receipts = await part(countPendingReceipts, 'receipts:read', 'receipts:write');
  const dispatches = await part(readDispatchOverview, 'dispatches:read', 'dispatches:write');
  const alerts = await part(readAlertCounts, 'environment:read', 'environment:write');
  const newest = await part(
    () => listAlerts(tx, { status: ['open'] }, usualPage(null, ALERTS_SHOWN)),
    'environment:read',
  );
  const certificates = await part(readCertificateCounts, 'certificates:read', 'certificates:write');
  const recalls = await part(readRecallOverview, 'recalls:read', 'recalls:write');
  const quality = await part(readQualityOverview, 'quality:read', 'quality:write');
  const deliveries = await part(readDeliveryOverview, 'webhooks:read', 'webhooks:write');

  const needs: [scope: string, kind: Need['kind'], count: number | undefined][] = [
    ['orders:approve', 'orders_to_approve', orders?.toApprove],
    ['receipts:write', 'receipts_to_accept', receipts ?? undefined],
    ['dispatches:write', 'dispatches_to_pick', dispatches?.picking],
    ['dispatches:write', 'dispatches_to_recheck', dispatches?.toRecheck],
    ['environment:write', 'alerts_to_acknowledge', alerts?.unacknowledged],
    ['certificates:write', 'certificates_expiring', certificates?.expiring],
    ['recalls:write', 'recalls_unanswered', recalls?.unanswered],
    ['quality:write', 'nonconformities_to_decide', quality?.toDecide],
    ['quality:write', 'dispositions_to_approve', quality?.toApprove],
    ['quality:write', 'dispositions_to_execute', quality?.approved],
    ['webhooks:write', 'webhooks_disabled', deliveries?.disabled],
  ];
  return {
    stock,
    orders: ifMay('orders:read', orders, ({ toApprove: _toApprove, ...shown }) => shown),
    receipts: ifMay('receipts:read', receipts, (pending) => ({ pending })),
    dispatches: ifMay('dispatches:read', dispatches, ({ picking, rechecking }) => ({ picking, rechecking })),
    alerts: ifMay('environment:read', alerts, (counts) => ({
      ...counts,
      newest: (newest ?? []).map(toAlertView),
    })),
    certificates: ifMay('certificates:read', certificates, (counts) => counts),
    recalls: ifMay('recalls:read', recalls, (counts) => counts),
    quality: ifMay('quality:read', quality, ({ open, proposed, approved }) => ({ open, proposed, approved })),
    deliveries: ifMay('webhooks:read', deliveries, (counts) => counts),
    needsMe: needs.flatMap(([scope, kind, count = 0]) =>
      scopes.has(scope) && count > 0 ? [{ kind, count }] : [],
    ),
  };
}
