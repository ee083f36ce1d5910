import { canonicalCode } from '@lotward/udi';
import { Type } from 'typebox';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  Code,
  decodeCursor,
  Instant,
  OneOf,
  PAGE_LIMIT_DEFAULT,
  PageOf,
  PageQuery,
  type Route,
  readRoute,
  Strict,
  Text,
  toPage,
  writeRoute,
} from '../platform/http/index.js';
import { adjustStock } from './adjust-stock.js';
import { correctBatch } from './correct-batch.js';
import { findHold, listHolds } from './hold.store.js';
import { holdStock } from './hold-stock.js';
import { listMovements } from './movement.store.js';
import { releaseHold } from './release-hold.js';
import { MOVEMENT_KINDS } from './stock.js';
import {
  AdjustmentBody,
  CorrectionBody,
  CorrectionView,
  HoldBody,
  HoldView,
  MovementView,
  ReleaseBody,
  TransferBody,
  TransferView,
  toCorrectionView,
  toHoldView,
  toMovementView,
  toTransferView,
} from './stock.schemas.js';
import { transferStock } from './transfer-stock.js';

const ByHold = Strict({ holdId: Text(64) });
const codeOf = (productCode: string | undefined) =>
  productCode === undefined ? undefined : canonicalCode(productCode);

export const stockRoutes = (database: Database): Route[] => [
  ...operationRoutes(),
  correctionRoute(),
  ...holdRoutes(database),
  movementsRoute(database),
];

function operationRoutes(): Route[] {
  const tag = 'Stock operations';
  const scope = 'inventory:write';
  return [
    writeRoute({
      method: 'POST',
      path: '/v2/stock/adjustments',
      scope,
      tag,
      summary: 'Correct a balance',
      description: 'After a count, a breakage, or to enter opening stock. Never takes what is reserved.',
      body: AdjustmentBody,
      data: MovementView,
      execute: async (tx, { body }) => toMovementView(await adjustStock(tx, body)),
    }),
    writeRoute({
      method: 'POST',
      path: '/v2/stock/transfers',
      scope,
      tag,
      summary: 'Move stock between warehouses',
      description: 'Not what is on hold or reserved.',
      body: TransferBody,
      data: TransferView,
      execute: async (tx, { body }) => toTransferView(await transferStock(tx, body)),
    }),
    writeRoute({
      method: 'POST',
      path: '/v2/stock/holds',
      scope,
      tag,
      summary: 'Put stock on hold',
      description: 'A whole batch, or a `quantity` or `serials` of it. Holds stack.',
      body: HoldBody,
      data: HoldView,
      execute: async (tx, { body }) =>
        toHoldView(
          await holdStock(tx, {
            ...body,
            warehouse: body.warehouse ?? undefined,
            quantity: body.quantity ?? undefined,
          }),
        ),
    }),
    writeRoute({
      method: 'POST',
      path: '/v2/stock/holds/:holdId/release',
      scope,
      tag,
      summary: 'Release a hold',
      params: ByHold,
      body: ReleaseBody,
      data: HoldView,
      execute: async (tx, { params, body }) =>
        toHoldView(await releaseHold(tx, params.holdId, body.reason ?? null)),
    }),
  ];
}

function correctionRoute(): Route {
  return writeRoute({
    method: 'POST',
    path: '/v2/stock/batches/:productCode/:batchNo/corrections',
    scope: 'quality:write',
    tag: 'Stock operations',
    summary: 'Correct the dates of a batch',
    description:
      'Takes effect everywhere at once. Reservations that no longer fit are dropped; accepted documents keep what they said.',
    params: Strict({ productCode: Code(), batchNo: Text(64) }),
    body: CorrectionBody,
    data: CorrectionView,
    execute: async (tx, { params, body }) => toCorrectionView(await correctBatch(tx, { ...params, ...body })),
  });
}

function holdRoutes(database: Database): Route[] {
  const tag = 'Stock operations';
  return [
    readRoute({
      path: '/v2/stock/holds',
      scope: 'inventory:read',
      tag,
      summary: 'List holds, newest first',
      query: Strict({
        productCode: Type.Optional(Code()),
        batchNo: Type.Optional(Type.String({ maxLength: 64 })),
        status: Type.Optional(OneOf(['active', 'released'] as const)),
        ...PageQuery,
      }),
      data: PageOf(HoldView),
      async answer({ principal, query }) {
        const { limit = PAGE_LIMIT_DEFAULT, cursor, ...filter } = query;
        const before = decodeCursor('holds', cursor, 1)?.[0] ?? null;
        const where = { ...filter, productCode: codeOf(filter.productCode) };
        const rows = await transact(database, principal, (tx) => listHolds(tx, where, before, limit + 1));
        return toPage('holds', rows, limit, (hold) => [hold.holdId], toHoldView);
      },
    }),
    readRoute({
      path: '/v2/stock/holds/:holdId',
      scope: 'inventory:read',
      tag,
      summary: 'One hold',
      params: ByHold,
      data: HoldView,
      async answer({ principal, params }) {
        const hold = await transact(database, principal, (tx) => findHold(tx, params.holdId));
        if (!hold) throw missing('hold', 'holdId');
        return toHoldView(hold);
      },
    }),
  ];
}

function movementsRoute(database: Database): Route {
  return readRoute({
    path: '/v2/stock/movements',
    scope: 'inventory:read',
    tag: 'Stock operations',
    summary: 'The stock ledger, newest first',
    description: 'Every change of stock, append-only. The balances are the sums of `quantityDelta`.',
    query: Strict({
      productCode: Type.Optional(Code()),
      warehouse: Type.Optional(Code()),
      batchNo: Type.Optional(Type.String({ maxLength: 64 })),
      serialNo: Type.Optional(Text(64)),
      kind: Type.Optional(OneOf(MOVEMENT_KINDS)),
      documentId: Type.Optional(Text(64)),
      since: Type.Optional(Instant('Recorded at or after this instant.')),
      until: Type.Optional(Instant('Recorded before this instant.')),
      ...PageQuery,
    }),
    data: PageOf(MovementView),
    async answer({ principal, query }) {
      const { limit = PAGE_LIMIT_DEFAULT, cursor, ...filter } = query;
      const before = decodeCursor('movements', cursor, 1)?.[0] ?? null;
      const where = { ...filter, productCode: codeOf(filter.productCode) };
      const rows = await transact(database, principal, (tx) => listMovements(tx, where, before, limit + 1));
      return toPage('movements', rows, limit, (movement) => [movement.movementId], toMovementView);
    },
  });
}
