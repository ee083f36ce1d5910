export { readDailyRunStates } from './daily-run.store.js';
export { type DailyRunReport, performDailyRun, performDueDailyRuns } from './perform-daily-run.js';
