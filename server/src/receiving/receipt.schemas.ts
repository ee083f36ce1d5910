import { Type } from 'typebox';
import { BatchNo, productWords, Serials } from '../catalogue/index.js';
import { Warnings } from '../certificates/index.js';
import {
  Code,
  DateText,
  Instant,
  Model,
  Nullable,
  OneOf,
  Prose,
  QUANTITY_MAX,
  Quantity,
  Strict,
  Text,
} from '../platform/http/index.js';
import { ScannedCode, ScannedCodes } from '../scanning/index.js';
import { RECEIPT_KINDS, RECEIPT_STATUSES, type Receipt } from './receipt.js';

const LINES_MAX = 1_000;
const LineNo = () => Type.Integer({ minimum: 1, maximum: 1_000_000 });

const Temperature = () => Type.Number({ minimum: -200, maximum: 200, description: 'In °C.' });

const LineBody = Strict({
  lineNo: LineNo(),
  productCode: Type.Optional(Code('Required on a line without a code.')),
  batchNo: Type.Optional(BatchNo()),
  manufactureDate: Type.Optional(Nullable(DateText('Default on a return: the date of the batch.'))),
  expiryDate: Type.Optional(Nullable(DateText('Default on a return: the date of the batch.'))),
  quantity: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: QUANTITY_MAX,
      description:
        'In base units. Required without a code. Default with one: the units that the code stands for.',
    }),
  ),
  serials: Type.Optional(Serials()),
  udi: Type.Optional(Nullable(ScannedCode())),
  udiDi: Type.Optional(
    Nullable(
      Code(
        'With `packages`, instead of `productCode` and `quantity`: the device identifier of any package level.',
      ),
    ),
  ),
  packages: Type.Optional(Nullable(Quantity(1))),
  dispatchId: Type.Optional(
    Nullable(Text(64, 'Returns only: accepts at most the quantity that this dispatch shipped.')),
  ),
  udis: Type.Optional(
    ScannedCodes('Instead of `udi`: several codes of one product and batch, one per unit or package.'),
  ),
});

export const ReceiptBody = Strict({
  receiptNo: Code(),
  kind: Type.Optional(OneOf(RECEIPT_KINDS)),
  supplierCode: Type.Optional(Nullable(Code('Purchases only.'))),
  customerCode: Type.Optional(Nullable(Code('Returns only.'))),
  warehouse: Code(),
  remark: Type.Optional(Nullable(Prose(2_000))),
  purchaseOrderNo: Type.Optional(Nullable(Text(64))),
  arrivedAt: Type.Optional(Nullable(Instant('When the goods arrived.'))),
  transportTemperature: Type.Optional(Nullable(Temperature())),
  sampled: Type.Optional(
    Nullable(Type.Boolean({ description: 'Whether samples were taken for inspection.' })),
  ),
  unmatched: Type.Optional(
    Nullable(
      Strict(
        { reason: Text(400) },
        {
          description:
            'Returns only: also accepts goods that the customer does not hold, on hold. Needs the scope `quality:write`.',
        },
      ),
    ),
  ),
  lines: Type.Array(LineBody, { minItems: 1, maxItems: LINES_MAX }),
});

export const AcceptanceBody = Strict({
  lines: Type.Array(
    Strict({
      lineNo: LineNo(),
      acceptedQuantity: Quantity(),
      rejectedQuantity: Quantity(),
      rejectReason: Type.Optional(Nullable(Text(500))),
      deviationReason: Type.Optional(
        Nullable(
          Text(
            500,
            'Why goods that came outside their conditions, for instance too warm, are accepted all the same.',
          ),
        ),
      ),
      acceptedSerials: Type.Optional(Serials()),
    }),
    { minItems: 1, maxItems: LINES_MAX, description: 'A verdict on every line.' },
  ),
});

export const CancelReceiptBody = Strict({ reason: Text(500) });

const receipt = {
  receiptId: Type.String(),
  receiptNo: Type.String(),
  kind: OneOf(RECEIPT_KINDS),
  supplierCode: Nullable(Type.String()),
  supplierName: Nullable(Type.String({ description: 'As the receipt names it; fixed at acceptance.' })),
  customerCode: Nullable(Type.String()),
  customerName: Nullable(Type.String({ description: 'As the receipt names it; fixed at acceptance.' })),
  warehouse: Type.String(),
  status: OneOf(RECEIPT_STATUSES),
  remark: Nullable(Type.String()),
  purchaseOrderNo: Nullable(Type.String()),
  arrivedAt: Nullable(Instant()),
  transportTemperature: Nullable(Temperature()),
  sampled: Nullable(Type.Boolean()),
  unmatched: Nullable(
    Type.Object(
      { reason: Type.String(), allowedBy: Type.String() },
      { description: 'Goods that the customer does not hold are accepted too, for this reason.' },
    ),
  ),
  lines: Type.Array(
    Type.Object({
      lineNo: Type.Integer(),
      productCode: Type.String(),
      ...productWords,
      batchNo: Type.String(),
      manufactureDate: Nullable(DateText()),
      expiryDate: Nullable(DateText()),
      quantity: Type.Integer(),
      serials: Type.Array(Type.String()),
      udi: Nullable(Type.String({ description: 'The code the line was read from, if it was exactly one.' })),
      udis: Type.Array(Type.String(), { description: 'All codes the line was read from, as scanned.' }),
      udiDi: Nullable(Type.String({ description: 'The package the line was counted in.' })),
      packages: Nullable(Type.Integer()),
      dispatchId: Nullable(Type.String()),
      acceptedQuantity: Nullable(Type.Integer()),
      rejectedQuantity: Nullable(Type.Integer()),
      rejectReason: Nullable(Type.String()),
      deviationReason: Nullable(Type.String()),
      acceptedSerials: Nullable(Type.Array(Type.String())),
    }),
  ),
  version: Type.Integer(),
  createdAt: Instant(),
  createdBy: Type.String(),
  updatedAt: Instant(),
  acceptedAt: Nullable(Instant()),
  acceptedBy: Nullable(Type.String()),
  cancelledAt: Nullable(Instant()),
  cancelledBy: Nullable(Type.String()),
  cancelReason: Nullable(Type.String()),
  warnings: Warnings(),
};
export const ReceiptView = Model('Receipt', receipt);
export const SyncedReceiptView = Model('SyncedReceipt', {
  ...receipt,
  result: OneOf(['created', 'updated', 'unchanged'] as const),
});

export const toReceiptView = (source: Receipt) => ({
  ...source,
  lines: source.lines.map(({ expiryFromBatch: _expiry, manufactureFromBatch: _manufacture, ...line }) => ({
    ...line,
    udi: line.udis.length === 1 ? (line.udis[0] ?? null) : null,
  })),
  createdAt: source.createdAt.toISOString(),
  updatedAt: source.updatedAt.toISOString(),
  acceptedAt: source.acceptedAt?.toISOString() ?? null,
  arrivedAt: source.arrivedAt?.toISOString() ?? null,
  cancelledAt: source.cancelledAt?.toISOString() ?? null,
});
