import {
  createDispatch,
  type Dispatch,
  deliverDispatch,
  listDispatches,
  pickDispatch,
  recheckDispatch,
} from '../dispatching/index.js';
import { approveOrders, cancelOrder, type Order, readOrder, rejectOrder } from '../orders/index.js';
import { type Database, type Tx, transact, usualPage } from '../platform/database/index.js';
import { Refusal } from '../platform/errors/index.js';
import type { Principal } from '../platform/principal.js';
import { readSerialsInStock } from '../stock/index.js';
import type { DemoWords } from './language.rules.js';

/** The users of the demo by task: one picks, another re-checks; one decides about goods, another approves. */
export interface People {
  sales: Principal;
  warehouse: Principal;
  quality: Principal;
  qualityManager: Principal;
  /** The language of their texts. */
  words: DemoWords;
}

export type Person = Exclude<keyof People, 'words'>;

export type Goal = Order['status'];

/** Returns true to only one of the processes that try the same step. */
export type Claim = (tx: Tx, step: string) => Promise<boolean>;

/**
 * Moves an order towards a goal as users would, one transaction per step. Completed steps are skipped, so it can resume after
 * a crash. Returns the status of the order, which is short of the goal if a step is refused.
 */
export async function workOrder(
  database: Database,
  people: People,
  orderId: string,
  goal: Goal,
  claim: Claim = async () => true,
): Promise<Order['status']> {
  for (let before = 0; ; ) {
    const order = await transact(database, people.sales, (tx) => readOrder(tx, orderId));
    const step = nextStep(order, goal);
    // An unchanged version means that no step is possible; a step taken by another process changes it.
    if (!step || order.version === before) return order.status;
    before = order.version;
    try {
      await transact(database, people[step.by], async (tx) => {
        if (await claim(tx, `${order.orderNo}/${order.version}`)) await step.take(tx, people, order);
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return order.status;
    }
  }
}

interface Step {
  by: Person;
  take(tx: Tx, people: People, order: Order): Promise<unknown>;
}

function nextStep(order: Order, goal: Goal): Step | null {
  if (order.status === goal) return null;
  switch (order.status) {
    case 'pending_approval':
      if (goal === 'rejected')
        return {
          by: 'sales',
          take: (tx, { words }) => rejectOrder(tx, order.orderId, words.say('duplicate of an earlier order')),
        };
      return { by: 'sales', take: approve };
    case 'approved':
      if (goal === 'cancelled')
        return {
          by: 'sales',
          take: (tx, { words }) => cancelOrder(tx, order.orderId, words.say('no longer needed')),
        };
      return {
        by: 'warehouse',
        take: (tx, people) => ship(tx, people, order, goal === 'partially_dispatched'),
      };
    case 'partially_dispatched':
      return { by: 'warehouse', take: (tx, people) => ship(tx, people, order, false) };
    case 'dispatched':
      return { by: 'warehouse', take: deliverAll };
    default:
      return null;
  }
}

async function approve(tx: Tx, _people: People, { orderId }: Order): Promise<void> {
  const [outcome] = await approveOrders(tx, [{ orderId, by: tx }]);
  if (outcome && 'failure' in outcome) throw outcome.failure;
}

async function ship(tx: Tx, people: People, order: Order, part: boolean): Promise<void> {
  const half = order.lines.map((line) => ({ lineNo: line.lineNo, quantity: Math.ceil(line.quantity / 2) }));
  const dispatch = await createDispatch(tx, order.orderId, part ? half : undefined);
  await pickDispatch(tx, dispatch.dispatchId, await picksOf(tx, dispatch));
  const { actor, credentialId } = people.quality;
  await recheckDispatch(tx.as({ actor, credentialId, requestId: null }), dispatch.dispatchId, {
    result: 'pass',
    reason: null,
    carrier: people.words.say('Kestrel Couriers'),
    trackingNo: `KC-${order.orderNo}`,
  });
}

/** Picks what the pick list says, with serial numbers from stock for serialized products. */
async function picksOf(tx: Tx, dispatch: Dispatch) {
  const picks = [];
  for (const line of dispatch.lines) {
    for (const { batchNo, quantity } of line.toPick) {
      const serials =
        line.tracking === 'serial'
          ? await readSerialsInStock(tx, line.productCode, batchNo, dispatch.warehouse, quantity)
          : [];
      picks.push({ lineNo: line.lineNo, batchNo, quantity, serials, reason: null });
    }
  }
  return picks;
}

async function deliverAll(tx: Tx, { words }: People, order: Order): Promise<void> {
  const dispatches = await listDispatches(tx, { orderId: order.orderId }, usualPage(null, 50));
  for (const dispatch of dispatches.filter((each) => each.status === 'dispatched')) {
    await deliverDispatch(tx, dispatch.dispatchId, words.say('goods-in desk'), tx.now);
  }
}
