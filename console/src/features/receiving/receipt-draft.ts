import type { Body } from '@lotward/client';
import { serialsOf } from '../../ui/fields.js';
import { instantOf } from '../../ui/local-time.js';
import type { ScannedGoods } from '../catalogue/scanned-goods.js';

export interface DraftLine {
  key: string;
  productCode: string | null;
  productName: string;
  tracking: ScannedGoods['tracking'] | null;
  batchNo: string;
  manufactureDate: string;
  expiryDate: string;
  quantity: number | null;
  serials: string;
  /** The codes scanned for it, with the units of each. */
  scans: { code: string; units: number; serialNo: string | null }[];
}

export interface ReceiptDraft {
  receiptNo: string;
  kind: 'purchase' | 'return';
  supplierCode: string | null;
  customerCode: string | null;
  warehouse: string | null;
  remark: string;
  purchaseOrderNo: string;
  /** The value of the browser's field: local time, without a zone. */
  arrivedAt: string;
  transportTemperature: number | null;
  sampled: boolean;
  lines: DraftLine[];
}

export const emptyLine = (): DraftLine => ({
  key: crypto.randomUUID(),
  productCode: null,
  productName: '',
  tracking: null,
  batchNo: '',
  manufactureDate: '',
  expiryDate: '',
  quantity: null,
  serials: '',
  scans: [],
});

export type ScanResult =
  | { ok: true; lines: DraftLine[]; line: DraftLine }
  | { ok: false; problem: 'twice' | 'packageOfUnits' };

/** Counts a scan on its line, or on a new one. */
export function addScan(lines: readonly DraftLine[], goods: ScannedGoods): ScanResult {
  const isSerialized = goods.tracking === 'serial';
  if (isSerialized && goods.units > 1) return { ok: false, problem: 'packageOfUnits' };
  const isTwice =
    isSerialized &&
    goods.serialNo !== null &&
    lines.some(
      (line) =>
        line.productCode === goods.productCode && serialsOf(line.serials).includes(goods.serialNo ?? ''),
    );
  if (isTwice) return { ok: false, problem: 'twice' };
  const at = lines.findIndex((line) => isLineOf(line, goods));
  const before = lines[at] ?? lineFor(goods);
  const { code, units, serialNo } = goods;
  const line: DraftLine = {
    ...before,
    quantity: (before.quantity ?? 0) + units,
    serials:
      isSerialized && serialNo !== null
        ? [...serialsOf(before.serials), serialNo].join('\n')
        : before.serials,
    scans: [...before.scans, { code, units, serialNo }],
  };
  const next = at < 0 ? [...lines.filter(isStarted), line] : lines.map((each, i) => (i === at ? line : each));
  return { ok: true, lines: next, line };
}

/** The first scan replaces an empty line. */
const isStarted = (line: DraftLine): boolean =>
  line.productCode !== null ||
  line.quantity !== null ||
  [line.batchNo, line.expiryDate, line.manufactureDate, line.serials].some((text) => text !== '');

/** A product without batches drops batch and dates, even if its label has them. */
const saidBy = (goods: ScannedGoods) =>
  goods.tracking === 'none'
    ? { batchNo: '', manufactureDate: '', expiryDate: '' }
    : {
        batchNo: goods.batchNo ?? '',
        manufactureDate: goods.manufactureDate ?? '',
        expiryDate: goods.expiryDate ?? '',
      };

function isLineOf(line: DraftLine, goods: ScannedGoods): boolean {
  const said = saidBy(goods);
  return (
    line.productCode === goods.productCode &&
    line.batchNo === said.batchNo &&
    line.expiryDate === said.expiryDate &&
    line.manufactureDate === said.manufactureDate
  );
}

const lineFor = (goods: ScannedGoods): DraftLine => ({
  ...emptyLine(),
  ...saidBy(goods),
  productCode: goods.productCode,
  productName: goods.productName,
  tracking: goods.tracking,
});

/** The request body. */
export function bodyOf(draft: ReceiptDraft): Body<'/v2/receipts', 'post'> {
  const isPurchase = draft.kind === 'purchase';
  return {
    receiptNo: draft.receiptNo.trim(),
    kind: draft.kind,
    ...(isPurchase ? { supplierCode: draft.supplierCode } : { customerCode: draft.customerCode }),
    warehouse: draft.warehouse ?? '',
    remark: draft.remark.trim() || null,
    purchaseOrderNo: draft.purchaseOrderNo.trim() || null,
    arrivedAt: draft.arrivedAt === '' ? null : instantOf(draft.arrivedAt),
    transportTemperature: draft.transportTemperature,
    sampled: draft.sampled || null,
    lines: draft.lines.map((line, i) => ({ lineNo: i + 1, ...lineBody(line) })),
  };
}

function lineBody(line: DraftLine) {
  const serials = serialsOf(line.serials);
  const scanned = line.scans.flatMap(({ serialNo }) => (serialNo === null ? [] : [serialNo]));
  const total = line.scans.reduce((sum, scan) => sum + scan.units, 0);
  const isSerial = line.tracking === 'serial';
  const asScanned = isSerial
    ? [...serials].sort().join('\n') === [...scanned].sort().join('\n')
    : line.quantity === total;
  // A manually corrected line is no longer the sum of its codes, so only one of them is kept as the label.
  const codes = asScanned ? line.scans : isSerial ? [] : line.scans.slice(0, 1);
  return {
    productCode: line.productCode ?? '',
    ...(line.batchNo.trim() === '' ? {} : { batchNo: line.batchNo.trim() }),
    ...(line.manufactureDate === '' ? {} : { manufactureDate: line.manufactureDate }),
    ...(line.expiryDate === '' ? {} : { expiryDate: line.expiryDate }),
    quantity: line.quantity ?? 0,
    ...(isSerial ? { serials } : {}),
    ...(codes.length === 0 ? {} : { udis: codes.map(({ code }) => code) }),
  };
}
