import type { Item } from '@lotward/client';
import { newRowKey } from '../../ui/form-rows.js';
import type { DispositionKind, Nonconformity } from './quality.types.js';

/** Goods that a disposition can name: those of an entry of the register, or those of a hold. */
export interface DisposableGoods {
  named: { ncId: string } | { holdId: string };
  productCode: string;
  productName: string | null;
  batchNo: string;
  /** Null for any warehouse. */
  warehouse: string | null;
  /** Null for the whole batch, of any quantity. */
  quantity: number | null;
  serials: readonly string[];
}

export const goodsOfEntry = (entry: Nonconformity): DisposableGoods => ({
  named: { ncId: entry.ncId },
  productCode: entry.productCode,
  productName: entry.productName,
  batchNo: entry.batchNo,
  warehouse: entry.warehouse,
  quantity: entry.openQuantity,
  serials: entry.serials,
});

export const goodsOfHold = (hold: Item<'/v2/stock/holds'>): DisposableGoods => ({
  named: { holdId: hold.holdId },
  productCode: hold.productCode,
  productName: null,
  batchNo: hold.batchNo,
  warehouse: hold.warehouse,
  quantity: hold.quantity,
  serials: hold.serials,
});

/** One line of a proposal: the goods, and the part of them to decide on, initially all. */
export interface ProposalLine {
  key: string;
  goods: DisposableGoods;
  /** Null for all. */
  quantity: number | null;
  /** Empty for all. */
  serials: string[];
  warehouse: string | null;
}

export interface Proposal {
  kind: DispositionKind | null;
  lines: ProposalLine[];
  supplierCode: string | null;
  reason: string;
}

export const proposalOf = (goods: readonly DisposableGoods[]): Proposal => ({
  kind: null,
  lines: goods.map((each) => ({
    key: newRowKey(),
    goods: each,
    quantity: each.serials.length > 0 ? null : each.quantity,
    serials: [],
    warehouse: null,
  })),
  supplierCode: null,
  reason: '',
});

/**
 * A displayed quantity is sent even if it is the total, so that a change made meanwhile is refused instead of being decided
 * unseen.
 */
const lineBody = ({ goods, quantity, serials, warehouse }: ProposalLine) => ({
  ...goods.named,
  ...(warehouse === null ? {} : { warehouse }),
  ...(serials.length > 0 ? { serials } : quantity === null ? {} : { quantity }),
});

export const bodyOf = ({ kind, lines, supplierCode, reason }: Proposal) => ({
  kind: kind ?? 'release',
  lines: lines.map(lineBody),
  reason: reason.trim(),
  ...(kind === 'return_to_supplier' && supplierCode !== null ? { supplierCode } : {}),
});
