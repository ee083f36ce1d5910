import { canonicalCode } from '@lotward/udi';
import type { ScanEvidence, ScannedItem } from '../scanning/index.js';
import { refuseReceipt } from './receipt.errors.js';

/** What a caller says of a line; the codes scanned for it may say the rest. */
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

/** A line with everything its codes say, and what is kept of them. */
export interface FilledLine extends GivenLine {
  productCode: string;
  quantity: number;
  udis: string[];
  scans: ScanEvidence[];
}

/** Where in the caller's body the line and each of its codes stand. */
export interface LinePaths {
  line: string;
  codes: readonly string[];
}

/** Fills a line from the codes scanned for it. What is given beside them must say the same. */
export function fillLine(given: GivenLine, items: readonly ScannedItem[], paths: LinePaths): FilledLine {
  const [first] = items;
  if (!first) throw new Error('a line without codes is not filled from them');
  items.forEach((item, i) => {
    requireAlike(first, item, paths.codes[i] ?? paths.line);
  });
  const { productCode, tracking } = first;
  if (given.productCode !== undefined && canonicalCode(given.productCode) !== productCode)
    throw differs(`${paths.line}/productCode`, 'product', productCode);
  // Of a product without batches the label says more than is kept: it stays in the evidence.
  const said =
    tracking === 'none' ? { batchNo: null, manufactureDate: null, expiryDate: null } : { ...first };
  const batchNo = agreed(given.batchNo, said.batchNo, `${paths.line}/batchNo`, 'batch');
  const line = {
    ...given,
    productCode,
    batchNo: batchNo ?? undefined,
    manufactureDate: agreed(
      given.manufactureDate,
      said.manufactureDate,
      `${paths.line}/manufactureDate`,
      'manufacture date',
    ),
    expiryDate: agreed(given.expiryDate, said.expiryDate, `${paths.line}/expiryDate`, 'expiry date'),
    serials: piecesOf(given, items, paths),
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

const differs = (path: string, what: string, said: string) =>
  refuseReceipt('scan_mismatch', path, `the code says ${what} ${said}`);

function requireAlike(first: ScannedItem, item: ScannedItem, path: string): void {
  for (const field of ['productCode', 'batchNo', 'manufactureDate', 'expiryDate'] as const) {
    if (item[field] !== first[field])
      throw refuseReceipt('scan_mismatch', path, `another ${field} than the first code of the line`);
  }
}

/** What the line says, or else the code; refused when both say something and not the same. */
function agreed<T extends string | null>(
  given: T | undefined,
  said: string | null,
  path: string,
  what: string,
): T | string | undefined {
  if (said === null) return given;
  if (given !== undefined && given !== said) throw differs(path, what, said);
  return said;
}

/** The pieces of a serial-tracked line: a code names one, but the code of a package names the package. */
function piecesOf(given: GivenLine, items: readonly ScannedItem[], paths: LinePaths) {
  const scanned: string[] = [];
  items.forEach((item, i) => {
    if (item.tracking !== 'serial') return;
    if (item.units === 1 && item.serialNo !== null) scanned.push(item.serialNo);
    else if (item.units > 1 && given.serials === undefined) {
      const message = `the code stands for ${item.units} pieces: scan each, or name them in serials`;
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
  // One code may stand for many alike; several are counted one by one.
  const isOnePiece = only?.tracking === 'serial' && only.serialNo !== null && only.units === 1;
  if (items.length > 1 || isOnePiece) {
    if (given.quantity !== total) throw differs(`${paths.line}/quantity`, 'quantity', String(total));
    return total;
  }
  const packageUnits = only?.packageUnits ?? 1;
  if (given.quantity % packageUnits !== 0)
    throw refuseReceipt('package_mismatch', `${paths.line}/quantity`, `one package holds ${packageUnits}`);
  return given.quantity;
}
