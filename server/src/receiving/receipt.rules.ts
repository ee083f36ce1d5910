import { canonicalCode } from '@lotward/udi';
import { StateMachine } from '../platform/transitions/index.js';
import { refuseReceipt } from './receipt.errors.js';
import type { LineVerdict, Receipt, ReceiptContent, ReceiptLine, ReceiptStatus } from './receipt.js';

export const receiptMachine = new StateMachine<ReceiptStatus, 'accept' | 'cancel'>('receipt', [
  {
    from: ['pending_acceptance'],
    action: 'accept',
    to: ['accepted', 'partially_accepted', 'rejected'],
    effect:
      'what is accepted enters stock; a purchase with anything accepted is announced; a return goes on hold',
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

/** The same receipt said in two ways gives one content. */
export function normalizeReceipt(input: ReceiptInput): ReceiptContent {
  const kind = input.kind ?? 'purchase';
  const supplierCode = input.supplierCode ?? null;
  const customerCode = input.customerCode ?? null;
  if ((kind === 'purchase') !== (supplierCode !== null) || (kind === 'return') !== (customerCode !== null)) {
    throw refuseReceipt('partner_required', kind === 'purchase' ? '/supplierCode' : '/customerCode');
  }
  input.lines.forEach((line, i) => {
    // A date forgotten on a purchase must not make a batch immortal; null says that it does not expire.
    if (kind === 'purchase' && (line.batchNo ?? '') !== '' && line.expiryDate === undefined)
      throw refuseReceipt('expiry_date_required', `/lines/${i}/expiryDate`);
  });
  const lines = input.lines.map((line) => normalizeLine(line, kind)).sort((a, b) => a.lineNo - b.lineNo);
  if (new Set(lines.map((line) => line.lineNo)).size !== lines.length)
    throw refuseReceipt('duplicate_line', '/lines');
  const pieces = lines.flatMap((line) => line.serials.map((serial) => `${line.productCode}\n${serial}`));
  if (new Set(pieces).size !== pieces.length) throw refuseReceipt('serial_twice', '/lines');
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
  // What comes back is of a batch that is known: a date left out is the batch's.
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

/** Whether what was sent is what is known. A cancelled receipt takes nothing, not even itself. */
export const isUnchanged = (known: Receipt, sent: ReceiptContent): boolean =>
  known.status !== 'cancelled' && comparable(receiptContentOf(known)) === comparable(sent);

/** Receipts from before dates could be left to the batch have null where one was left out: to them that is the same. */
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

/** What the lines become under the verdicts; each line is judged once, and wholly. */
export function judgeLines(receipt: Receipt, verdicts: readonly LineVerdict[]): ReceiptLine[] {
  const byLine = new Map(verdicts.map((verdict, i) => [verdict.lineNo, { verdict, at: `/lines/${i}` }]));
  if (byLine.size !== verdicts.length || byLine.size !== receipt.lines.length)
    throw refuseReceipt('lines_mismatch', '/lines');
  return receipt.lines.map((line) => {
    const found = byLine.get(line.lineNo);
    if (!found) throw refuseReceipt('lines_mismatch', '/lines', `line ${line.lineNo} is not judged`);
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
      acceptedSerials: piecesOf(line, verdict, at),
    };
  });
}

/** Which pieces of a line are accepted: all or none need no naming, some do. */
function piecesOf(line: ReceiptLine, verdict: LineVerdict, at: string): string[] {
  if (line.serials.length === 0) return [];
  if (verdict.acceptedQuantity === 0) return [];
  const named = verdict.acceptedSerials ?? (verdict.rejectedQuantity === 0 ? line.serials : []);
  const known = new Set(line.serials);
  if (named.length !== verdict.acceptedQuantity || named.some((serial) => !known.has(serial))) {
    throw refuseReceipt('quantities_mismatch', `${at}/acceptedSerials`, 'name the pieces that were accepted');
  }
  return [...named];
}

export function statusAfter(lines: readonly ReceiptLine[]): ReceiptStatus {
  const accepted = lines.some((line) => (line.acceptedQuantity ?? 0) > 0);
  const rejected = lines.some((line) => (line.rejectedQuantity ?? 0) > 0);
  if (!accepted) return 'rejected';
  return rejected ? 'partially_accepted' : 'accepted';
}
