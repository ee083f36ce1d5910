import type { Body } from '@lotward/client';
import { textOrNull } from '../../ui/fields.js';
import type { ScannedGoods } from '../catalogue/scanned-goods.js';

export interface OrderDraftLine {
  key: string;
  productCode: string | null;
  quantity: number | null;
  unitPrice: string;
  batchNo: string;
  minDays: number | null;
}

export interface OrderDraft {
  orderNo: string;
  customerCode: string | null;
  warehouse: string | null;
  /** Null for the organization's usual currency. */
  currency: string | null;
  requestedDate: string;
  remark: string;
  lines: OrderDraftLine[];
}

export const emptyLine = (): OrderDraftLine => ({
  key: crypto.randomUUID(),
  productCode: null,
  quantity: null,
  unitPrice: '',
  batchNo: '',
  minDays: null,
});

/** Without a currency, an order gets that of the newest order. */
export const emptyOrder = (): OrderDraft => ({
  orderNo: '',
  customerCode: null,
  warehouse: null,
  currency: null,
  requestedDate: '',
  remark: '',
  lines: [emptyLine()],
});

/** The request body. */
export const bodyOf = (draft: OrderDraft, usualCurrency: string | null): Body<'/v2/orders', 'post'> => ({
  orderNo: draft.orderNo.trim(),
  customerCode: draft.customerCode ?? '',
  warehouse: draft.warehouse ?? '',
  currency: draft.currency ?? usualCurrency ?? '',
  requestedDate: draft.requestedDate || null,
  remark: textOrNull(draft.remark),
  lines: draft.lines.map((line, i) => ({
    lineNo: i + 1,
    productCode: line.productCode ?? '',
    quantity: line.quantity ?? 0,
    unitPrice: line.unitPrice.trim(),
    batchNo: textOrNull(line.batchNo),
    minRemainingShelfLifeDays: line.minDays,
  })),
});

/** The first scan replaces an empty line. */
const isStarted = (line: OrderDraftLine): boolean =>
  line.productCode !== null ||
  line.quantity !== null ||
  line.minDays !== null ||
  line.unitPrice !== '' ||
  line.batchNo !== '';

/** Counts a scan on the line of its product, or on a new one. */
export function addScan(
  lines: readonly OrderDraftLine[],
  { productCode, units }: ScannedGoods,
): { lines: OrderDraftLine[]; line: OrderDraftLine } {
  const before = lines.find((line) => line.productCode === productCode && line.batchNo === '');
  const line = before
    ? { ...before, quantity: (before.quantity ?? 0) + units }
    : { ...emptyLine(), productCode, quantity: units };
  return {
    line,
    lines: before ? lines.map((each) => (each === before ? line : each)) : [...lines.filter(isStarted), line],
  };
}
