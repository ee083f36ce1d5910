export { readOrganizationDays } from './daily-run.store.js';
export { type DayReport, runDay, runDueDays } from './run-day.js';
