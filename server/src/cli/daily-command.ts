import type { Command } from 'commander';
import { isCalendarDate } from '../platform/calendar/index.js';
import { businessDay } from '../platform/principal.js';
import { type DailyRunReport, performDailyRun, readDailyRunStates } from '../watch/index.js';
import { organizationOf, wantsJson, withRuntime } from './commands.js';
import { addressOf } from './greeting.js';
import { print, UsageError } from './output.js';
import type { Runtime } from './runtime.js';

interface Options {
  asOf?: string;
  org?: string;
  force?: boolean;
}

export function dailyCommand(program: Command): void {
  program
    .command('daily')
    .description('perform the daily run now: notify of certificates, near expiry and low stock, once each')
    .option('--as-of <date>', 'as on this day, YYYY-MM-DD (default: today where each organization is)')
    .option('--org <code>', 'only this organization')
    .option(
      '--force',
      'allow a future date on an external database: notifications due by then are really sent',
    )
    .action(async (options: Options, command: Command) => {
      if (options.asOf !== undefined && !isCalendarDate(options.asOf))
        throw new UsageError(`"${options.asOf}" is not a date; write YYYY-MM-DD.`);
      const organizations = await withRuntime((runtime) => runAll(runtime, options), {
        requireSameTime: true,
      });
      print(wantsJson(command), { organizations }, () => organizations.flatMap(describe));
    });
}

async function runAll(runtime: Runtime, { asOf, org, force }: Options): Promise<DailyRunReport[]> {
  const { database, config } = runtime;
  const only = org === undefined ? null : (await organizationOf(runtime, org)).orgId;
  const chosen = (await readDailyRunStates(database.worker)).filter(
    ({ orgId }) => only === null || orgId === only,
  );
  const ahead = chosen.some((each) => (asOf ?? '') > businessDay(each, database.clock.now()));
  if (ahead && !config.isEmbedded && !force)
    throw new UsageError(
      `${asOf} is in the future: notifications due by then would be sent to real partners. Add --force to send them.`,
    );
  const reports: DailyRunReport[] = [];
  for (const each of chosen)
    reports.push(await performDailyRun(database, each, { asOf, consoleUrl: addressOf(config, config.port) }));
  return reports;
}

function describe({ organization, day, emitted }: DailyRunReport): string[] {
  const notifications = Object.entries(emitted).flatMap(([type, about]) =>
    about.map((each) => `  ${type}  ${each}`),
  );
  return [
    `${organization}, ${day}: ${notifications.length === 0 ? 'no notifications' : `${notifications.length} notifications`}`,
    ...notifications,
  ];
}
