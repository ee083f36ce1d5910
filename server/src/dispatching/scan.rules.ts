import type { ScanEvidence, ScannedItem } from '../scanning/index.js';
import { refuseDispatch } from './dispatch.errors.js';
import type { Dispatch, DispatchPick } from './dispatch.js';

/** A scanned code in terms of stock. */
export interface ScannedGoods {
  /** The path of the code in the caller's body. */
  path: string;
  code: string;
  productCode: string;
  batchNo: string;
  serialNo: string | null;
  /** Stock tracks the serial number; otherwise it only stands on the label. */
  isSerialized: boolean;
  units: number;
  expiryDate: string | null;
}

const keyOf = (...parts: readonly (string | number)[]) => parts.join('\n');

/** The goods that the codes represent in a dispatch. `batchOf` returns the known batch of a serialized unit. */
export function goodsOf(
  dispatch: Pick<Dispatch, 'lines'>,
  items: readonly ScannedItem[],
  batchOf: (productCode: string, serialNo: string) => string | undefined,
): ScannedGoods[] {
  const listed = new Set(dispatch.lines.map((line) => line.productCode));
  const seen = new Set<string>();
  return items.map((item, i) => {
    const path = `/scans/${i}`;
    const { code, productCode, tracking, serialNo, units } = item;
    if (!listed.has(productCode))
      throw refuseDispatch('scan_not_on_list', path, `product ${productCode} is not in this dispatch`);
    if (serialNo !== null) {
      const unit = keyOf(productCode, serialNo);
      if (seen.has(unit))
        throw refuseDispatch('scanned_twice', path, `serial ${serialNo} was scanned before`);
      seen.add(unit);
    }
    const isSerialized = tracking === 'serial';
    if (isSerialized && (serialNo === null || units !== 1))
      throw refuseDispatch(
        'serials_mismatch',
        path,
        'scan each serialized unit of this product by its serial number',
      );
    const known = isSerialized && serialNo !== null ? batchOf(productCode, serialNo) : undefined;
    if (known !== undefined && item.batchNo !== null && item.batchNo !== known)
      throw refuseDispatch('scan_mismatch', path, `serial ${serialNo} belongs to batch ${known}`);
    // An unknown serialized unit has no batch; it is refused later as not in stock.
    const batchNo = tracking === 'none' ? '' : (known ?? item.batchNo ?? (isSerialized ? '' : null));
    if (batchNo === null) throw refuseDispatch('batch_required', path);
    return { path, code, productCode, batchNo, serialNo, isSerialized, units, expiryDate: item.expiryDate };
  });
}

/** Refuses goods that are expired according to the label or the record, and labels whose date differs from the record. */
export function requireInDate(
  goods: readonly ScannedGoods[],
  known: readonly { productCode: string; batchNo: string; expiryDate: string | null }[],
  today: string,
): void {
  const batches = new Map(known.map((batch) => [keyOf(batch.productCode, batch.batchNo), batch]));
  for (const { path, productCode, batchNo, expiryDate } of goods) {
    const batch = batches.get(keyOf(productCode, batchNo));
    for (const date of [expiryDate, batch?.expiryDate ?? null]) {
      if (date !== null && date < today)
        throw refuseDispatch('batch_expired', path, `batch ${batchNo} expired on ${date}`);
    }
    if (batch && batchNo !== '' && expiryDate !== null && expiryDate !== batch.expiryDate) {
      const recorded = batch.expiryDate ?? 'none';
      throw refuseDispatch('scan_mismatch', path, `batch ${batchNo} is known with expiry date ${recorded}`);
    }
  }
}

/** The picks including scanned goods, and the scans by line. */
export interface PicksAndScans {
  picks: DispatchPick[];
  scans: ScanEvidence[];
}

/**
 * Assigns scanned goods to lines, in their order: first where the batch is reserved, then to any line that still needs the
 * product, which requires a reason.
 */
