import { Type } from 'typebox';
import { BatchNo, productWords, Serials } from '../catalogue/index.js';
import { Warnings } from '../certificates/index.js';
import { DateText, Instant, Model, Nullable, OneOf, Quantity, Strict, Text } from '../platform/http/index.js';
import { ScannedCodes } from '../scanning/index.js';
import { DISPATCH_STATUSES, type Dispatch } from './dispatch.js';

const LINES_MAX = 1_000;
const LineNo = () => Type.Integer({ minimum: 1, maximum: 1_000_000 });
const Reason = () => Text(500);

export const DispatchBody = Strict({
  orderId: Text(64),
  lines: Type.Optional(
    Type.Array(Strict({ lineNo: LineNo(), quantity: Quantity(1) }), {
      minItems: 1,
      maxItems: LINES_MAX,
      description: 'If omitted, everything still open.',
    }),
  ),
});

export const PicksBody = Strict({
  picks: Type.Optional(
    Type.Array(
      Strict({
        lineNo: LineNo(),
        batchNo: Type.Optional(BatchNo()),
        expiryDate: Type.Optional(
          Nullable(DateText('Of the batch. If sent, must be the one on record; never changes it.')),
        ),
        quantity: Quantity(1),
        serials: Type.Optional(Serials()),
        reason: Type.Optional(Nullable(Reason())),
      }),
      {
        maxItems: 10 * LINES_MAX,
        description: 'Replaces all picks recorded before. Required without `scans`.',
      },
    ),
  ),
  scans: Type.Optional(
    ScannedCodes('UDI codes of picked goods, in addition to `picks`; each counts the units of its package.'),
  ),
  reason: Type.Optional(Nullable(Reason())),
});

export const RecheckBody = Strict({
  result: OneOf(['pass', 'fail'] as const),
  reason: Type.Optional(Nullable(Reason())),
  carrier: Type.Optional(Nullable(Text(200))),
  trackingNo: Type.Optional(Nullable(Text(100))),
  scans: Type.Optional(
    ScannedCodes('UDI codes of the goods about to leave. To pass, they must be exactly what was picked.'),
  ),
});

export const DeliveryBody = Strict({ receivedBy: Text(200), receivedAt: Instant() });
export const CancelBody = Strict({ reason: Type.Optional(Nullable(Reason())) });

export const DispatchView = Model('Dispatch', {
  dispatchId: Type.String(),
  dispatchNo: Type.String({
    description: 'For people: the number of the order, and which of its dispatches this is.',
    examples: ['SO-1001-1'],
  }),
  orderId: Type.String(),
  orderNo: Type.String(),
  customerCode: Type.String(),
  customerName: Type.String({ description: 'As the dispatch names it; fixed at re-check.' }),
  warehouse: Type.String(),
  status: OneOf(DISPATCH_STATUSES),
  lines: Type.Array(
    Type.Object({
      lineNo: Type.Integer(),
      productCode: Type.String(),
      ...productWords,
      quantity: Type.Integer(),
      toPick: Type.Array(Type.Object({ batchNo: Type.String(), quantity: Type.Integer() })),
      picks: Type.Array(
        Type.Object({
          batchNo: Type.String(),
          expiryDate: Nullable(DateText()),
          quantity: Type.Integer(),
          serials: Type.Array(Type.String()),
          reason: Nullable(Type.String()),
        }),
      ),
    }),
  ),
  pickedBy: Nullable(Type.String()),
  recheckedBy: Nullable(Type.String()),
  recheckReason: Nullable(Type.String()),
  carrier: Nullable(Type.String()),
  trackingNo: Nullable(Type.String()),
  receivedBy: Nullable(Type.String()),
  cancelReason: Nullable(Type.String()),
  createdAt: Instant(),
  createdBy: Type.String(),
  updatedAt: Instant(),
  pickedAt: Nullable(Instant()),
  recheckedAt: Nullable(Instant()),
  dispatchedAt: Nullable(Instant()),
  deliveredAt: Nullable(Instant()),
  cancelledAt: Nullable(Instant()),
  scans: Type.Array(
    Type.Object({
      purpose: OneOf(['pick', 'recheck'] as const),
      code: Type.String(),
      lineNo: Nullable(Type.Integer()),
      batchNo: Type.String(),
      serialNo: Nullable(Type.String()),
      quantity: Type.Integer(),
      scannedBy: Type.String(),
      scannedAt: Instant(),
    }),
    { description: 'All scans for the dispatch in their order, including goods that were put back.' },
  ),
  warnings: Warnings(),
});

const text = (at: Date | null): string | null => at?.toISOString() ?? null;

export const toDispatchView = (source: Dispatch) => ({
  ...source,
  createdAt: source.createdAt.toISOString(),
  updatedAt: source.updatedAt.toISOString(),
  pickedAt: text(source.pickedAt),
  recheckedAt: text(source.recheckedAt),
  dispatchedAt: text(source.dispatchedAt),
  deliveredAt: text(source.deliveredAt),
  cancelledAt: text(source.cancelledAt),
  scans: source.scans.map((scan) => ({ ...scan, scannedAt: new Date(scan.scannedAt).toISOString() })),
});
