import { Command, CommanderError } from 'commander';
import { clientCommands } from './cli/client-commands.js';
import { dailyCommand } from './cli/daily-command.js';
import { demoCommand } from './cli/demo-command.js';
import { doctorCommand } from './cli/doctor-command.js';
import { importCommands } from './cli/import-command.js';
import { keyCommands } from './cli/key-commands.js';
import { openApiCommand } from './cli/openapi-command.js';
import { organizationCommands } from './cli/organization-commands.js';
import { explain } from './cli/output.js';
import { secretsCommand } from './cli/secrets-command.js';
import { serviceCommands } from './cli/service-commands.js';
import { simulateCommand } from './cli/simulate-command.js';
import { udiCommand } from './cli/udi-command.js';
import { userCommands } from './cli/user-commands.js';
import { verifyCommands } from './cli/verify-commands.js';
import { webhookCommand } from './cli/webhook-command.js';
import { packageVersion } from './platform/package-directory.js';

/** All commands, in the order of the help. */
export function registerCommands(program: Command): void {
  serviceCommands(program);
  organizationCommands(program);
  userCommands(program);
  keyCommands(program);
  clientCommands(program);
  dailyCommand(program);
  verifyCommands(program);
  doctorCommand(program);
  secretsCommand(program);
  webhookCommand(program);
  simulateCommand(program);
  udiCommand(program);
  openApiCommand(program);
  importCommands(program);
  demoCommand(program);
}

/** The command line. Every command works next to a running server and, on the embedded database, without one. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('lotward')
    .description('Medical-device supply chain: stock, orders, traces, certificates and access.')
    .version(packageVersion, '-V, --version', 'print the version of this installation')
    .option('--json', 'print one JSON object for scripts')
    .showHelpAfterError('(add --help for usage)')
    .addHelpText(
      'after',
      `
First steps:
  lotward start                      run the API on http://127.0.0.1:8080 with its own database
  lotward org create --code acme --name "Acme Medical"
  lotward import products catalogue.csv --org acme
  lotward key create --org acme --name erp --scope products:read,inventory:read --owner you@acme.example

Settings come from the environment (PORT, DATABASE_URL, LOTWARD_DATA_DIR, …); see docs/guides/running.md.`,
    );
  program.exitOverride();
  registerCommands(program);
  for (const command of every(program)) {
    command.exitOverride();
    if (command !== program) command.option('--json', 'print one JSON object for scripts');
  }
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
      return;
    }
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

const every = (command: Command): Command[] => [command, ...command.commands.flatMap(every)];
