import type { Dispatch, DispatchPick } from './dispatch.js';

/** Goods that may no longer be shipped: batches of a product, or serialized units of it. */
export interface Withdrawal {
  productCode: string;
  coversBatch(batchNo: string): boolean;
  /** Null: all of the batches it covers. */
  serials: ReadonlySet<string> | null;
}

/** The quantity in a dispatch, picked or on its pick list. A pick list names no serialized units. */
export function withdrawnQuantity(
  dispatch: Dispatch,
  { productCode, coversBatch, serials }: Withdrawal,
): number {
  let sum = 0;
  for (const line of dispatch.lines.filter((each) => each.productCode === productCode)) {
    if (serials) {
      sum += line.picks.flatMap((pick) => pick.serials).filter((serial) => serials.has(serial)).length;
      continue;
    }
    const batchNos = new Set([...line.toPick, ...line.picks].map((each) => each.batchNo));
    for (const batchNo of [...batchNos].filter(coversBatch)) {
      const of = (list: readonly { batchNo: string; quantity: number }[]) =>
        list.find((each) => each.batchNo === batchNo)?.quantity ?? 0;
      sum += Math.max(of(line.toPick), of(line.picks));
    }
  }
  return sum;
}

/** The picks that may stay. */
export function picksWithout(
  dispatch: Dispatch,
  { productCode, coversBatch, serials }: Withdrawal,
): DispatchPick[] {
  return dispatch.lines.flatMap((line) =>
    line.picks.flatMap(({ batchNo, quantity, serials: picked, reason }) => {
      const pick = { lineNo: line.lineNo, batchNo, quantity, serials: picked, reason };
      if (line.productCode !== productCode || !coversBatch(batchNo)) return [pick];
      if (!serials) return [];
      const left = picked.filter((serial) => !serials.has(serial));
      return left.length > 0 ? [{ ...pick, quantity: left.length, serials: left }] : [];
    }),
  );
}
