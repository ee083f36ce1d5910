import { recordAudit } from '../audit/index.js';
import { lockOrderIfAny, openQuantity, requireMove } from '../orders/index.js';
import type { Tx } from '../platform/database/index.js';
import { Refusal, unknownReference } from '../platform/errors/index.js';
import { newId } from '../platform/ids/index.js';
import { assignToDispatch } from '../stock/index.js';
import { refuseDispatch } from './dispatch.errors.js';
import type { Dispatch } from './dispatch.js';
import { chooseLines } from './dispatch.rules.js';
import { insertDispatch, openQuantities } from './dispatch.store.js';
import { readDispatch } from './load-dispatch.js';

/** Opens a dispatch for the rest of an order, or part of it. Several share the order's reservations. */
export async function createDispatch(
  tx: Tx,
  orderId: string,
  asked: readonly { lineNo: number; quantity: number }[] | undefined,
): Promise<Dispatch> {
  const order = await lockOrderIfAny(tx, orderId);
  if (!order)
    throw new Refusal([
      unknownReference(
        '/orderId',
        `Order ${orderId}`,
        'Check the orderId: GET /v2/orders lists your orders.',
      ),
    ]);
  requireMove(order, 'dispatch');
  const open = await openQuantities(tx, orderId);
  const left = new Map(
    order.lines.map((line) => [line.lineNo, openQuantity(line) - (open.get(line.lineNo) ?? 0)]),
  );
  const lines = chooseLines(asked, left);
  const dispatchId = newId('dsp', tx.now);
  await insertDispatch(tx, dispatchId, orderId, lines);
  const short = await assignToDispatch(tx, orderId, dispatchId, lines);
  if (short.length > 0)
    throw refuseDispatch('not_reserved', null, `not reserved: line ${short.join(', line ')}`);
  const dispatch = await readDispatch(tx, dispatchId);
  await recordAudit(tx, {
    action: 'dispatch.create',
    entityType: 'dispatch',
    entityId: dispatchId,
    after: dispatch,
  });
  return dispatch;
}
