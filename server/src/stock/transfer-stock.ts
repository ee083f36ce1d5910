import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { putSerialsInStock, readBalance, readSerials, saveBatchBalances } from './balance.store.js';
import { placeHoldsOfSerials } from './hold.store.js';
import { appendHoldMovements } from './hold-stock.js';
import { lockGoods, movementOf, occurredAt } from './locate-stock.js';
import { type MovedGoods, type MovedHold, moveHold } from './move-hold.js';
import { appendMovements } from './movement.store.js';
import { refuseStock } from './stock.errors.js';
import type { Balance, Hold } from './stock.js';
import { addTo, batchNoFor, requireSerials, requireSerialsPresent, takeByTransfer } from './stock.rules.js';
import { onAvailableDecreased } from './stock-hooks.js';

export interface TransferRequest {
  productCode: string;
  batchNo?: string | undefined;
  from: string;
  to: string;
  quantity: number;
  serials?: readonly string[] | undefined;
  /** Moves goods under this hold. They stay under it, or under one split off from it. */
  holdId?: string | undefined;
  reason?: string | null | undefined;
  occurredAt?: string | undefined;
}

export interface Transfer {
  transferId: string;
  productCode: string;
  batchNo: string;
  from: string;
  to: string;
  quantity: number;
  serials: string[];
  holdId: string | null;
  /** The hold of the moved goods, if it was split off. */
  newHoldId: string | null;
  reason: string | null;
  occurredAt: Date;
  createdAt: Date;
  createdBy: string;
}

/** Moves stock between warehouses: free stock, or stock under the named hold. Never reserved stock. */
export async function transferStock(tx: Tx, input: TransferRequest): Promise<Transfer> {
  if (input.from === input.to) throw refuseStock('same_warehouse', '/to');
  const { from, to, batchNo: given, holdId, quantity } = input;
  const warehouses = { '/from': from, '/to': to };
  const named = { productCode: input.productCode, warehouses, knownBatch: { batchNo: given }, holdId };
  const product = await lockGoods(tx, named);
  const { productCode } = product;
  const batchNo = batchNoFor(product, given);
  const serials = requireSerials(product, input.serials, quantity);
  const [at, known, source, target] = await Promise.all([
    occurredAt(tx, { productCode, batchNo }, input.occurredAt),
    readSerials(tx, productCode, serials),
    readBalance(tx, productCode, batchNo, from),
    readBalance(tx, productCode, batchNo, to),
  ]);
  const units = requireSerialsPresent(serials, known, batchNo, from);
  const goods = { productCode, batchNo, from, to, quantity, units, source, target };
  const moved = holdId === undefined ? null : await moveHold(tx, holdId, goods);
  const after = moved ? [moved.source, moved.target] : moveFree(goods);
  saveBatchBalances(tx, productCode, batchNo, after);
  putSerialsInStock(tx, productCode, serials, batchNo, to);
  if (moved) await placeHoldsOfSerials(tx, productCode, serials);
  const transfer: Transfer = {
    transferId: newId('trf', tx.now),
    productCode,
    batchNo,
    from,
    to,
    quantity,
    serials: [...serials],
    holdId: holdId ?? null,
    newHoldId: moved?.split?.holdId ?? null,
    reason: input.reason ?? null,
    occurredAt: at,
    createdAt: tx.now,
    createdBy: tx.actor,
  };
  appendMovements(tx, ledgerRows(tx, transfer));
  if (moved?.split) appendSplitHold(tx, moved.split, transfer);
  // Stock that arrives where its batch is on hold is no longer available; held stock was not available before.
  if (!moved && target.wholeHolds > 0) await onAvailableDecreased(tx, [productCode]);
  const audited = { action: 'stock.transfer', entityType: 'transfer', entityId: transfer.transferId };
  await recordAudit(
    tx,
    {
      ...audited,
      reason: transfer.reason,
      before: [source, target],
      after: { transfer, balances: after },
    },
    ...(moved ? holdEntries(moved, transfer) : []),
  );
  return transfer;
}

/** Free stock only: held units are refused with the advice to name their hold. */
function moveFree({ units, source, target, quantity }: MovedGoods): Balance[] {
  if (units.some((unit) => unit.holds > 0)) throw refuseStock('stock_held', '/serials');
  return [takeByTransfer(source, quantity), addTo(target, quantity, '/quantity')];
}

/** The ledger shows when the goods came under a hold of their own. */
const appendSplitHold = (tx: Tx, split: Hold, { to, quantity, serials }: Transfer): void =>
  appendHoldMovements(tx, 'hold', split, [{ warehouse: to, quantity, serials }], split.reason);

function holdEntries({ before, hold, split }: MovedHold, { transferId, reason }: Transfer) {
  const entry = { entityType: 'hold', reason };
  return [
    ...(hold === before
      ? []
      : [
          {
            ...entry,
            action: 'stock.move_hold',
            entityId: hold.holdId,
            before,
            after: { ...hold, transferId },
          },
        ]),
    ...(split === null
      ? []
      : [{ ...entry, action: 'stock.split_hold', entityId: split.holdId, after: { ...split, transferId } }]),
  ];
}

function ledgerRows(tx: Tx, transfer: Transfer) {
  const { productCode, batchNo, quantity, serials, reason, from, to } = transfer;
  const same = {
    productCode,
    batchNo,
    quantity,
    serials,
    reason,
    holdId: transfer.newHoldId ?? transfer.holdId,
    occurredAt: transfer.occurredAt,
    document: { type: 'transfer' as const, id: transfer.transferId, no: null, line: null },
  };
  return [
    movementOf(tx, {
      ...same,
      kind: 'transfer_out',
      warehouse: from,
      quantityDelta: -quantity,
      counterparty: { type: 'warehouse', code: to },
    }),
    movementOf(tx, {
      ...same,
      kind: 'transfer_in',
      warehouse: to,
      quantityDelta: quantity,
      counterparty: { type: 'warehouse', code: from },
    }),
  ];
}
