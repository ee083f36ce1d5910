import { Type } from 'typebox';
import { refuseOtherCustomer } from '../access/index.js';
import { findMatches } from '../indexing/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  AnyOf,
  type Call,
  Code,
  callerOf,
  Instant,
  listRoute,
  type Route,
  readRoute,
  SearchText,
  Strict,
  sharedWriteRoute,
  TaskFilter,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { approveOrders } from './approve-orders.js';
import { cancelOrder } from './cancel-order.js';
import { closeOrder } from './close-order.js';
import { holdOrder, releaseOrder } from './hold-order.js';
import { readOrder } from './load-order.js';
import { ORDER_STATUSES, type Order } from './order.js';
import {
  OptionalReason,
  OrderBody,
  OrderView,
  RequiredReason,
  SyncedOrderView,
  toOrderView,
  toSyncedOrderView,
} from './order.schemas.js';
import { listOrders } from './order.store.js';
import { batchRoute } from './order-batch.routes.js';
import { readReadiness } from './read-readiness.js';
import { ReadinessView, toReadinessView } from './readiness.schemas.js';
import { rejectOrder } from './reject-order.js';
import { reserveOrder } from './reserve-order.js';
import { syncOrders } from './sync-orders.js';
import { toSync } from './sync-request.js';

const ById = Strict({ orderId: Text(64) });
const tag = 'Orders';

export const orderRoutes = (database: Database): Route[] => [
  ...readRoutes(database),
  syncRoute(),
  batchRoute(),
  approveRoute(),
  ...moveRoutes(),
];

function readRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listOrders',
      path: '/v2/orders',
      scope: 'orders:read',
      boundCredentials: 'allowed',
      tag,
      summary: 'List orders, newest first',
      filters: {
        q: SearchText('the order number or of the name or code of the customer'),
        orderNo: Type.Optional(Code()),
        status: Type.Optional(AnyOf(ORDER_STATUSES)),
        customerCode: Type.Optional(Code()),
        task: TaskFilter(['orders_to_approve', 'orders_to_dispatch']),
        since: Type.Optional(Instant('Created at or after this instant.')),
        until: Type.Optional(Instant('Created before this instant.')),
      },
      item: OrderView,
      list: 'orders',
      key: (order) => order.orderId,
      updatedAt: (order) => order.updatedAt,
      sorts: { createdAt: null, orderNo: (order) => order.orderNo },
      isCounted: true,
      view: toOrderView,
      readRows: async ({ principal, filter: { q, ...filter }, page }) => {
        const own = principal.boundTo;
        if (own !== null && filter.customerCode !== undefined && filter.customerCode !== own)
          throw refuseOtherCustomer();
        const matches = await findMatches(database, principal.orgId, q, ['order', 'partner']);
        const where = { ...filter, ...(own === null ? {} : { customerCode: own }), matches };
        return transact(database, principal, (tx) => listOrders(tx, where, page));
      },
    }),
    readRoute({
      operationId: 'getOrder',
      path: '/v2/orders/:orderId',
      scope: 'orders:read',
      boundCredentials: 'allowed',
      tag,
      summary: 'Read an order',
      params: ById,
      data: OrderView,
      async read({ principal, params }) {
        const order = await transact(database, principal, (tx) => readOrder(tx, params.orderId));
        // An order of another customer is treated as nonexistent.
        if (principal.boundTo !== null && order.customerCode !== principal.boundTo)
          throw missing('order', 'orderId');
        return toOrderView(order);
      },
    }),
    readRoute({
      operationId: 'getOrderReadiness',
      path: '/v2/orders/:orderId/readiness',
      scope: 'orders:read',
      tag,
      summary: 'Read whether an order can be approved',
      description:
        'The stock that would be reserved for each line, what is missing and where more could come from, and the certificates of ' +
        'the customer and the products. Nothing is reserved. `lines` needs `inventory:read` too, `certificates` `certificates:read`, ' +
        '`receipts` `receipts:read`; without, and for an order that is neither to be approved nor to be shipped, they are null.',
      params: ById,
      data: ReadinessView,
      async read({ principal, params }) {
        const readiness = await transact(database, principal, (tx) =>
          readReadiness(tx, params.orderId, principal.scopes),
        );
        return toReadinessView(readiness);
      },
    }),
  ];
}

