import { Type } from 'typebox';
import { BatchNo, SERIALS_MAX, Serials } from '../catalogue/index.js';
import {
  Code,
  DateText,
  Instant,
  Model,
  Nullable,
  OneOf,
  QUANTITY_MAX,
  Quantity,
  Strict,
  Text,
} from '../platform/http/index.js';
import type { Correction } from './correct-batch.js';
import {
  BATCH_STATUSES,
  CHOSEN_HOLD_CATEGORIES,
  HOLD_CATEGORIES,
  HOLD_EXTENTS,
  HOLD_SOURCES,
  type Hold,
  MOVEMENT_KINDS,
  type Movement,
} from './stock.js';
import type { Transfer } from './transfer-stock.js';

const Reason = () => Text(500);

export const AdjustmentBody = Strict({
  productCode: Code(),
  warehouse: Code(),
  batchNo: Type.Optional(BatchNo()),
  quantityDelta: Type.Integer({
    minimum: -QUANTITY_MAX,
    maximum: QUANTITY_MAX,
    not: { const: 0 },
    description: 'Not 0.',
  }),
  reason: Reason(),
  expiryDate: Type.Optional(
    Nullable(DateText('Required when the adjustment creates a batch. Null: does not expire.')),
  ),
  manufactureDate: Type.Optional(Nullable(DateText())),
  serials: Type.Optional(Serials()),
  occurredAt: Type.Optional(Instant('When it happened. Default: now.')),
});

/** A row of a file with opening stock. */
export const OpeningStockRow = Strict({
  productCode: Code(),
  warehouse: Code(),
  batchNo: Type.Optional(BatchNo()),
  quantity: Quantity(1),
  expiryDate: Type.Optional(Nullable(DateText())),
  manufactureDate: Type.Optional(Nullable(DateText())),
  serials: Type.Optional(Serials()),
  reason: Type.Optional(Reason()),
  occurredAt: Type.Optional(Instant()),
});

export const HoldBody = Strict({
  productCode: Code(),
  batchNo: Type.Optional(BatchNo()),
  warehouse: Type.Optional(Nullable(Code('Omitted: every warehouse, later arrivals included.'))),
  quantity: Type.Optional(Nullable(Quantity(1))),
  serials: Type.Optional(Type.Array(Text(64), { minItems: 1, maxItems: SERIALS_MAX, uniqueItems: true })),
  category: Type.Optional(
    OneOf(
      CHOSEN_HOLD_CATEGORIES,
      '`quality` needs the scope `quality:write`, and is the default for a caller who has it.',
    ),
  ),
  reason: Reason(),
});

export const ReleaseBody = Strict({
  reason: Type.Optional(Nullable(Text(500, 'Optional only for a logistics hold.'))),
});

export const TransferBody = Strict({
  productCode: Code(),
  batchNo: Type.Optional(BatchNo()),
  from: Code(),
  to: Code(),
  quantity: Quantity(1),
  serials: Type.Optional(Serials()),
  holdId: Type.Optional(Nullable(Text(64, 'Moves goods under this hold, which they stay under.'))),
  reason: Type.Optional(Nullable(Reason())),
  occurredAt: Type.Optional(Instant('When it happened. Default: now.')),
});

const DateChange = () => Type.Object({ before: Nullable(DateText()), after: Nullable(DateText()) });
export const BatchChangeView = Model(
  'BatchChange',
  { expiryDate: DateChange(), manufactureDate: DateChange() },
  { description: 'The dates of the batch before and after a correction.' },
);

const ListedName = Type.Optional(Type.String({ description: 'In lists: the name as it is now.' }));

export const MovementView = Model('Movement', {
  movementId: Type.String(),
  kind: OneOf(MOVEMENT_KINDS),
  productCode: Type.String(),
  productName: ListedName,
  warehouse: Type.String(),
  batchNo: Type.String(),
  quantity: Type.Integer({ description: 'The quantity the movement concerns.' }),
  quantityDelta: Type.Integer({
    description: 'The change of the balance: 0 for a hold, a release, a delivery or a correction.',
  }),
  serials: Type.Array(Type.String()),
  document: Type.Object({
    type: Type.String(),
    id: Type.String(),
    no: Nullable(Type.String()),
    line: Nullable(Type.Integer()),
  }),
  counterparty: Nullable(
    Type.Object({ type: OneOf(['supplier', 'customer', 'warehouse'] as const), code: Type.String() }),
  ),
  reason: Nullable(Type.String()),
  unmatched: Type.Boolean({
    description: 'Returns only: the customer did not hold it according to the ledger.',
  }),
  dispatchId: Nullable(Type.String({ description: 'Returns only: the dispatch it belongs to, if given.' })),
  correction: Nullable(BatchChangeView),
  holdId: Nullable(
    Type.String({
      description: 'The hold that moved with the goods, or that a disposition ended for them.',
    }),
  ),
  occurredAt: Instant(),
  recordedAt: Instant(),
  actor: Type.String(),
});

