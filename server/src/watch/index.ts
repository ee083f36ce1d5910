export { readDailyRunStates } from './daily-run.store.js';
export {
  type DailyRunOptions,
  type DailyRunReport,
  performDailyRun,
  performDailyRunIn,
  performDueDailyRuns,
} from './perform-daily-run.js';