export function assignScans(
  dispatch: Pick<Dispatch, 'lines'>,
  given: readonly DispatchPick[],
  goods: readonly ScannedGoods[],
  reason: string | null,
): PicksAndScans {
  const room = roomsOf(dispatch, given);
  requireUnitsNotNamed(dispatch, given, goods);
  const parts: { at: number; lineNo: number; quantity: number }[] = [];
  const take = (at: number, left: number, quantityMax: (line: Room, batchNo: string) => number): number => {
    const { productCode, batchNo } = goods[at] as ScannedGoods;
    let rest = left;
    for (const line of room.get(productCode) ?? []) {
      const quantity = Math.min(rest, line.left, quantityMax(line, batchNo));
      if (quantity <= 0) continue;
      line.left -= quantity;
      line.reserved.set(batchNo, (line.reserved.get(batchNo) ?? 0) - quantity);
      rest -= quantity;
      parts.push({ at, lineNo: line.lineNo, quantity });
    }
    return rest;
  };
  const rest = goods.map((each, at) => take(at, each.units, (line, batch) => line.reserved.get(batch) ?? 0));
  rest.forEach((left, at) => {
    if (left === 0) return;
    const { path, productCode, batchNo } = goods[at] as ScannedGoods;
    const wanted = (room.get(productCode) ?? []).reduce((sum, line) => sum + line.left, 0);
    if (left > wanted)
      throw refuseDispatch('scan_too_many', path, `${wanted} more of product ${productCode} are needed`);
    if (reason === null)
      throw refuseDispatch('reason_required', path, `no more of batch ${batchNo} are reserved`);
    take(at, left, (line) => line.left);
  });
  parts.sort((a, b) => a.at - b.at);
  return {
    picks: mergePicks(given, parts, goods, reason),
    scans: parts.map(({ at, lineNo, quantity }) => evidenceOf(goods[at] as ScannedGoods, lineNo, quantity)),
  };
}

/** The quantity of a line that is neither picked nor scanned yet, and its reservations by batch. */
interface Room {
  lineNo: number;
  left: number;
  reserved: Map<string, number>;
}

function roomsOf({ lines }: Pick<Dispatch, 'lines'>, given: readonly DispatchPick[]): Map<string, Room[]> {
  const rooms = new Map<string, Room[]>();
  for (const line of lines) {
    const picked = given.filter((pick) => pick.lineNo === line.lineNo);
    const reserved = new Map(line.toPick.map(({ batchNo, quantity }) => [batchNo, quantity]));
    for (const { batchNo, quantity } of picked)
      reserved.set(batchNo, (reserved.get(batchNo) ?? 0) - quantity);
    const left = line.quantity - picked.reduce((sum, pick) => sum + pick.quantity, 0);
    const room = { lineNo: line.lineNo, left, reserved };
    rooms.set(line.productCode, [...(rooms.get(line.productCode) ?? []), room]);
  }
  return rooms;
}

function requireUnitsNotNamed(
  { lines }: Pick<Dispatch, 'lines'>,
  given: readonly DispatchPick[],
  goods: readonly ScannedGoods[],
): void {
  const productOf = new Map(lines.map((line) => [line.lineNo, line.productCode]));
  const named = new Set(
    given.flatMap((pick) => pick.serials.map((serial) => keyOf(productOf.get(pick.lineNo) ?? '', serial))),
  );
  for (const { path, isSerialized, productCode, serialNo } of goods) {
    if (isSerialized && serialNo !== null && named.has(keyOf(productCode, serialNo)))
      throw refuseDispatch('scanned_twice', path, `serial ${serialNo} is also in picks`);
  }
}

function mergePicks(
  given: readonly DispatchPick[],
  parts: readonly { at: number; lineNo: number; quantity: number }[],
  goods: readonly ScannedGoods[],
  reason: string | null,
): DispatchPick[] {
  const merged = new Map(
    given.map((pick) => [keyOf(pick.lineNo, pick.batchNo), { ...pick, serials: [...pick.serials] }]),
  );
  for (const { at, lineNo, quantity } of parts) {
    const { batchNo, serialNo, isSerialized } = goods[at] as ScannedGoods;
    const key = keyOf(lineNo, batchNo);
    const pick = merged.get(key) ?? { lineNo, batchNo, quantity: 0, serials: [], reason };
    pick.quantity += quantity;
    pick.reason ??= reason;
    if (isSerialized && serialNo !== null) pick.serials.push(serialNo);
    merged.set(key, pick);
  }
  return [...merged.values()];
}

const evidenceOf = (goods: ScannedGoods, lineNo: number | null, quantity: number): ScanEvidence => ({
  lineNo,
  code: goods.code,
  productCode: goods.productCode,
  batchNo: goods.batchNo,
  serialNo: goods.serialNo,
  quantity,
});