export const HoldView = Model('Hold', {
  holdId: Type.String(),
  status: OneOf(['active', 'released'] as const),
  productCode: Type.String(),
  productName: ListedName,
  batchNo: Type.String(),
  warehouse: Nullable(Type.String()),
  extent: OneOf(HOLD_EXTENTS),
  quantity: Nullable(Type.Integer()),
  serials: Type.Array(Type.String()),
  category: OneOf(
    HOLD_CATEGORIES,
    'Decides who releases it: `logistics` with `inventory:write`, the others with `quality:write` and a reason.',
  ),
  source: OneOf(HOLD_SOURCES),
  alertId: Nullable(Type.String({ description: 'The environment alert that caused the hold.' })),
  ncId: Nullable(
    Type.String({
      description: 'The entry of the register of nonconforming goods that its goods belong to.',
    }),
  ),
  splitFrom: Nullable(Type.String({ description: 'The hold of which it was a part.' })),
  reason: Type.String(),
  createdAt: Instant(),
  createdBy: Type.String(),
  releasedAt: Nullable(Instant()),
  releasedBy: Nullable(Type.String()),
  releaseReason: Nullable(Type.String()),
  updatedAt: Instant(),
});

const quantities = {
  totalQuantity: Type.Integer({ description: 'available + reserved + blocked, always.' }),
  availableQuantity: Type.Integer(),
  reservedQuantity: Type.Integer(),
  blockedQuantity: Type.Integer({ description: 'Expired, on hold or recalled: may not be sold.' }),
};

export const BatchView = Model('Batch', {
  productCode: Type.String(),
  productName: Type.String(),
  batchNo: Type.String(),
  expiryDate: Nullable(DateText()),
  manufactureDate: Nullable(DateText()),
  status: OneOf(
    BATCH_STATUSES,
    '`recalled`: a recall holds the batch, or some of it and nothing else can be sold; then `expired`; `on_hold`: there is stock, ' +
      'and holds leave nothing that can be sold; else `released`.',
  ),
  byWarehouse: Type.Array(Type.Object({ warehouse: Type.String(), ...quantities }), {
    description: 'Each warehouse with stock of the batch.',
  }),
  holds: Type.Array(
    Type.Object({
      holdId: Type.String(),
      category: OneOf(HOLD_CATEGORIES),
      extent: OneOf(HOLD_EXTENTS),
      warehouse: Nullable(Type.String({ description: 'Null: every warehouse.' })),
      quantity: Nullable(Type.Integer({ description: 'Null for a whole batch.' })),
      reason: Type.String(),
    }),
    { description: 'The active holds, oldest first.' },
  ),
});

export const CorrectionBody = Strict({
  expiryDate: Type.Optional(Nullable(DateText('Null: does not expire.'))),
  manufactureDate: Type.Optional(Nullable(DateText())),
  reason: Reason(),
});

export const CorrectionView = Model('BatchCorrection', {
  correctionId: Type.String(),
  productCode: Type.String(),
  batchNo: Type.String(),
  expiryDate: Nullable(DateText()),
  manufactureDate: Nullable(DateText()),
  before: Type.Object({ expiryDate: Nullable(DateText()), manufactureDate: Nullable(DateText()) }),
  reason: Type.String(),
  correctedAt: Instant(),
  correctedBy: Type.String(),
  customers: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), quantity: Type.Integer() }), {
    description: 'Customers who received the batch under the old dates and still hold some of it.',
  }),
  releasedReservations: Type.Array(
    Type.Object({
      orderId: Type.String(),
      lineNo: Type.Integer(),
      warehouse: Type.String(),
      quantity: Type.Integer(),
    }),
    { description: 'Reservations that no longer fit their orders, which now have a shortage.' },
  ),
});

export const TransferView = Model('Transfer', {
  transferId: Type.String(),
  productCode: Type.String(),
  batchNo: Type.String(),
  from: Type.String(),
  to: Type.String(),
  quantity: Type.Integer(),
  serials: Type.Array(Type.String()),
  holdId: Nullable(Type.String({ description: 'The hold named in the request.' })),
  newHoldId: Nullable(
    Type.String({ description: 'The hold of the moved goods, where it is another: `holdId` was split.' }),
  ),
  reason: Nullable(Type.String()),
  occurredAt: Instant(),
  createdAt: Instant(),
  createdBy: Type.String(),
});

export const toMovementView = (movement: Movement) => ({
  ...movement,
  occurredAt: movement.occurredAt.toISOString(),
  recordedAt: movement.recordedAt.toISOString(),
});

export const toHoldView = (hold: Hold) => ({
  ...hold,
  status: hold.releasedAt ? ('released' as const) : ('active' as const),
  createdAt: hold.createdAt.toISOString(),
  releasedAt: hold.releasedAt?.toISOString() ?? null,
  updatedAt: hold.updatedAt.toISOString(),
});

export const toTransferView = (transfer: Transfer) => ({
  ...transfer,
  occurredAt: transfer.occurredAt.toISOString(),
  createdAt: transfer.createdAt.toISOString(),
});

export const toCorrectionView = ({ releasedReservations, ...correction }: Correction) => ({
  ...correction,
  correctedAt: correction.correctedAt.toISOString(),
  releasedReservations: releasedReservations.map(({ orderId, lineNo, warehouse, quantity }) => ({
    orderId,
    lineNo,
    warehouse,
    quantity,
  })),
});
