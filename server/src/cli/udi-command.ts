import { readUdi } from '@lotward/udi';
import type { Command } from 'commander';
import { dayIn } from '../platform/calendar/index.js';
import { systemClock } from '../platform/clock/index.js';
import { wantsJson } from './commands.js';
import { print } from './output.js';

export function udiCommand(program: Command): void {
  program
    .command('udi')
    .description('UDI codes')
    .command('read')
    .description('decode a UDI code; needs no database')
    .argument('<code>', 'the code, in quotes; a Digital Link, HIBC or ISBT 128 too')
    .action((code: string, _options: object, command: Command) => {
      const reading = readUdi(code, { today: dayIn('UTC', systemClock.now()) });
      if (!reading.ok) {
        const { reason, position, message } = reading.failure;
        print(wantsJson(command), reading, () => [`${reason} at position ${position}: ${message}`]);
        process.exitCode = 1;
        return;
      }
      const { other, ...fields } = reading.udi;
      print(wantsJson(command), reading, () =>
        [...Object.entries(fields), ...Object.entries(other)]
          .filter(([, value]) => value !== null)
          .map(([name, value]) => `${name.padEnd(18)}${value}`),
      );
    });
}
