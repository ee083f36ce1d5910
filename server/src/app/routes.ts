import { auditRoutes } from '../audit/index.js';
import { catalogueRoutes } from '../catalogue/index.js';
import { certificateFileRoutes, certificateRoutes } from '../certificates/index.js';
import { READING_RETENTION_DAYS_DEFAULT } from '../config/index.js';
import { credentialRoutes, requestLogRoutes, usageRoutes, whoamiRoutes } from '../credentials/index.js';
import { dispatchRoutes } from '../dispatching/index.js';
import { environmentRoutes } from '../environment/index.js';
import { eventRoutes } from '../events/index.js';
import { importRoutes } from '../imports/index.js';
import { labelRoutes } from '../labels/index.js';
import { liveRoutes } from '../live/index.js';
import { grantRoutes } from '../oauth/index.js';
import { orderRoutes } from '../orders/index.js';
import { settingsRoutes } from '../organizations/index.js';
import { overviewRoutes } from '../overview/index.js';
import { type ConsoleOptions, peopleRoutes, signInRoutes } from '../people/index.js';
import type { Database } from '../platform/database/index.js';
import type { Route } from '../platform/http/index.js';
import { qualityRoutes } from '../quality/index.js';
import { recallRoutes } from '../recalls/index.js';
import { receiptRoutes } from '../receiving/index.js';
import { sandboxRoutes } from '../sandboxes/index.js';
import { searchRoutes } from '../search/index.js';
import { inventoryRoutes, stockChangeRoutes, stockRoutes } from '../stock/index.js';
import { traceRoutes } from '../tracing/index.js';
import { type WebhookRouteOptions, webhookRoutes } from '../webhooks/index.js';
import { remedyOf } from './reasons.js';

export interface RouteOptions {
  webhooks: Omit<WebhookRouteOptions, 'database'>;
  console: ConsoleOptions;
  /** Older readings are rejected. */
  readingRetentionDays?: number | undefined;
  /** Monotonic milliseconds. */
  monotonicMs?: () => number;
}

/** Every operation of the interface. */
export const allRoutes = (
  database: Database,
  { webhooks, console, readingRetentionDays = READING_RETENTION_DAYS_DEFAULT, monotonicMs }: RouteOptions,
): Route[] => [
  ...signInRoutes(database, console),
  ...peopleRoutes(database, console),
  ...credentialRoutes(database),
  ...grantRoutes(database),
  ...catalogueRoutes(database),
  ...inventoryRoutes(database),
  ...stockChangeRoutes(database),
  ...stockRoutes(database),
  ...receiptRoutes(database),
  ...orderRoutes(database),
  ...dispatchRoutes(database),
  ...recallRoutes(database),
  ...qualityRoutes(database),
  ...certificateRoutes(database),
  ...certificateFileRoutes(database),
  ...importRoutes(database),
  ...traceRoutes(database),
  ...labelRoutes(database),
  ...environmentRoutes(database, { retentionDays: readingRetentionDays }),
  ...eventRoutes(database),
  ...webhookRoutes({ database, ...webhooks }),
  ...auditRoutes(database),
  ...settingsRoutes(database),
  ...sandboxRoutes(database),
  ...usageRoutes(database),
  ...requestLogRoutes(remedyOf),
  ...overviewRoutes(database, { monotonicMs }),
  ...searchRoutes(database, { monotonicMs }),
  ...liveRoutes(database),
  ...whoamiRoutes(database),
];