const syncRoute = (): Route =>
  sharedWriteRoute({
    method: 'POST',
    operationId: 'createOrder',
    path: '/v2/orders',
    scope: 'orders:write',
    boundCredentials: 'allowed',
    tag,
    summary: 'Create or synchronize a sales order',
    description:
      'By `customerCode` and `orderNo`; the content is a full replacement. `result` says what was done. Sending ' +
      'the same body again changes nothing.',
    body: OrderBody,
    data: SyncedOrderView,
    check: ({ principal, body }) => {
      toSync(principal, body);
    },
    changes: ({ body }) => body.lines?.map((line) => line.productCode) ?? [],
    async executeAll(tx, calls) {
      const outcomes = await syncOrders(
        tx,
        calls.map((call) => ({ ...toSync(call.principal, call.body), by: callerOf(call) })),
      );
      return outcomes.map((outcome) =>
        'value' in outcome ? { value: toSyncedOrderView(outcome.value) } : outcome,
      );
    },
  });

const approveRoute = (): Route =>
  sharedWriteRoute({
    method: 'POST',
    operationId: 'approveOrder',
    path: '/v2/orders/:orderId/approve',
    scope: 'orders:approve',
    tag,
    summary: 'Approve an order and reserve its stock',
    description:
      'Reserves by earliest expiry, all or nothing: `insufficient_stock` lists the lines that are short.',
    params: ById,
    body: Strict({}),
    data: OrderView,
    changes: ({ params }) => [params.orderId],
    // It locks the products that it reserves.
    oneAtATime: true,
    async executeAll(tx, calls) {
      const outcomes = await approveOrders(
        tx,
        calls.map((call) => ({ orderId: call.params.orderId, by: callerOf(call) })),
      );
      return outcomes.map((outcome) =>
        'value' in outcome ? { value: toOrderView(outcome.value) } : outcome,
      );
    },
  });

type Reasoned = Call<{ orderId: string }, unknown, { reason?: string | null }>;

function moveRoutes(): Route[] {
  const move = (
    action: string,
    scope: string,
    summary: string,
    body: typeof OptionalReason | typeof RequiredReason,
    execute: (tx: Tx, call: Reasoned) => Promise<Order>,
  ): Route =>
    writeRoute({
      method: 'POST',
      operationId: `${action}Order`,
      path: `/v2/orders/:orderId/${action}`,
      scope,
      tag,
      summary,
      params: ById,
      body,
      data: OrderView,
      execute: async (tx, call) => toOrderView(await execute(tx, call as Reasoned)),
    });
  return [
    move('reject', 'orders:approve', 'Reject an order', RequiredReason, (tx, { params, body }) =>
      rejectOrder(tx, params.orderId, body.reason ?? ''),
    ),
    move(
      'cancel',
      'orders:write',
      'Cancel an order before anything is shipped',
      OptionalReason,
      (tx, { params, body }) => cancelOrder(tx, params.orderId, body.reason ?? null),
    ),
    move('hold', 'orders:write', 'Put an order on hold', OptionalReason, (tx, { params, body }) =>
      holdOrder(tx, params.orderId, body.reason ?? null),
    ),
    move('release', 'orders:write', 'Release an order from hold', OptionalReason, (tx, { params, body }) =>
      releaseOrder(tx, params.orderId, body.reason ?? null),
    ),
    move(
      'reserve',
      'orders:write',
      'Reserve what an approved order lacks',
      OptionalReason,
      (tx, { params }) => reserveOrder(tx, params.orderId),
    ),
    move(
      'close',
      'orders:write',
      'Close an order: the rest is not shipped',
      OptionalReason,
      (tx, { params, body }) => closeOrder(tx, params.orderId, body.reason ?? null),
    ),
  ];
}
