import { Type } from 'typebox';
import { findMatches } from '../indexing/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  AnyOf,
  invalid,
  listRoute,
  type Route,
  readRoute,
  SearchText,
  Strict,
  TaskFilter,
  Text,
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
    listRoute({
      operationId: 'listDispatches',
      path: '/v2/dispatches',
      scope: 'dispatches:read',
      boundCredentials: 'allowed',
      tag,
      summary: 'List dispatches, newest first',
      filters: {
        q: SearchText('the order or tracking number or of the name or code of the customer'),
        orderId: Type.Optional(Text(64)),
        status: Type.Optional(AnyOf(DISPATCH_STATUSES)),
        task: TaskFilter(['dispatches_to_pick', 'dispatches_to_recheck']),
      },
      item: DispatchView,
      list: 'dispatches',
      key: (dispatch) => dispatch.dispatchId,
      updatedAt: (dispatch) => dispatch.updatedAt,
      sorts: { createdAt: null },
      isCounted: true,
      view: toDispatchView,
      readRows: async ({ principal, filter: { q, ...filter }, page }) => {
        const matches = await findMatches(database, principal.orgId, q, ['dispatch', 'partner']);
        const where = { ...filter, customerCode: principal.boundTo ?? undefined, matches };
        return transact(database, principal, (tx) => listDispatches(tx, where, page));
      },
    }),
    readRoute({
      operationId: 'getDispatch',
      path: '/v2/dispatches/:dispatchId',
      scope: 'dispatches:read',
      boundCredentials: 'allowed',
      tag,
      summary: 'Read a dispatch',
      params: ById,
      data: DispatchView,
      async read({ principal, params }) {
        const dispatch = await transact(database, principal, (tx) => readDispatch(tx, params.dispatchId));
        if (principal.boundTo !== null && dispatch.customerCode !== principal.boundTo)
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
      operationId: 'createDispatch',
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
      operationId: 'recordDispatchPicks',
      path: '/v2/dispatches/:dispatchId/picks',
      scope,
      tag,
      summary: 'Record the picked goods',
      description:
        'Replaces all picks. Picking a batch other than the reserved one needs a reason, and moves the reservation.',
      params: ById,
      body: PicksBody,
      data: DispatchView,
      async execute(tx, { params, body }) {
        const { picks: given = [], scans = [], reason = null } = body;
        if (!body.picks && !body.scans) throw invalid('required', '/picks', 'is required without scans');
        const picks = given.map((pick) => ({
          lineNo: pick.lineNo,
          batchNo: pick.batchNo ?? '',
          expiryDate: pick.expiryDate,
          quantity: pick.quantity,
          serials: pick.serials ?? [],
          reason: pick.reason ?? reason,
        }));
        return toDispatchView(await pickDispatch(tx, params.dispatchId, picks, { codes: scans, reason }));
      },
    }),
    writeRoute({
      method: 'POST',
      operationId: 'recheckDispatch',
      path: '/v2/dispatches/:dispatchId/recheck',
      scope,
      tag,
      summary: 'Re-check the picked goods',
      description: 'By a person other than the picker. When the re-check passes, the stock leaves.',
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
      operationId: 'recordDispatchDelivery',
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
      operationId: 'cancelDispatch',
      path: '/v2/dispatches/:dispatchId/cancel',
      scope,
      tag,
      summary: 'Cancel a dispatch',
      params: ById,
      body: CancelBody,
      data: DispatchView,
      execute: async (tx, { params, body }) =>
        toDispatchView(await cancelDispatch(tx, params.dispatchId, body.reason ?? null)),
    }),
  ];
}
