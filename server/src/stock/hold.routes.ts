import { Type } from 'typebox';
import { withCanonicalCode } from '../catalogue/index.js';
import { findMatches, SUBJECTS_MAX } from '../indexing/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  AnyOf,
  Code,
  forbidden,
  listRoute,
  type Route,
  readRoute,
  SearchText,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';
import { findHold, listHolds } from './hold.store.js';
import { type HoldRequest, holdStock } from './hold-stock.js';
import { releaseHold } from './release-hold.js';
import { HOLD_CATEGORIES } from './stock.js';
import { HoldBody, HoldView, ReleaseBody, toHoldView } from './stock.schemas.js';

const ByHold = Strict({ holdId: Text(64) });
const tag = 'Stock operations';

export const holdRoutes = (database: Database): Route[] => [...writeRoutes(), ...readRoutes(database)];

function writeRoutes(): Route[] {
  return [
    writeRoute({
      method: 'POST',
      operationId: 'createStockHold',
      path: '/v2/stock/holds',
      scope: 'inventory:write',
      tag,
      summary: 'Put stock on hold',
      description:
        'A whole batch, or a `quantity` or `serials` of it. Holds stack. A hold of category `quality` needs the scope `quality:write`, ' +
        'also to be released.',
      body: HoldBody,
      data: HoldView,
      changes: ({ body }) => body.productCode,
      execute: async (tx, { principal, body }) =>
        toHoldView(
          await holdStock(tx, {
            ...body,
            warehouse: body.warehouse ?? undefined,
            quantity: body.quantity ?? undefined,
            category: categoryFor(principal, body.category),
          }),
        ),
    }),
    writeRoute({
      method: 'POST',
      operationId: 'releaseStockHold',
      path: '/v2/stock/holds/:holdId/release',
      scope: 'inventory:write',
      tag,
      summary: 'Release a hold',
      description:
        'A hold of any category but `logistics` also needs the scope `quality:write`, and a reason. The hold of a recall is never ' +
        'released here.',
      params: ByHold,
      body: ReleaseBody,
      data: HoldView,
      execute: async (tx, { principal, params, body }) =>
        toHoldView(
          await releaseHold(tx, {
            holdId: params.holdId,
            reason: body.reason ?? null,
            decidesQuality: decidesQuality(principal),
          }),
        ),
    }),
  ];
}

const decidesQuality = (principal: Principal): boolean => principal.scopes.has('quality:write');

/** The category of a hold that a caller creates. */
function categoryFor(principal: Principal, asked: HoldRequest['category']): HoldRequest['category'] {
  if (asked === 'quality' && !decidesQuality(principal))
    throw forbidden('scope_missing', 'a hold of category quality needs quality:write');
  return asked ?? (decidesQuality(principal) ? 'quality' : 'logistics');
}

function readRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listStockHolds',
      path: '/v2/stock/holds',
      scope: 'inventory:read',
      tag,
      summary: 'List holds, newest first',
      filters: {
        q: SearchText('the batch number or of the name or code of the product'),
        productCode: Type.Optional(Code()),
        batchNo: Type.Optional(Type.String({ maxLength: 64 })),
        status: Type.Optional(AnyOf(['active', 'released'] as const)),
        category: Type.Optional(AnyOf(HOLD_CATEGORIES)),
      },
      item: HoldView,
      list: 'holds',
      key: (hold) => hold.holdId,
      updatedAt: (hold) => hold.updatedAt,
      sorts: { createdAt: null },
      isCounted: true,
      view: toHoldView,
      readRows: async ({ principal, filter: { q, ...filter }, page }) => {
        const matches = await findMatches(database, principal.orgId, q, ['product', 'batch'], SUBJECTS_MAX);
        const where = { ...withCanonicalCode(filter), matches };
        return transact(database, principal, (tx) => listHolds(tx, where, page));
      },
    }),
    readRoute({
      operationId: 'getStockHold',
      path: '/v2/stock/holds/:holdId',
      scope: 'inventory:read',
      tag,
      summary: 'Read a hold',
      params: ByHold,
      data: HoldView,
      async read({ principal, params }) {
        const hold = await transact(database, principal, (tx) => findHold(tx, params.holdId));
        if (!hold) throw missing('hold', 'holdId');
        return toHoldView(hold);
      },
    }),
  ];
}
