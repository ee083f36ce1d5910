import { performance } from 'node:perf_hooks';
import { readFinishedOrders } from '../orders/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { type Route, readRoute } from '../platform/http/index.js';
import { expiringRoutes } from './expiring.routes.js';
import { momentCache } from './moment-cache.js';
import { OverviewView } from './overview.schemas.js';
import { type Overview, readOverview } from './read-overview.js';

const KEPT_MS = 2_000;
const KEPT_MAX = 1_000;
/** Finished orders are counted less often: nobody acts on them, and there are many. */
const FINISHED_KEPT_MS = 60_000;

export function overviewRoutes(
  database: Database,
  { monotonicMs = () => performance.now() }: { monotonicMs?: (() => number) | undefined },
): Route[] {
  const kept = momentCache<Overview>(KEPT_MS, KEPT_MAX, monotonicMs);
  const finished = momentCache<Awaited<ReturnType<typeof readFinishedOrders>>>(
    FINISHED_KEPT_MS,
    KEPT_MAX,
    monotonicMs,
  );
  return [
    readRoute({
      operationId: 'getOverview',
      path: '/v2/overview',
      scope: null,
      tag: 'Overview',
      summary: 'Read the overview: status and tasks',
      description:
        'Each part needs the read scope of its area and is null without it; `needsMe` counts the tasks that the ' +
        'credential can act on. Up to two seconds old; the counts of finished orders up to a minute.',
      mayLag: true,
      data: OverviewView,
      read({ principal }, from) {
        // The actor matters, because it decides which dispatches may be re-checked. A replica's answer is not for callers
        // who need the primary.
        const { orgId, actor, scopes } = principal;
        const source = JSON.stringify([from.app === database.app, orgId]);
        const key = JSON.stringify([source, actor, ...[...scopes].sort()]);
        return kept.get(key, () =>
          transact(from, principal, (tx) =>
            readOverview(tx, scopes, (each) => finished.get(source, () => readFinishedOrders(each))),
          ),
        );
      },
    }),
    ...expiringRoutes(database),
  ];
}
