import { Type } from 'typebox';
import { unknownWarehouses } from '../catalogue/index.js';
import { refuseEvents } from '../events/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  Code,
  decodeCursor,
  encodeCursor,
  Instant,
  invalid,
  Model,
  PAGE_LIMIT_DEFAULT,
  PageQuery,
  type Route,
  readRoute,
  Strict,
} from '../platform/http/index.js';
import { figuresOf } from './changed-figures.js';
import { numberChanges } from './number-changes.js';
import { readChanges, readFeedState } from './stock-change.store.js';

const CURSOR = 'inventory-changes';

const StockChangeView = Model('StockChange', {
  productCode: Type.String({ examples: ['06901234567892'] }),
  warehouse: Type.String(),
  totalQuantity: Type.Integer({ description: 'available + reserved + blocked, always.' }),
  availableQuantity: Type.Integer(),
  reservedQuantity: Type.Integer(),
  blockedQuantity: Type.Integer({ description: 'Expired, on hold or recalled: may not be sold.' }),
  changedAt: Instant('When the figures last changed.'),
});

export function stockChangeRoutes(database: Database): Route[] {
  return [
    readRoute({
      operationId: 'listInventoryChanges',
      path: '/v2/inventory/changes',
      scope: 'inventory:read',
      boundCredentials: 'allowed',
      tag: 'Inventory',
      summary: 'Read the stock that changed since a cursor',
      description:
        'One row for each product and warehouse whose figures changed, with the figures of now: movements, reservations, holds and ' +
        'expiry. A change is in the feed once its write was answered, and none is skipped: store `nextCursor` and send it as `after`. ' +
        'Without `after`, the feed begins with all stock there has been. A row may come again with the same figures.',
      query: Strict({
        after: Type.Optional(
          Type.String({ maxLength: 1024, description: 'The `nextCursor` of the previous page.' }),
        ),
        warehouse: Type.Optional(Code()),
        limit: PageQuery.limit,
      }),
      data: Type.Object({
        items: Type.Array(StockChangeView),
        nextCursor: Type.String({ description: 'Never null: store it even if there are no more changes.' }),
        hasMore: Type.Boolean(),
      }),
      async read({ principal, query }) {
        const limit = query.limit ?? PAGE_LIMIT_DEFAULT;
        const after = positionOf(query.after);
        const warehouse = query.warehouse ?? null;
        await numberChanges(database, principal);
        return transact(database, principal, async (tx) => {
          if (warehouse !== null && (await unknownWarehouses(tx, [warehouse])).length > 0)
            throw missing('warehouse', 'warehouse');
          const through = (await readFeedState(tx)).position ?? 0;
          if (after > through) throw refuseEvents('cursor_ahead', 'after');
          const warehouses = warehouse === null ? null : [warehouse];
          const range = { after, through, warehouses, productCodes: null, limit: limit + 1 };
          const changes = await readChanges(tx, range);
          const shown = changes.slice(0, limit);
          const hasMore = changes.length > limit;
          const reached = hasMore ? (shown.at(-1)?.position ?? after) : through;
          return {
            items: shown.map((change) => figuresOf(change, tx.today)),
            nextCursor: encodeCursor(CURSOR, [String(reached)]),
            hasMore,
          };
        });
      },
    }),
  ];
}

function positionOf(cursor: string | undefined): number {
  const position = Number(decodeCursor(CURSOR, cursor, 1)?.[0] ?? 0);
  if (!Number.isSafeInteger(position) || position < 0) throw invalid('bad_cursor', 'after');
  return position;
}
