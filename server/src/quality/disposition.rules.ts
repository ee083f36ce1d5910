import { StateMachine } from '../platform/transitions/index.js';
import type { HeldGoods } from '../stock/index.js';
import type { DispositionLine, DispositionStatus } from './disposition.js';
import type { Nonconformity } from './nonconformity.js';
import { refuseQuality } from './quality.errors.js';

export const dispositionMachine = new StateMachine<DispositionStatus, 'approve' | 'reject' | 'execute'>(
  'disposition',
  [
    {
      from: ['proposed'],
      action: 'approve',
      to: ['approved'],
      effect: 'decided by a second person; the goods stay on hold',
    },
    {
      from: ['proposed', 'approved'],
      action: 'reject',
      to: ['rejected'],
      effect: 'another disposition can be proposed for the goods',
    },
    {
      from: ['approved'],
      action: 'execute',
      to: ['executed'],
      effect: 'the goods are released or leave the stock, with the disposition as document',
    },
  ],
);

export const LINES_MAX = 1_000;

/** Goods that a request names, with the path of the line in its body. */
export interface NamedGoods {
  path: string;
  holdId?: string | undefined;
  ncId?: string | undefined;
  warehouse?: string | undefined;
  quantity?: number | undefined;
  serials?: readonly string[] | undefined;
}

export interface DispositionRequest {
  lines?: readonly Omit<NamedGoods, 'path'>[] | undefined;
  holdIds?: readonly string[] | undefined;
  ncIds?: readonly string[] | undefined;
}

export function namedGoods({ lines = [], holdIds = [], ncIds = [] }: DispositionRequest): NamedGoods[] {
  const named: NamedGoods[] = [
    ...lines.map((line, i) => ({ path: `/lines/${i}`, ...line })),
    ...holdIds.map((holdId, i) => ({ path: `/holdIds/${i}`, holdId })),
    ...ncIds.map((ncId, i) => ({ path: `/ncIds/${i}`, ncId })),
  ];
  if (named.length === 0) throw refuseQuality('lines_required', '/lines');
  for (const { path, holdId, ncId } of named)
    if ((holdId === undefined) === (ncId === undefined)) throw refuseQuality('hold_or_entry_required', path);
  return named;
}

/** Goods in other dispositions: proposed, approved or, if they never were in stock, executed. */
export interface Claim {
  holdId: string | null;
  ncId: string | null;
  warehouse: string;
  quantity: number;
  serials: readonly string[];
}

/** Goods in one warehouse that can still be decided on. */
interface Portion extends Omit<DispositionLine, 'lineNo' | 'productName' | 'expiryDate'> {}

interface OnRecord {
  held: readonly HeldGoods[];
  entries: ReadonlyMap<string, Nonconformity>;
  claims: readonly Claim[];
}

/** The goods of each name that no disposition claims, as lines. Refuses goods that are missing or claimed twice. */
export function planLines(named: readonly NamedGoods[], { held, entries, claims }: OnRecord): Portion[] {
  const claimed = [...claims];
  return named.flatMap((goods) => {
    const open = openPortions(goods, held, entries).map((portion) => lessClaims(portion, claimed));
    const taken = take(goods, open);
    claimed.push(...taken);
    return taken;
  });
}

function openPortions(
  { path, holdId, ncId }: NamedGoods,
  held: readonly HeldGoods[],
  entries: ReadonlyMap<string, Nonconformity>,
): Portion[] {
  const entry = ncId === undefined ? undefined : entries.get(ncId);
  if (entry && !entry.inStock) return [portionOfEntry(entry)];
  const goods = held.filter(({ hold }) => (ncId === undefined ? hold.holdId === holdId : hold.ncId === ncId));
  if (goods.length === 0 && holdId !== undefined) throw refuseQuality('hold_released', path);
  return goods.flatMap(({ hold, parts }) =>
    parts.map((part) => ({
      holdId: hold.holdId,
      ncId: hold.ncId,
      productCode: hold.productCode,
      batchNo: hold.batchNo,
      ...part,
    })),
  );
}

const portionOfEntry = (entry: Nonconformity): Portion => ({
  holdId: null,
  ncId: entry.ncId,
  productCode: entry.productCode,
  batchNo: entry.batchNo,
  warehouse: entry.warehouse,
  quantity: entry.quantity,
  serials: entry.serials,
});

function lessClaims(portion: Portion, claims: readonly Claim[]): Portion {
  const ofGoods = claims.filter(({ holdId, ncId }) =>
    portion.holdId === null ? holdId === null && ncId === portion.ncId : holdId === portion.holdId,
  );
  const same = ofGoods.filter(({ warehouse }) => portion.holdId === null || warehouse === portion.warehouse);
  // A unit stays claimed, in any warehouse that it was in when the disposition named it.
  const units = new Set(ofGoods.flatMap(({ serials }) => serials));
  const serials = portion.serials.filter((serialNo) => !units.has(serialNo));
  const quantity =
    portion.serials.length > 0
      ? serials.length
      : portion.quantity - same.reduce((sum, each) => sum + each.quantity, 0);
  return { ...portion, serials, quantity: Math.max(0, quantity) };
}

function take(goods: NamedGoods, open: readonly Portion[]): Portion[] {
  const { path, warehouse, quantity, serials } = goods;
  const here = open.filter((portion) => warehouse === undefined || portion.warehouse === warehouse);
  if (serials !== undefined && serials.length > 0) return takeUnits(goods, serials, here);
  const left = here.reduce((sum, portion) => sum + portion.quantity, 0);
  if (left === 0) throw refuseQuality('not_undecided', path, 'nothing is left to decide');
  if (quantity === undefined || quantity === left) return here.filter((portion) => portion.quantity > 0);
  if (quantity > left)
    throw refuseQuality('not_undecided', `${path}/quantity`, `only ${left} are left to decide`);
  if (here.some((portion) => portion.serials.length > 0))
    throw refuseQuality('serials_required', `${path}/serials`);
  if (new Set(here.map((portion) => portion.warehouse)).size > 1)
    throw refuseQuality('warehouse_required', `${path}/warehouse`);
  let wanted = quantity;
  return here.flatMap((portion) => {
    const taken = Math.min(wanted, portion.quantity);
    wanted -= taken;
    return taken > 0 ? [{ ...portion, quantity: taken }] : [];
  });
}

function takeUnits(
  { path, quantity }: NamedGoods,
  serials: readonly string[],
  here: readonly Portion[],
): Portion[] {
  if (here.every((portion) => portion.serials.length === 0 && portion.quantity > 0))
    throw refuseQuality('serials_not_tracked', `${path}/serials`);
  if (quantity !== undefined && quantity !== serials.length)
    throw refuseQuality('serials_required', `${path}/serials`);
  const wanted = new Set(serials);
  const taken = here.flatMap((portion) => {
    const units = portion.serials.filter((serialNo) => wanted.delete(serialNo));
    return units.length > 0 ? [{ ...portion, serials: units, quantity: units.length }] : [];
  });
  const [missing] = wanted;
  if (missing !== undefined)
    throw refuseQuality('not_undecided', `${path}/serials`, `serial ${missing} is not left to decide`);
  return taken;
}
