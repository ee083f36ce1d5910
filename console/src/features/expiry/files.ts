import { type CsvCell, writeCsv } from '@lotward/client/csv';
import { saveFile } from '../../ui/save-file.js';
import type { ExpiringBatch } from './bulk.js';

type Columns = readonly (readonly [name: string, write: (batch: ExpiringBatch) => CsvCell])[];

/** For customers: what they can have, and nothing about demand or prices. */
const OFFER: Columns = [
  ['productCode', (batch) => batch.productCode],
  ['productName', (batch) => batch.productName],
  ['batchNo', (batch) => batch.batchNo],
  ['expiryDate', (batch) => batch.expiryDate],
  ['daysLeft', (batch) => batch.daysLeft],
  ['availableQuantity', (batch) => batch.availableQuantity],
  ['unit', (batch) => batch.unit],
];

const EVERYTHING: Columns = [
  ...OFFER.slice(0, -2),
  ['totalQuantity', (batch) => batch.totalQuantity],
  ['availableQuantity', (batch) => batch.availableQuantity],
  ['reservedQuantity', (batch) => batch.reservedQuantity],
  ['blockedQuantity', (batch) => batch.blockedQuantity],
  [
    'warehouses',
    (batch) => batch.byWarehouse.map((each) => `${each.warehouse}: ${each.totalQuantity}`).join(', '),
  ],
  ['shippedLast90Days', (batch) => batch.demand.shippedQuantity],
  ['openOrders', (batch) => batch.demand.openQuantity],
  ['expectedUse', (batch) => batch.demand.expectedUse],
  ['surplus', (batch) => batch.demand.surplus],
  ['unitPrice', (batch) => batch.price?.unitPrice ?? null],
  ['currency', (batch) => batch.price?.currency ?? null],
];

function save(name: string, columns: Columns, batches: readonly ExpiringBatch[]): number {
  const rows = batches.map((batch) => columns.map(([, write]) => write(batch)));
  saveFile(name, writeCsv([columns.map(([column]) => column), ...rows]));
  return rows.length;
}

export const saveBatches = (batches: readonly ExpiringBatch[]): number =>
  save('expiring-stock.csv', EVERYTHING, batches);

/** Batches that can still be sold. */
export const saveOffer = (batches: readonly ExpiringBatch[]): number =>
  save(
    'offer.csv',
    OFFER,
    batches.filter(({ daysLeft, availableQuantity }) => daysLeft >= 0 && availableQuantity > 0),
  );
