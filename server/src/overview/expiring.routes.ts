import { Type } from 'typebox';
import { TRACKINGS, withCanonicalCode } from '../catalogue/index.js';
import { readOpenDemand } from '../orders/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { Code, DateText, listRoute, Model, Nullable, OneOf, type Route } from '../platform/http/index.js';
import {
  type ExpiringBatch,
  type ExpiringFilter,
  listExpiring,
  readShipped,
  readUsableBatches,
} from '../stock/index.js';
import { datesLeft, daysLeft, demandFor, demandSince } from './demand.rules.js';
import { readLastPrices } from './last-price.store.js';

const DAYS_MAX = 36_500;
const Days = (description: string) =>
  Type.Optional(Type.Integer({ minimum: -DAYS_MAX, maximum: DAYS_MAX, description }));
const quantities = {
  totalQuantity: Type.Integer(),
  availableQuantity: Type.Integer(),
  reservedQuantity: Type.Integer(),
  blockedQuantity: Type.Integer(),
};

const ExpiringBatchView = Model('ExpiringBatch', {
  productCode: Type.String(),
  productName: Type.String(),
  unit: Nullable(Type.String()),
  tracking: OneOf(TRACKINGS),
  batchNo: Type.String(),
  expiryDate: DateText(),
  daysLeft: Type.Integer({ description: '0: usable today for the last time. Negative: expired.' }),
  ...quantities,
  byWarehouse: Type.Array(Type.Object({ warehouse: Type.String(), ...quantities })),
  demand: Type.Object({
    shippedQuantity: Type.Integer({ description: 'Of the product, shipped in the last 90 days.' }),
    openQuantity: Nullable(
      Type.Integer({ description: 'Of the product, wanted by open orders. Needs `orders:read`, else null.' }),
    ),
    expiringEarlier: Type.Integer({ description: 'Of the product, to be used before this batch.' }),
    expectedUse: Type.Integer({
      description: 'Of the product, until the batch expires, if it goes on as in the last 90 days.',
    }),
    surplus: Type.Integer({ description: 'Of the batch, not used in time; of an expired batch, all.' }),
  }),
  price: Nullable(
    Type.Object(
      { unitPrice: Type.String(), currency: Type.String() },
      { description: 'At which the product was shipped last. Needs `orders:read`, else null.' },
    ),
  ),
});

export const expiringRoutes = (database: Database): Route[] => [
  listRoute({
    operationId: 'listExpiringStock',
    path: '/v2/stock/expiring',
    scope: 'inventory:read',
    tag: 'Stock operations',
    summary: 'List batches in stock by expiry date, with the demand for them',
    description:
      'Earliest expiry first; batches without an expiry date are left out. `surplus` estimates what will not be used in time: demand goes ' +
      'on as in the last 90 days or takes what is ordered, whichever is more, and batches are used by earliest expiry.',
    filters: {
      minDays: Days('At least so many days left. Negative: expired so many days ago.'),
      maxDays: Days('At most so many days left; -1: expired.'),
      expiresFrom: Type.Optional(DateText('Expires on this day or later.')),
      expiresThrough: Type.Optional(DateText('Expires on this day or earlier.')),
      productCode: Type.Optional(Code()),
      warehouse: Type.Optional(Code('Batches with stock there, with their figures in all warehouses.')),
    },
    item: ExpiringBatchView,
    list: 'expiring stock',
    key: (batch: BatchWithDemand) => [batch.expiryDate, batch.productCode, batch.batchNo],
    keyLength: 3,
    view: (batch: BatchWithDemand) => batch,
    readRows: ({ principal, filter, afterKey, rowsMax }) =>
      transact(database, principal, async (tx) => {
        const { minDays, maxDays, expiresFrom, expiresThrough, ...rest } = withCanonicalCode(filter);
        const left = datesLeft(tx.today, { minDays, maxDays });
        const where: ExpiringFilter = {
          ...{ productCode: rest.productCode, warehouse: rest.warehouse },
          from: later(left.from, expiresFrom),
          through: earlier(left.through, expiresThrough),
        };
        const batches = await listExpiring(tx, where, afterKey, rowsMax);
        return withDemand(tx, batches, principal.scopes.has('orders:read'));
      }),
  }),
];

const later = (a: string | undefined, b: string | undefined) => (a && b ? (a > b ? a : b) : (a ?? b));
const earlier = (a: string | undefined, b: string | undefined) => (a && b ? (a < b ? a : b) : (a ?? b));

type BatchWithDemand = Awaited<ReturnType<typeof withDemand>>[number];

async function withDemand(tx: Tx, batches: readonly ExpiringBatch[], mayReadOrders: boolean) {
  const codes = [...new Set(batches.map(({ productCode }) => productCode))];
  const [shipped, usable, open, prices] = await Promise.all([
    readShipped(tx, codes, demandSince(tx.now)),
    readUsableBatches(tx, codes),
    mayReadOrders ? readOpenDemand(tx, codes) : null,
    mayReadOrders ? readLastPrices(tx, codes) : null,
  ]);
  return batches.map((batch) => ({
    ...batch,
    daysLeft: daysLeft(batch.expiryDate, tx.today),
    demand: demandFor(
      batch,
      tx.today,
      {
        shippedQuantity: shipped.get(batch.productCode) ?? 0,
        openQuantity: open && (open.get(batch.productCode) ?? 0),
      },
      usable.filter(({ productCode }) => productCode === batch.productCode),
    ),
    price: prices?.get(batch.productCode) ?? null,
  }));
}
