import { Type } from 'typebox';
import { withCanonicalCode } from '../catalogue/index.js';
import { findMatches, SUBJECTS_MAX } from '../indexing/index.js';
import { type Database, transact } from '../platform/database/index.js';
import {
  AnyOf,
  Code,
  Instant,
  listRoute,
  type Route,
  SearchText,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { adjustStock } from './adjust-stock.js';
import { batchRoutes } from './batch.routes.js';
import { holdRoutes } from './hold.routes.js';
import { listMovements } from './movement.store.js';
import { MOVEMENT_KINDS } from './stock.js';
import {
  AdjustmentBody,
  MovementView,
  TransferBody,
  TransferView,
  toMovementView,
  toTransferView,
} from './stock.schemas.js';
import { transferStock } from './transfer-stock.js';

export const stockRoutes = (database: Database): Route[] => [
  ...operationRoutes(),
  ...batchRoutes(database),
  ...holdRoutes(database),
  movementsRoute(database),
];

function operationRoutes(): Route[] {
  const tag = 'Stock operations';
  const scope = 'inventory:write';
  return [
    writeRoute({
      method: 'POST',
      operationId: 'createStockAdjustment',
      path: '/v2/stock/adjustments',
      scope,
      tag,
      summary: 'Adjust stock',
      description: 'For a count, a breakage or opening stock. Never reduces reserved stock.',
      body: AdjustmentBody,
      data: MovementView,
      changes: ({ body }) => body.productCode,
      execute: async (tx, { body }) => toMovementView(await adjustStock(tx, body)),
    }),
    writeRoute({
      method: 'POST',
      operationId: 'createStockTransfer',
      path: '/v2/stock/transfers',
      scope,
      tag,
      summary: 'Transfer stock between warehouses',
      description:
        'Reserved stock cannot be transferred, and stock on hold only with `holdId`: it stays on hold. If a part of a hold is moved, ' +
        'the part gets a hold of its own with the same category, source and reason.',
      body: TransferBody,
      data: TransferView,
      changes: ({ body }) => body.productCode,
      execute: async (tx, { body }) =>
        toTransferView(await transferStock(tx, { ...body, holdId: body.holdId ?? undefined })),
    }),
  ];
}

/** The dispatches of an order are found by its number. */
const FOUND_BY = ['product', 'batch', 'serial', 'receipt', 'dispatch'] as const;

function movementsRoute(database: Database): Route {
  return listRoute({
    operationId: 'listStockMovements',
    path: '/v2/stock/movements',
    scope: 'inventory:read',
    tag: 'Stock operations',
    summary: 'List the stock ledger, newest first',
    description: 'Every change of stock, append-only. The balances are the sums of `quantityDelta`.',
    mayLag: true,
    filters: {
      q: SearchText(
        'the batch, serial, receipt, order or tracking number or of the name or code of the product',
      ),
      productCode: Type.Optional(Code()),
      warehouse: Type.Optional(Code()),
      batchNo: Type.Optional(Type.String({ maxLength: 64 })),
      serialNo: Type.Optional(Text(64)),
      kind: Type.Optional(AnyOf(MOVEMENT_KINDS)),
      documentId: Type.Optional(Text(64)),
      since: Type.Optional(Instant('Recorded at or after this instant.')),
      until: Type.Optional(Instant('Recorded before this instant.')),
    },
    item: MovementView,
    list: 'movements',
    key: (movement) => movement.movementId,
    view: toMovementView,
    readRows: async ({ principal, filter: { q, ...filter }, after, rowsMax }, from) => {
      const matches = await findMatches(database, principal.orgId, q, FOUND_BY, SUBJECTS_MAX);
      const where = { ...withCanonicalCode(filter), matches };
      return transact(from, principal, (tx) => listMovements(tx, where, after, rowsMax));
    },
  });
}
