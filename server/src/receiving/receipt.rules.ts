import { canonicalCode } from '@lotward/udi';
import { StateMachine } from '../platform/transitions/index.js';
import { refuseReceipt } from './receipt.errors.js';
import type { LineVerdict, Receipt, ReceiptContent, ReceiptLine, ReceiptStatus } from './receipt.js';

export const receiptMachine = new StateMachine<ReceiptStatus, 'accept' | 'cancel'>('receipt', [
  {
    from: ['pending_acceptance'],
    action: 'accept',
    to: ['accepted', 'partially_accepted', 'rejected'],
    effect: 'accepted goods enter stock, returned ones on hold; a purchase publishes an event',
  },
  {
    from: ['pending_acceptance'],
    action: 'cancel',
    to: ['cancelled'],
    effect: 'nothing enters stock; the number is not used again',
  },
]);

type LineInput = Pick<ReceiptLine, 'lineNo' | 'productCode' | 'quantity' | 'udis'> & {
  batchNo?: string | undefined;
  manufactureDate?: string | null | undefined;
  expiryDate?: string | null | undefined;
  serials?: readonly string[] | undefined;
  udiDi?: string | null | undefined;
  packages?: number | null | undefined;
  dispatchId?: string | null | undefined;
};

export interface ReceiptInput {
  kind?: Receipt['kind'] | undefined;
  supplierCode?: string | null | undefined;
  customerCode?: string | null | undefined;
  warehouse: string;
  remark?: string | null | undefined;
  purchaseOrderNo?: string | null | undefined;
  arrivedAt?: string | null | undefined;
  transportTemperature?: number | null | undefined;
  sampled?: boolean | null | undefined;
  unmatched?: { reason: string } | null | undefined;
  lines: readonly LineInput[];
}

/** Canonical content: equal for two requests that mean the same receipt. */
export function normalizeReceipt(input: ReceiptInput): ReceiptContent {
  const kind = input.kind ?? 'purchase';
  const supplierCode = input.supplierCode ?? null;
  const customerCode = input.customerCode ?? null;
  if ((kind === 'purchase') !== (supplierCode !== null) || (kind === 'return') !== (customerCode !== null)) {
    throw refuseReceipt('partner_required', kind === 'purchase' ? '/supplierCode' : '/customerCode');
  }
  input.lines.forEach((line, i) => {
    // An omitted date must not create a batch that never expires; null states that explicitly.
    if (kind === 'purchase' && (line.batchNo ?? '') !== '' && line.expiryDate === undefined)
      throw refuseReceipt('expiry_date_required', `/lines/${i}/expiryDate`);
  });
  const lines = input.lines.map((line) => normalizeLine(line, kind)).sort((a, b) => a.lineNo - b.lineNo);
  if (new Set(lines.map((line) => line.lineNo)).size !== lines.length)
    throw refuseReceipt('duplicate_line', '/lines');
  const units = lines.flatMap((line) => line.serials.map((serial) => `${line.productCode}\n${serial}`));
  if (new Set(units).size !== units.length) throw refuseReceipt('serial_twice', '/lines');
  return {
    kind,
    supplierCode,
    customerCode,
    warehouse: input.warehouse,
    remark: input.remark ?? null,
    purchaseOrderNo: input.purchaseOrderNo ?? null,
    arrivedAt: input.arrivedAt == null ? null : new Date(input.arrivedAt),
    transportTemperature: input.transportTemperature ?? null,
    sampled: input.sampled ?? null,
    unmatchedReason: input.unmatched?.reason ?? null,
    lines,
  };
}

function normalizeLine(line: LineInput, kind: Receipt['kind']): ReceiptContent['lines'][number] {
  // Returned goods belong to a known batch, whose dates replace omitted ones.
  const omitted = kind === 'return' && (line.batchNo ?? '') !== '' ? undefined : null;
  return {
    lineNo: line.lineNo,
    productCode: canonicalCode(line.productCode),
    batchNo: line.batchNo ?? '',
    manufactureDate: line.manufactureDate === undefined ? omitted : line.manufactureDate,
    expiryDate: line.expiryDate === undefined ? omitted : line.expiryDate,
    quantity: line.quantity,
    serials: [...(line.serials ?? [])].sort(),
    udis: line.udis,
    udiDi: line.udiDi ?? null,
    packages: line.packages ?? null,
    dispatchId: line.dispatchId ?? null,
  };
}

