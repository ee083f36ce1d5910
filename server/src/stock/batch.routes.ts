import { canonicalCode } from '@lotward/udi';
import { Type } from 'typebox';
import { withCanonicalCode } from '../catalogue/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  AnyOf,
  Code,
  DateText,
  listRoute,
  type Route,
  readRoute,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { type BatchRecord, findBatchRecord, listBatches } from './batch-list.store.js';
import { correctBatch } from './correct-batch.js';
import { BATCH_STATUSES } from './stock.js';
import { BatchView, CorrectionBody, CorrectionView, toCorrectionView } from './stock.schemas.js';

const tag = 'Stock operations';
const ByBatch = Strict({ productCode: Code(), batchNo: Text(64) });

export const batchRoutes = (database: Database): Route[] => [
  listRoute({
    operationId: 'listStockBatches',
    path: '/v2/stock/batches',
    scope: 'inventory:read',
    tag,
    summary: 'List batches with their stock, status and holds',
    description:
      'By product code and batch number. Lists batches with stock or active holds; with both `productCode` and `batchNo`, the batch ' +
      'in any case. A product that is not tracked by batch has one with an empty number. Figures are those of `GET /v2/inventory`.',
    filters: {
      productCode: Type.Optional(Code()),
      batchNo: Type.Optional(Type.String({ maxLength: 64 })),
      status: Type.Optional(AnyOf(BATCH_STATUSES)),
      warehouse: Type.Optional(Code('Batches with stock there, with their figures in all warehouses.')),
      expiringBefore: Type.Optional(DateText('The expiry date is before this day.')),
    },
    item: BatchView,
    list: 'batches',
    key: (batch: BatchRecord) => [batch.productCode, batch.batchNo],
    keyLength: 2,
    view: (batch) => batch,
    readRows: ({ principal, filter, afterKey, rowsMax }) =>
      transact(database, principal, (tx) => listBatches(tx, withCanonicalCode(filter), afterKey, rowsMax)),
  }),
  readRoute({
    operationId: 'getStockBatch',
    path: '/v2/stock/batches/:productCode/:batchNo',
    scope: 'inventory:read',
    tag,
    summary: 'Read a batch with its stock, status and holds',
    params: ByBatch,
    data: BatchView,
    async read({ principal, params }) {
      const productCode = canonicalCode(params.productCode);
      const batch = await transact(database, principal, (tx) =>
        findBatchRecord(tx, productCode, params.batchNo),
      );
      if (!batch) throw missing('batch', 'batchNo');
      return batch;
    },
  }),
  correctionRoute(),
];

function correctionRoute(): Route {
  return writeRoute({
    method: 'POST',
    operationId: 'recordStockBatchCorrections',
    path: '/v2/stock/batches/:productCode/:batchNo/corrections',
    scope: 'quality:write',
    tag,
    summary: 'Correct the dates of a batch',
    description:
      'Takes effect everywhere immediately. Reservations that no longer fit are dropped; accepted documents keep their dates.',
    params: ByBatch,
    body: CorrectionBody,
    data: CorrectionView,
    changes: ({ params }) => params.productCode,
    execute: async (tx, { params, body }) => toCorrectionView(await correctBatch(tx, { ...params, ...body })),
  });
}
