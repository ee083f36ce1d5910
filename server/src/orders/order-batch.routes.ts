import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { type Outcome, outcomeOf } from '../platform/batched-calls.js';
import { ERROR_ROWS } from '../platform/errors/index.js';
import { callerOf, compile, Nullable, type Route, Strict, writeRoute } from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';
import type { Order, SyncResult } from './order.js';
import { OrderBody, SyncedOrderView, toSyncedOrderView } from './order.schemas.js';
import { syncOrders } from './sync-orders.js';
import { type RequestedSync, toSync } from './sync-request.js';

const COUNT = { minItems: 1, maxItems: 200 };

const ItemView = Type.Object({
  status: Type.Integer({ enum: [200, 400], description: '400: refused, and nothing of it was changed.' }),
  data: Type.Optional(SyncedOrderView),
  code: Type.Optional(
    Type.Integer({ description: 'Of a refused order: the `code` that `POST /v2/orders` would return.' }),
  ),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        path: Nullable(Type.String({ description: 'JSON Pointer into the order.' })),
        reason: Type.String(),
        message: Type.String(),
      }),
    ),
  ),
});

/**
 * One transaction, which also stores the response under the Idempotency-Key: either all outcomes are as answered, or nothing
 * was done and the request can be sent again.
 */
export const batchRoute = (): Route =>
  writeRoute({
    method: 'POST',
    operationId: 'createOrders',
    path: '/v2/orders/batch',
    scope: 'orders:write',
    boundCredentials: 'allowed',
    tag: 'Orders',
    summary: 'Create or synchronize up to 200 sales orders',
    description:
      'Each as in `POST /v2/orders`, in the order given, and with its own outcome: an order that is refused does not affect ' +
      'the others. `items` has the outcomes in the order of the request. The request can have up to 1 MiB and counts as one.',
    body: Strict({ orders: Type.Array(Type.Unknown(), COUNT) }),
    describedBody: Strict({ orders: Type.Array(OrderBody, COUNT) }),
    data: Type.Object({ items: Type.Array(ItemView) }),
    // A few concurrent batches per organization, so that connections are left for its other requests.
    changes: () => 'batches of orders',
    prefetch: ({ principal, body }) => judgeEach(principal, body.orders),
    async execute(tx, call, judged) {
      const by = callerOf(call);
      const syncs = judged.flatMap((outcome) => ('value' in outcome ? [{ ...outcome.value, by }] : []));
      const synced = (await syncOrders(tx, syncs)).values();
      return {
        items: judged.map((outcome) => toItem('failure' in outcome ? outcome : nextOf(synced))),
      };
    },
  });

const refusalOfShape = compile(OrderBody, 'body');

async function judgeEach(
  principal: Principal,
  orders: readonly unknown[],
): Promise<Outcome<RequestedSync>[]> {
  const outcomes: Outcome<RequestedSync>[] = [];
  for (const order of orders) {
    const outcome = outcomeOf(() => {
      const refusal = refusalOfShape(order);
      if (refusal) throw refusal;
      return toSync(principal, order as Static<typeof OrderBody>);
    });
    outcomes.push(outcome);
    // Listing the issues of an order can take milliseconds. Two hundred in a row would make other requests wait.
    if ('failure' in outcome) await nextTurn();
  }
  return outcomes;
}

type Synced = Outcome<{ order: Order; result: SyncResult }>;

function nextOf(outcomes: Iterator<Synced>): Synced {
  const { value, done } = outcomes.next();
  if (done) throw new Error('an order of the batch has no outcome');
  return value;
}

const toItem = (outcome: Synced): Static<typeof ItemView> =>
  'value' in outcome
    ? { status: 200, data: toSyncedOrderView(outcome.value) }
    : {
        status: 400,
        code: ERROR_ROWS[outcome.failure.kind].code,
        errors: outcome.failure.issues.map(({ path, reason, message }) => ({ path, reason, message })),
      };
