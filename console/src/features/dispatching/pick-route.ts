import { type DispatchLine, type PickDraft, pickedOf } from './pick-draft.js';

/** The facts about a product that decide its place in the route. */
export interface PlaceFacts {
  /** Null if it may be stored at any temperature. */
  temperatureMax: number | null;
}

const ANY_TEMPERATURE = 1_000;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The lines in the order in which they are picked: the coldest goods last, so that they wait the shortest, then by product
 * and line, which keeps equal goods together.
 */
export function routeOf(
  lines: readonly DispatchLine[],
  placeOf: (productCode: string) => PlaceFacts | undefined,
): DispatchLine[] {
  const warmth = ({ productCode }: DispatchLine) => placeOf(productCode)?.temperatureMax ?? ANY_TEMPERATURE;
  return [...lines].sort(
    (a, b) => warmth(b) - warmth(a) || compare(a.productCode, b.productCode) || a.lineNo - b.lineNo,
  );
}

export const isPicked = (line: DispatchLine, draft: PickDraft): boolean =>
  pickedOf(draft, line.lineNo) === line.quantity;

/**
 * The line to show after something on `lineNo` was counted: that line until it is complete, then the next incomplete one.
 */
export function lineAfter(
  route: readonly DispatchLine[],
  lineNo: number,
  isDone: (line: DispatchLine) => boolean,
): number {
  const at = route.findIndex((line) => line.lineNo === lineNo);
  const fromHere = [...route.slice(at), ...route.slice(0, at)];
  return fromHere.find((line) => !isDone(line))?.lineNo ?? lineNo;
}

/** The first incomplete line of the route. */
export const firstLine = (
  route: readonly DispatchLine[],
  isDone: (line: DispatchLine) => boolean,
): number | undefined => (route.find((line) => !isDone(line)) ?? route[0])?.lineNo;

/** The batches to fetch for a line, or those already fetched. */
export const goodsOf = ({
  picks,
  toPick,
}: DispatchLine): { batchNo: string; quantity: number; expiryDate?: string | null }[] =>
  picks.length > 0
    ? picks.map(({ batchNo, quantity, expiryDate }) => ({ batchNo, quantity, expiryDate }))
    : toPick;
