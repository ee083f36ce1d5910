import { canonicalCode } from '../platform/gtin/index.js';
import { StateMachine } from '../platform/transitions/index.js';
import { refuseReceipt } from './receipt.errors.js';
import type { LineVerdict, Receipt, ReceiptContent, ReceiptLine, ReceiptStatus } from './receipt.js';

export const receiptMachine = new StateMachine<ReceiptStatus, 'accept'>('receipt', [
  {
    from: ['pending_acceptance'],
    action: 'accept',
    to: ['accepted', 'partially_accepted', 'rejected'],
    effect:
      'what is accepted enters stock; a purchase with anything accepted is announced; a return goes on hold',
  },
]);

type LineInput = Pick<ReceiptLine, 'lineNo' | 'productCode' | 'quantity' | 'udis'> & {
  batchNo?: string | undefined;
  manufactureDate?: string | null | undefined;
  expiryDate?: string | null | undefined;
  serials?: readonly string[] | undefined;
};

export interface ReceiptInput {
  kind?: Receipt['kind'] | undefined;
  supplierCode?: string | null | undefined;
  customerCode?: string | null | undefined;
  warehouse: string;
  remark?: string | null | undefined;
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
    // Forgetting the date must not make a batch immortal; null says that it does not expire.
    if ((line.batchNo ?? '') !== '' && line.expiryDate === undefined)
      throw refuseReceipt('expiry_date_required', `/lines/${i}/expiryDate`);
  });
  const lines = input.lines
    .map((line) => ({
      lineNo: line.lineNo,
      productCode: canonicalCode(line.productCode),
      batchNo: line.batchNo ?? '',
      manufactureDate: line.manufactureDate ?? null,
      expiryDate: line.expiryDate ?? null,
      quantity: line.quantity,
      serials: [...(line.serials ?? [])].sort(),
      udis: line.udis,
    }))
    .sort((a, b) => a.lineNo - b.lineNo);
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
    lines,
  };
}

export function receiptContentOf(receipt: Receipt): ReceiptContent {
  const { kind, supplierCode, customerCode, warehouse, remark } = receipt;
  return {
    kind,
    supplierCode,
    customerCode,
    warehouse,
    remark,
    lines: receipt.lines.map(
      ({ lineNo, productCode, batchNo, manufactureDate, expiryDate, quantity, serials, udis }) => ({
        lineNo,
        productCode,
        batchNo,
        manufactureDate,
        expiryDate,
        quantity,
        serials,
        udis,
      }),
    ),
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
