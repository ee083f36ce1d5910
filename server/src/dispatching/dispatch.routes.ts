import { Type } from 'typebox';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  decodeCursor,
  invalid,
  OneOf,
  PAGE_LIMIT_DEFAULT,
  PageOf,
  PageQuery,
  type Route,
  readRoute,
  Strict,
  Text,
  toPage,
  writeRoute,
} from '../platform/http/index.js';
import { cancelDispatch } from './cancel-dispatch.js';
import { createDispatch } from './create-dispatch.js';
import { deliverDispatch } from './deliver-dispatch.js';
import { DISPATCH_STATUSES } from './dispatch.js';
import {
  CancelBody,
  DeliveryBody,
  DispatchBody,
  DispatchView,
  PicksBody,
  RecheckBody,
  toDispatchView,
} from './dispatch.schemas.js';
import { listDispatches } from './dispatch.store.js';
import { readDispatch } from './load-dispatch.js';
import { pickDispatch } from './pick-dispatch.js';
import { recheckDispatch } from './recheck-dispatch.js';

const ById = Strict({ dispatchId: Text(64) });
const tag = 'Dispatches';
const scope = 'dispatches:write';

export const dispatchRoutes = (database: Database): Route[] => [
  ...readRoutes(database),
  ...workRoutes(),
  ...endingRoutes(),
];

function readRoutes(database: Database): Route[] {
  return [
    readRoute({
      path: '/v2/dispatches',
      scope: 'dispatches:read',
      customerBound: 'allowed',
      tag,
      summary: 'List dispatches, newest first',
      query: Strict({
        orderId: Type.Optional(Text(64)),
        status: Type.Optional(OneOf(DISPATCH_STATUSES)),
        ...PageQuery,
      }),
      data: PageOf(DispatchView),
      async answer({ principal, query }) {
        const { limit = PAGE_LIMIT_DEFAULT, cursor, ...filter } = query;
        const before = decodeCursor('dispatches', cursor, 1)?.[0] ?? null;
        const where = { ...filter, customerCode: principal.customerCode ?? undefined };
        const rows = await transact(database, principal, (tx) =>
          listDispatches(tx, where, before, limit + 1),
        );
        return toPage('dispatches', rows, limit, (dispatch) => [dispatch.dispatchId], toDispatchView);
      },
    }),
    readRoute({
      path: '/v2/dispatches/:dispatchId',
      scope: 'dispatches:read',
      customerBound: 'allowed',
      tag,
      summary: 'One dispatch',
      params: ById,
      data: DispatchView,
      async answer({ principal, params }) {
        const dispatch = await transact(database, principal, (tx) => readDispatch(tx, params.dispatchId));
        if (principal.customerCode !== null && dispatch.customerCode !== principal.customerCode)
          throw missing('dispatch', 'dispatchId');
        return toDispatchView(dispatch);
      },
    }),
  ];
}

function workRoutes(): Route[] {
  return [
    writeRoute({
      method: 'POST',
      path: '/v2/dispatches',
      scope,
      tag,
      summary: 'Open a dispatch for an order',
      body: DispatchBody,
      data: DispatchView,
      execute: async (tx, { body }) => toDispatchView(await createDispatch(tx, body.orderId, body.lines)),
    }),
    writeRoute({
      method: 'POST',
      path: '/v2/dispatches/:dispatchId/picks',
      scope,
      tag,
      summary: 'Record what was picked',
      description: 'Replaces all picks. Another batch than reserved needs a reason, and is reserved instead.',
      params: ById,
      body: PicksBody,
      data: DispatchView,
      async execute(tx, { params, body }) {
        const { picks: given = [], scans = [], reason = null } = body;
        if (!body.picks && !body.scans) throw invalid('required', '/picks', 'is required without scans');
        const picks = given.map((pick) => ({
          lineNo: pick.lineNo,
          batchNo: pick.batchNo ?? '',
          quantity: pick.quantity,
          serials: pick.serials ?? [],
          reason: pick.reason ?? reason,
        }));
        return toDispatchView(await pickDispatch(tx, params.dispatchId, picks, { codes: scans, reason }));
      },
    }),
    writeRoute({
      method: 'POST',
      path: '/v2/dispatches/:dispatchId/recheck',
      scope,
      tag,
      summary: 'Re-check what was picked',
      description: 'By another person than the one who picked. Passing takes the stock out.',
      params: ById,
      body: RecheckBody,
      data: DispatchView,
      async execute(tx, { params, body }) {
        const { result, reason = null, carrier = null, trackingNo = null, scans } = body;
        if (result === 'fail' && reason === null)
          throw invalid('required', '/reason', 'is required when the re-check fails');
        return toDispatchView(
          await recheckDispatch(tx, params.dispatchId, { result, reason, carrier, trackingNo, scans }),
        );
      },
    }),
  ];
}

function endingRoutes(): Route[] {
  return [
    writeRoute({
      method: 'POST',
      path: '/v2/dispatches/:dispatchId/delivery',
      scope,
      tag,
      summary: 'Confirm a delivery',
      params: ById,
      body: DeliveryBody,
      data: DispatchView,
      execute: async (tx, { params, body }) =>
        toDispatchView(
          await deliverDispatch(tx, params.dispatchId, body.receivedBy, new Date(body.receivedAt)),
        ),
    }),
    writeRoute({
      method: 'POST',
      path: '/v2/dispatches/:dispatchId/cancel',
      scope,
      tag,
      summary: 'Cancel a dispatch before it leaves',
      params: ById,
      body: CancelBody,
      data: DispatchView,
      execute: async (tx, { params, body }) =>
        toDispatchView(await cancelDispatch(tx, params.dispatchId, body.reason ?? null)),
    }),
  ];
}