/** Whether the content equals the stored one. A cancelled receipt accepts nothing, not even its own content. */
export const isUnchanged = (known: Receipt, sent: ReceiptContent): boolean =>
  known.status !== 'cancelled' && comparable(receiptContentOf(known)) === comparable(sent);

/** Older receipts store null for an omitted manufacture date, so null and omitted compare as equal. */
const comparable = (content: ReceiptContent): string =>
  JSON.stringify({
    ...content,
    lines: content.lines.map((line) => ({ ...line, manufactureDate: line.manufactureDate ?? null })),
  });

function receiptContentOf(receipt: Receipt): ReceiptContent {
  const { kind, supplierCode, customerCode, warehouse, remark } = receipt;
  const { purchaseOrderNo, arrivedAt, transportTemperature, sampled } = receipt;
  return {
    ...{ kind, supplierCode, customerCode, warehouse, remark },
    ...{ purchaseOrderNo, arrivedAt, transportTemperature, sampled },
    unmatchedReason: receipt.unmatched?.reason ?? null,
    lines: receipt.lines.map((line) => ({
      lineNo: line.lineNo,
      productCode: line.productCode,
      batchNo: line.batchNo,
      manufactureDate: line.manufactureFromBatch ? undefined : line.manufactureDate,
      expiryDate: line.expiryFromBatch ? undefined : line.expiryDate,
      quantity: line.quantity,
      serials: line.serials,
      udis: line.udis,
      udiDi: line.udiDi,
      packages: line.packages,
      dispatchId: line.dispatchId,
    })),
  };
}

/** Applies the verdicts; each line needs exactly one, for its whole quantity. */
export function judgeLines(receipt: Receipt, verdicts: readonly LineVerdict[]): ReceiptLine[] {
  const byLine = new Map(verdicts.map((verdict, i) => [verdict.lineNo, { verdict, at: `/lines/${i}` }]));
  if (byLine.size !== verdicts.length || byLine.size !== receipt.lines.length)
    throw refuseReceipt('lines_mismatch', '/lines');
  return receipt.lines.map((line) => {
    const found = byLine.get(line.lineNo);
    if (!found) throw refuseReceipt('lines_mismatch', '/lines', `line ${line.lineNo} has no verdict`);
    const { verdict, at } = found;
    const { acceptedQuantity, rejectedQuantity } = verdict;
    if (acceptedQuantity + rejectedQuantity !== line.quantity) {
      throw refuseReceipt('quantities_mismatch', at, `line ${line.lineNo} has ${line.quantity}`);
    }
    const rejectReason = verdict.rejectReason ?? null;
    if (rejectedQuantity > 0 && rejectReason === null)
      throw refuseReceipt('reject_reason_required', `${at}/rejectReason`);
    return {
      ...line,
      acceptedQuantity,
      rejectedQuantity,
      rejectReason,
      deviationReason: verdict.deviationReason ?? null,
      acceptedSerials: acceptedSerialsOf(line, verdict, at),
    };
  });
}

/** The accepted serialized units of a line. Only a partial acceptance has to name them. */
function acceptedSerialsOf(line: ReceiptLine, verdict: LineVerdict, at: string): string[] {
  if (line.serials.length === 0) return [];
  if (verdict.acceptedQuantity === 0) return [];
  const named = verdict.acceptedSerials ?? (verdict.rejectedQuantity === 0 ? line.serials : []);
  const known = new Set(line.serials);
  if (named.length !== verdict.acceptedQuantity || named.some((serial) => !known.has(serial))) {
    throw refuseReceipt(
      'quantities_mismatch',
      `${at}/acceptedSerials`,
      'Name the serialized units that were accepted.',
    );
  }
  return [...named];
}

export function statusAfter(lines: readonly ReceiptLine[]): ReceiptStatus {
  const accepted = lines.some((line) => (line.acceptedQuantity ?? 0) > 0);
  const rejected = lines.some((line) => (line.rejectedQuantity ?? 0) > 0);
  if (!accepted) return 'rejected';
  return rejected ? 'partially_accepted' : 'accepted';
}
