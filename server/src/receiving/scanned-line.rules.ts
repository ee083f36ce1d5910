import { canonicalCode } from '@lotward/udi';
import type { ScanEvidence, ScannedItem } from '../scanning/index.js';
import { refuseReceipt } from './receipt.errors.js';

/** A line as given; the codes scanned for it may supply missing fields. */
export interface GivenLine {
  lineNo: number;
  productCode?: string | undefined;
  batchNo?: string | undefined;
  manufactureDate?: string | null | undefined;
  expiryDate?: string | null | undefined;
  quantity?: number | undefined;
  serials?: readonly string[] | undefined;
  udiDi?: string | null | undefined;
  packages?: number | null | undefined;
  dispatchId?: string | null | undefined;
}

/** A line completed from its codes, with the scans to record. */
export interface FilledLine extends GivenLine {
  productCode: string;
  quantity: number;
  udis: string[];
  scans: ScanEvidence[];
}

/** Paths of the line and of each code in the caller's body. */
export interface LinePaths {
  line: string;
  codes: readonly string[];
}

/** Completes a line from the codes scanned for it. Fields given as well must agree with them. */
export function fillLine(given: GivenLine, items: readonly ScannedItem[], paths: LinePaths): FilledLine {
  const [first] = items;
  if (!first) throw new Error('a line without codes cannot be completed from them');
  items.forEach((item, i) => {
    requireAlike(first, item, paths.codes[i] ?? paths.line);
  });
  const { productCode, tracking } = first;
  if (given.productCode !== undefined && canonicalCode(given.productCode) !== productCode)
    throw differs(`${paths.line}/productCode`, 'product', productCode);
  // For an untracked product, the batch and dates of the label are recorded with the scan only.
  const read =
    tracking === 'none' ? { batchNo: null, manufactureDate: null, expiryDate: null } : { ...first };
  const batchNo = agreed(given.batchNo, read.batchNo, `${paths.line}/batchNo`, 'batch');
  const line = {
    ...given,
    productCode,
    batchNo: batchNo ?? undefined,
    manufactureDate: agreed(
      given.manufactureDate,
      read.manufactureDate,
      `${paths.line}/manufactureDate`,
      'manufacture date',
    ),
    expiryDate: agreed(given.expiryDate, read.expiryDate, `${paths.line}/expiryDate`, 'expiry date'),
    serials: serialsOf(given, items, paths),
  };
  const quantity = quantityOf(given, items, paths);
  return {
    ...line,
    quantity,
    udis: items.map((item) => item.code),
    scans: items.map((item) => ({
      lineNo: given.lineNo,
      code: item.code,
      productCode,
      batchNo: batchNo ?? item.batchNo ?? '',
      serialNo: item.serialNo,
      quantity: items.length === 1 ? quantity : item.units,
    })),
  };
}

const differs = (path: string, what: string, read: string) =>
  refuseReceipt('scan_mismatch', path, `the code says ${what} ${read}`);

function requireAlike(first: ScannedItem, item: ScannedItem, path: string): void {
  for (const field of ['productCode', 'batchNo', 'manufactureDate', 'expiryDate'] as const) {
    if (item[field] !== first[field])
      throw refuseReceipt('scan_mismatch', path, `another ${field} than the first code of the line`);
  }
}

/** The value of the code or of the line; refused if both are given and differ. */
function agreed<T extends string | null>(
  given: T | undefined,
  read: string | null,
  path: string,
  what: string,
): T | string | undefined {
  if (read === null) return given;
  if (given !== undefined && given !== read) throw differs(path, what, read);
  return read;
}

/** The serials of a serial-tracked line. The code of a unit names its serial; that of a package does not. */
function serialsOf(given: GivenLine, items: readonly ScannedItem[], paths: LinePaths) {
  const scanned: string[] = [];
  items.forEach((item, i) => {
    if (item.tracking !== 'serial') return;
    if (item.units === 1 && item.serialNo !== null) scanned.push(item.serialNo);
    else if (item.units > 1 && given.serials === undefined) {
      const message = `the code stands for ${item.units} serialized units: scan each, or name them in serials`;
      throw refuseReceipt('package_mismatch', paths.codes[i] ?? paths.line, message);
    }
  });
  if (scanned.length === 0) return given.serials;
  if (new Set(scanned).size !== scanned.length) throw refuseReceipt('serial_twice', paths.line);
  if (given.serials !== undefined && [...given.serials].sort().join('\n') !== [...scanned].sort().join('\n'))
    throw differs(`${paths.line}/serials`, 'serial', scanned.join(', '));
  return scanned;
}

function quantityOf(given: GivenLine, items: readonly ScannedItem[], paths: LinePaths): number {
  const total = items.reduce((sum, item) => sum + item.units, 0);
  const [only] = items;
  if (given.quantity === undefined) return total;
  // A single code may be scanned once for many equal units; several codes are counted one by one.
  const isOneUnit = only?.tracking === 'serial' && only.serialNo !== null && only.units === 1;
  if (items.length > 1 || isOneUnit) {
    if (given.quantity !== total) throw differs(`${paths.line}/quantity`, 'quantity', String(total));
    return total;
  }
  const packageUnits = only?.packageUnits ?? 1;
  if (given.quantity % packageUnits !== 0)
    throw refuseReceipt('package_mismatch', `${paths.line}/quantity`, `one package holds ${packageUnits}`);
  return given.quantity;
}
