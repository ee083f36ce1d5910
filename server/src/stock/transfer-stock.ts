import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { putSerialsInStock, readBalance, readSerials, saveBatchBalances } from './balance.store.js';
import { lockGoods, movementOf, occurredAt } from './locate-stock.js';
import { appendMovements } from './movement.store.js';
import { refuseStock } from './stock.errors.js';
import { addTo, batchNoFor, requireSerials, requireSerialsPresent, takeByTransfer } from './stock.rules.js';
import { onAvailableDecreased } from './stock-hooks.js';

export interface TransferRequest {
  productCode: string;
  batchNo?: string | undefined;
  from: string;
  to: string;
  quantity: number;
  serials?: readonly string[] | undefined;
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
  reason: string | null;
  occurredAt: Date;
  createdAt: Date;
  createdBy: string;
}

/** Moves free stock between warehouses; expired stock may be moved, held and reserved stock may not. */
export async function transferStock(tx: Tx, input: TransferRequest): Promise<Transfer> {
  if (input.from === input.to) throw refuseStock('same_warehouse', '/to');
  const { productCode, from, to, batchNo: given } = input;
  const warehouses = { '/from': from, '/to': to };
  const product = await lockGoods(tx, { productCode, warehouses, knownBatch: { batchNo: given } });
  const batchNo = batchNoFor(product, given);
  const at = await occurredAt(tx, { productCode: product.productCode, batchNo }, input.occurredAt);
  const serials = requireSerials(product, input.serials, input.quantity);
  const pieces = requireSerialsPresent(
    serials,
    await readSerials(tx, product.productCode, serials),
    batchNo,
    input.from,
  );
  if (pieces.some((piece) => piece.holds > 0)) throw refuseStock('stock_held', '/serials');
  const source = await readBalance(tx, product.productCode, batchNo, input.from);
  const target = await readBalance(tx, product.productCode, batchNo, input.to);
  const after = [takeByTransfer(source, input.quantity), addTo(target, input.quantity, '/quantity')];
  await saveBatchBalances(tx, product.productCode, batchNo, after);
  await putSerialsInStock(tx, product.productCode, serials, batchNo, input.to);
  const transfer: Transfer = {
    transferId: newId('trf', tx.now),
    productCode: product.productCode,
    batchNo,
    from: input.from,
    to: input.to,
    quantity: input.quantity,
    serials: [...serials],
    reason: input.reason ?? null,
    occurredAt: at,
    createdAt: tx.now,
    createdBy: tx.actor,
  };
  await appendMovements(tx, ledgerRows(tx, transfer));
  // What arrives where its batch is on hold can no longer be sold.
  if (target.wholeHolds > 0) await onAvailableDecreased(tx, [product.productCode]);
  const audited = { action: 'stock.transfer', entityType: 'transfer', entityId: transfer.transferId };
  await recordAudit(tx, {
    ...audited,
    reason: transfer.reason,
    before: [source, target],
    after: { transfer, balances: after },
  });
  return transfer;
}

function ledgerRows(tx: Tx, transfer: Transfer) {
  const { productCode, batchNo, quantity, serials, reason, from, to } = transfer;
  const same = {
    productCode,
    batchNo,
    quantity,
    serials,
    reason,
    occurredAt: transfer.occurredAt,
    document: { type: 'transfer', id: transfer.transferId, no: null, line: null },
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