/** The scans not recorded yet: a client that picks step by step sends all of them each time. */
export function newScans(dispatch: Dispatch, scans: readonly ScanEvidence[]): ScanEvidence[] {
  const sameAs = ({ code, lineNo, quantity }: Pick<ScanEvidence, 'code' | 'lineNo' | 'quantity'>) =>
    keyOf(code, lineNo ?? '', quantity);
  const recorded = new Map<string, number>();
  for (const scan of dispatch.scans) {
    const isOfThisRound = !dispatch.recheckedAt || new Date(scan.scannedAt) > dispatch.recheckedAt;
    if (scan.purpose === 'pick' && isOfThisRound)
      recorded.set(sameAs(scan), (recorded.get(sameAs(scan)) ?? 0) + 1);
  }
  return scans.filter((scan) => {
    const count = recorded.get(sameAs(scan)) ?? 0;
    recorded.set(sameAs(scan), count - 1);
    return count <= 0;
  });
}

/** Refuses scans that are not exactly the picked goods; returns them by line. */
export function requireAsPicked(
  dispatch: Pick<Dispatch, 'lines'>,
  goods: readonly ScannedGoods[],
): ScanEvidence[] {
  const picked = pickedByKey(dispatch);
  const surplus: string[] = [];
  const scans: ScanEvidence[] = [];
  for (const each of goods) {
    let left = each.units;
    for (const part of picked.get(goodsKey(each))?.parts ?? []) {
      const quantity = Math.min(left, part.left);
      if (quantity === 0) continue;
      part.left -= quantity;
      left -= quantity;
      scans.push(evidenceOf(each, part.lineNo, quantity));
    }
    if (left > 0) surplus.push(nameOf(each, left));
  }
  const missing = [...picked.values()].flatMap(({ name, parts }) => {
    const left = parts.reduce((sum, part) => sum + part.left, 0);
    return left > 0 ? [nameOf(name, left)] : [];
  });
  if (missing.length + surplus.length > 0)
    throw refuseDispatch('scan_mismatch', '/scans', listed('missing', missing, 'too much', surplus));
  return scans;
}

type Named = Pick<ScannedGoods, 'productCode' | 'batchNo' | 'serialNo' | 'isSerialized'>;

const goodsKey = ({ productCode, batchNo, serialNo, isSerialized }: Named) =>
  keyOf(productCode, batchNo, isSerialized ? (serialNo ?? '') : '');

const nameOf = ({ productCode, batchNo, serialNo, isSerialized }: Named, quantity: number): string =>
  isSerialized
    ? `serial ${serialNo} of ${productCode}`
    : `${quantity} of ${productCode}${batchNo === '' ? '' : ` batch ${batchNo}`}`;

function pickedByKey({ lines }: Pick<Dispatch, 'lines'>) {
  const picked = new Map<string, { name: Named; parts: { lineNo: number; left: number }[] }>();
  for (const { lineNo, productCode, tracking, picks } of lines) {
    for (const { batchNo, quantity, serials } of picks) {
      const isSerialized = tracking === 'serial';
      const names = isSerialized
        ? serials.map((serialNo) => ({ serialNo, left: 1 }))
        : [{ serialNo: null, left: quantity }];
      for (const { serialNo, left } of names) {
        const name = { productCode, batchNo, serialNo, isSerialized };
        const known = picked.get(goodsKey(name)) ?? { name, parts: [] };
        known.parts.push({ lineNo, left });
        picked.set(goodsKey(name), known);
      }
    }
  }
  return picked;
}

const NAMED_MAX = 5;

function listed(...lists: [string, readonly string[], string, readonly string[]]): string {
  const part = (what: string, names: readonly string[]) => {
    const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : '';
    return names.length === 0 ? [] : [`${what}: ${names.slice(0, NAMED_MAX).join(', ')}${more}`];
  };
  return [...part(lists[0], lists[1]), ...part(lists[2], lists[3])].join('; ');
}

/** Scans of a failed re-check, unjudged; each goes with the first line of its product, if any. */
export const asScanned = (dispatch: Pick<Dispatch, 'lines'>, items: readonly ScannedItem[]): ScanEvidence[] =>
  items.map(({ code, productCode, batchNo, serialNo, units }) => ({
    lineNo: dispatch.lines.find((line) => line.productCode === productCode)?.lineNo ?? null,
    code,
    productCode,
    batchNo: batchNo ?? '',
    serialNo,
    quantity: units,
  }));
