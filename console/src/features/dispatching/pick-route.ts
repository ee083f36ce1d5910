import { type DispatchLine, type PickDraft, pickedOf } from './pick-draft.js';

/** The facts of a product by which its place in the route is decided. */
export interface PlaceFacts {
  /** Null: stored at any temperature. */
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

/** The line to show after something was counted on `lineNo`: that line until it is complete, then the next that is not. */
export function lineAfter(
  route: readonly DispatchLine[],
  lineNo: number,
  isDone: (line: DispatchLine) => boolean,
): number {
  const at = route.findIndex((line) => line.lineNo === lineNo);
  const fromHere = [...route.slice(at), ...route.slice(0, at)];
  return fromHere.find((line) => !isDone(line))?.lineNo ?? lineNo;
}

/** Where to begin: the first line of the route that is not complete. */
export const firstLine = (
  route: readonly DispatchLine[],
  isDone: (line: DispatchLine) => boolean,
): number | undefined => (route.find((line) => !isDone(line)) ?? route[0])?.lineNo;

/** The batches to fetch of a line, or those that were fetched. */
export const goodsOf = ({
  picks,
  toPick,
}: DispatchLine): { batchNo: string; quantity: number; expiryDate?: string | null }[] =>
  picks.length > 0
    ? picks.map(({ batchNo, quantity, expiryDate }) => ({ batchNo, quantity, expiryDate }))
    : toPick;
