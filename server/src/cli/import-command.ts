import type { Command } from 'commander';
import { IMPORT_KINDS, type ImportKind } from '../imports/index.js';
import { organizationOf, transactFor, wantsJson, withRuntime } from './commands.js';
import { type ImportReport, importFile } from './import-file.js';
import { print } from './output.js';
import { progressOn } from './progress.js';

const ROWS_SHOWN_MAX = 20;

interface Options {
  org: string;
  partial?: boolean;
}

export function importCommands(program: Command): void {
  const group = program
    .command('import')
    .description('import products, partners, certificates and opening stock from CSV files');
  for (const kind of IMPORT_KINDS) {
    group
      .command(commandOf(kind))
      .description(
        kind.name === 'opening_stock'
          ? 'add the first stock of batches; all rows or none'
          : `create or replace ${kind.name}, by ${kind.codeColumn}; all rows or none`,
      )
      .argument(
        '<file>',
        'CSV in UTF-8, UTF-16 or GB18030 with a header row; columns are the fields of the API',
      )
      .requiredOption('--org <code>')
      .option('--partial', 'write the valid rows even if others are refused')
      .action((file: string, options: Options, command: Command) => run(kind, file, options, command));
  }
}

/** `opening-stock`: commands use hyphens. */
const commandOf = ({ name }: ImportKind): string => name.replaceAll('_', '-');

async function run(kind: ImportKind, file: string, options: Options, command: Command): Promise<void> {
  const progress = progressOn(process.stderr);
  const report = await withRuntime(async (runtime) => {
    const organization = await organizationOf(runtime, options.org);
    return importFile({
      kind,
      file,
      partial: options.partial === true,
      transact: (work) => transactFor(runtime, organization, work),
      onProgress: progress.at,
    });
  }).finally(progress.end);
  print(wantsJson(command), report, () => describe(kind, report));
  if (report.refused > 0) process.exitCode = 1;
}

function describe(
  kind: ImportKind,
  { created, updated, refused, rows, written, encoding }: ImportReport,
): string[] {
  const name = commandOf(kind);
  const count = (value: number) => value.toLocaleString('en-US');
  const shown = rows.slice(0, ROWS_SHOWN_MAX);
  return [
    ...(encoding === 'UTF-8' ? [] : [`The file was read as ${encoding}.`]),
    written || refused === 0
      ? `${name}: ${count(created)} created, ${count(updated)} updated, ${count(refused)} refused.`
      : `${name}: nothing was written, ${count(refused)} ${refused === 1 ? 'row was' : 'rows were'} refused:`,
    ...shown.map(
      ({ line, path, reason, message }) =>
        `  line ${line}${path === null ? '' : `, ${path}`}: ${message} (${reason})`,
    ),
    ...(rows.length > shown.length
      ? [`  and ${count(rows.length - shown.length)} more; --json lists them all`]
      : []),
  ];
}
