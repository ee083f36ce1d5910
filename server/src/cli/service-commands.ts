import type { Command } from 'commander';
import { wantsJson, withRuntime } from './commands.js';
import { print } from './output.js';

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
    .action(async (_options: object, command: Command) => {
      // Opening the database migrates it.
      await withRuntime(async () => {});
      print(wantsJson(command), { ok: true }, () => ['The database is up to date.']);
    });
}
