import type { Database } from '../platform/database/index.js';
import type { Route } from '../platform/http/index.js';
import { alertRoutes } from './alert.routes.js';
import { pointRoutes } from './point.routes.js';
import { readingRoutes } from './reading.routes.js';
import type { RecordOptions } from './record-readings.js';

export { AlertView, toAlertView } from './alert.schemas.js';
export { listAlerts } from './alert.store.js';
export { readAlertCounts, readAlertMark, readUnacknowledgedAlerts } from './alert-overview.store.js';
export { alertRows } from './alert-rows.js';
export { environmentReasons } from './environment.errors.js';
export { keepReadings } from './keep-readings.js';
export { openReadingIntake } from './mqtt/index.js';
export { readIntakeCounts } from './mqtt/intake-counts.store.js';
export type { PointInput } from './point.rules.js';
export { findPointIds } from './point.store.js';
export { putPoint } from './put-point.js';
export type { NewReading } from './reading.js';
export { recordReadings } from './record-readings.js';

export const environmentRoutes = (database: Database, options: RecordOptions): Route[] => [
  ...pointRoutes(database),
  ...readingRoutes(options),
  ...alertRoutes(database),
];
