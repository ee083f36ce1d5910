import { Type } from 'typebox';
import { productWords } from '../catalogue/index.js';
import {
  BatchNo,
  Code,
  DateText,
  Instant,
  Nullable,
  OneOf,
  Prose,
  QUANTITY_MAX,
  Quantity,
  Serials,
  Strict,
  Text,
  Warnings,
} from '../platform/http/index.js';
import { ScannedCode, ScannedCodes } from '../scanning/index.js';
import { RECEIPT_KINDS, RECEIPT_STATUSES, type Receipt } from './receipt.js';

const LINES_MAX = 1_000;
const LineNo = () => Type.Integer({ minimum: 1, maximum: 1_000_000 });

const LineBody = Strict({
  lineNo: LineNo(),
  productCode: Type.Optional(Code('Needed where no code says it.')),
  batchNo: Type.Optional(BatchNo()),
  manufactureDate: Type.Optional(Nullable(DateText())),
  expiryDate: Type.Optional(Nullable(DateText())),
  quantity: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: QUANTITY_MAX,
      description: 'In base units. Needed without a code; with one, what the code stands for when not given.',
    }),
  ),
  serials: Type.Optional(Serials()),
  udi: Type.Optional(Nullable(ScannedCode())),
  udis: Type.Optional(
    ScannedCodes('Instead of `udi`: several codes of one product and batch, one per piece or package.'),
  ),
});

export const ReceiptBody = Strict({
  receiptNo: Code(),
  kind: Type.Optional(OneOf(RECEIPT_KINDS)),
  supplierCode: Type.Optional(Nullable(Code('Of a purchase.'))),
  customerCode: Type.Optional(Nullable(Code('Of a return.'))),
  warehouse: Code(),
  remark: Type.Optional(Nullable(Prose(2_000))),
  lines: Type.Array(LineBody, { minItems: 1, maxItems: LINES_MAX }),
});

export const AcceptanceBody = Strict({
  lines: Type.Array(
    Strict({
      lineNo: LineNo(),
      acceptedQuantity: Quantity(),
      rejectedQuantity: Quantity(),
      rejectReason: Type.Optional(Nullable(Text(500))),
      acceptedSerials: Type.Optional(Serials()),
    }),
    { minItems: 1, maxItems: LINES_MAX, description: 'A verdict on every line.' },
  ),
});

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
      udi: Nullable(Type.String({ description: 'The code it was read from, if it was one.' })),
      udis: Type.Array(Type.String(), { description: 'All codes it was read from, as they were scanned.' }),
      acceptedQuantity: Nullable(Type.Integer()),
      rejectedQuantity: Nullable(Type.Integer()),
      rejectReason: Nullable(Type.String()),
      acceptedSerials: Nullable(Type.Array(Type.String())),
    }),
  ),
  version: Type.Integer(),
  createdAt: Instant(),
  createdBy: Type.String(),
  updatedAt: Instant(),
  acceptedAt: Nullable(Instant()),
  acceptedBy: Nullable(Type.String()),
  warnings: Warnings(),
};
export const ReceiptView = Type.Object(receipt);
export const SyncedReceiptView = Type.Object({
  ...receipt,
  result: OneOf(['created', 'updated', 'unchanged'] as const),
});

export const toReceiptView = (source: Receipt) => ({
  ...source,
  lines: source.lines.map((line) => ({
    ...line,
    udi: line.udis.length === 1 ? (line.udis[0] ?? null) : null,
  })),
  createdAt: source.createdAt.toISOString(),
  updatedAt: source.updatedAt.toISOString(),
  acceptedAt: source.acceptedAt?.toISOString() ?? null,
});
