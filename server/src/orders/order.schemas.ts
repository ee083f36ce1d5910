import { Type } from 'typebox';
import { productWords } from '../catalogue/index.js';
import { Warnings } from '../certificates/index.js';
import {
  Code,
  DateText,
  Instant,
  Model,
  Nullable,
  OneOf,
  Prose,
  Quantity,
  Strict,
  Text,
} from '../platform/http/index.js';
import { CURRENCIES } from './currency.rules.js';
import { totalAmount } from './money.rules.js';
import { ORDER_STATUSES, type Order, type SyncResult } from './order.js';
import { hasShortage } from './order.rules.js';

const LINES_MAX = 1_000;
const LineNo = () => Type.Integer({ minimum: 1, maximum: 1_000_000 });
const Amount = () =>
  Type.String({
    pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
    description: 'A decimal number.',
    examples: ['199.00'],
  });
const Reason = () => Text(500);

const LineBody = Strict({
  lineNo: LineNo(),
  productCode: Code(),
  quantity: Quantity(1),
  unitPrice: Amount(),
  batchNo: Type.Optional(Nullable(Text(64, 'Set: no other batch will do.'))),
  minRemainingShelfLifeDays: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 36_500 }))),
});

export const OrderBody = Strict({
  orderNo: Code(),
  customerCode: Code(),
  warehouse: Type.Optional(Code('Required unless `cancel`.')),
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      description: 'A current ISO 4217 code, else `unknown_currency`. Required unless `cancel`.',
      examples: ['EUR'],
      'x-currencies': CURRENCIES,
    }),
  ),
  lines: Type.Optional(
    Type.Array(LineBody, { minItems: 1, maxItems: LINES_MAX, description: 'Required unless `cancel`.' }),
  ),
  requestedDate: Type.Optional(Nullable(DateText())),
  remark: Type.Optional(Nullable(Prose(2_000))),
  sourceVersion: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Refused when older than the stored one.',
      }),
    ),
  ),
  cancel: Type.Optional(Type.Boolean({ description: 'Cancel the order instead.' })),
  reason: Type.Optional(Nullable(Reason())),
});

export const OptionalReason = Strict({ reason: Type.Optional(Nullable(Reason())) });
export const RequiredReason = Strict({ reason: Reason() });

const LineView = Model('OrderLine', {
  lineNo: Type.Integer(),
  productCode: Type.String(),
  ...productWords,
  quantity: Type.Integer(),
  unitPrice: Type.String(),
  batchNo: Nullable(Type.String()),
  minRemainingShelfLifeDays: Nullable(Type.Integer()),
  reserved: Type.Array(
    Type.Object({ batchNo: Type.String(), expiryDate: Nullable(DateText()), quantity: Type.Integer() }),
  ),
  dispatchedQuantity: Type.Integer(),
  deliveredQuantity: Type.Integer(),
  closedQuantity: Type.Integer(),
});

const order = {
  orderId: Type.String(),
  orderNo: Type.String(),
  customerCode: Type.String(),
  customerName: Type.String(),
  status: OneOf(ORDER_STATUSES),
  onHold: Type.Boolean(),
  shortage: Type.Boolean({ description: 'Some open quantities are not reserved: reserve again.' }),
  warehouse: Type.String(),
  requestedDate: Nullable(DateText()),
  currency: Type.String(),
  lines: Type.Array(LineView),
  totalAmount: Type.String(),
  remark: Nullable(Type.String()),
  sourceVersion: Nullable(Type.Integer()),
  warnings: Warnings(),
  version: Type.Integer(),
  createdAt: Instant(),
  createdBy: Type.String(),
  updatedAt: Instant(),
  statusHistory: Type.Array(
    Type.Object({
      previousStatus: Nullable(OneOf(ORDER_STATUSES)),
      currentStatus: OneOf(ORDER_STATUSES),
      changedBy: Type.String(),
      changedAt: Instant(),
      reason: Nullable(Type.String()),
    }),
  ),
};
export const OrderView = Model('Order', order);
export const SyncedOrderView = Model('SyncedOrder', {
  ...order,
  result: OneOf(['created', 'updated', 'unchanged', 'cancelled'] as const satisfies readonly SyncResult[]),
});

export const toOrderView = (source: Order) => ({
  ...source,
  shortage: hasShortage(source),
  totalAmount: totalAmount(source.lines),
  createdAt: source.createdAt.toISOString(),
  updatedAt: source.updatedAt.toISOString(),
  statusHistory: source.statusHistory.map((change) => ({
    ...change,
    changedAt: change.changedAt.toISOString(),
  })),
});

export const toSyncedOrderView = ({ order: synced, result }: { order: Order; result: SyncResult }) => ({
  ...toOrderView(synced),
  result,
});
