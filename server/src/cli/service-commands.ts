import type { Command } from 'commander';
import { ROLE_SETTINGS, readConfig } from '../config/index.js';
import { ROLE_KINDS } from '../platform/database/index.js';
import { wantsJson } from './commands.js';
import { print, say } from './output.js';
import { migrateDatabase } from './runtime.js';

const SELF_SIGNED = ['--self-signed', 'serve https with a certificate made for development'] as const;

export function serviceCommands(program: Command): void {
  program
    .command('start')
    .description('run everything: the API and the background work')
    .option(...SELF_SIGNED)
    .action(async (options: { selfSigned?: boolean }) =>
      (await import('./start.js')).start(['api', 'worker'], options),
    );
  program
    .command('api')
    .description('run only the API; any number can run at once')
    .option(...SELF_SIGNED)
    .action(async (options: { selfSigned?: boolean }) =>
      (await import('./start.js')).start(['api'], options),
    );
  program
    .command('worker')
    .description('run only the background work; any number can run at once')
    .action(async () => (await import('./start.js')).start(['worker'], {}));
  program
    .command('migrate')
    .description('bring the database up to date and stop')
    .option('--show-urls', 'print the logins of the three database roles, which are secrets')
    .option('--distribute', 'spread the rows of a database on a Citus cluster over its nodes')
    .action(async (options: { showUrls?: boolean; distribute?: boolean }, command: Command) => {
      const { distribute = false } = options;
      const urls = await migrateDatabase(readConfig(), say, { distribute });
      if (distribute)
        say('All rows are distributed. Run "lotward stock verify" and "lotward audit verify" to check them.');
      const shown = ROLE_KINDS.map((kind) => [ROLE_SETTINGS[kind], urls[kind]] as const);
      const answer = { ok: true, ...(options.showUrls ? { urls: Object.fromEntries(shown) } : {}) };
      print(wantsJson(command), answer, () =>
        options.showUrls ? shown.map(([name, url]) => `${name}='${url}'`) : ['The database is up to date.'],
      );
    });
}
