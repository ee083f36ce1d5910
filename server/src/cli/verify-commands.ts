import type { Command } from 'commander';
import { verifyAudit } from '../audit/index.js';
import { listOrganizations, type Organization } from '../organizations/index.js';
import { verifyStock } from '../stock/index.js';
import { organizationOf, wantsJson, withRuntime } from './commands.js';
import { print, UsageError } from './output.js';
import type { Runtime } from './runtime.js';

interface Verdict {
  ok: boolean;
  firstDifference: object | null;
}

export function verifyCommands(program: Command): void {
  program
    .command('audit')
    .description('the audit trail')
    .command('verify')
    .description('check the chain of every organization and name the first broken entry')
    .option('--org <code>', 'only this organization')
    .option('--expect-head <hash>', 'a head noted earlier that must be part of the chain (with --org)')
    .action((options: { org?: string; expectHead?: string }, command: Command) => {
      if (options.expectHead !== undefined && options.org === undefined)
        throw new UsageError('--expect-head needs --org, because each organization has its own chain.');
      return verifyAll(command, options.org, (runtime, organization) =>
        verifyAudit(runtime.database, organization.orgId, options.expectHead),
      );
    });
  program
    .command('stock')
    .description('the stock ledger')
    .command('verify')
    .description('check that every balance is the sum of its movements, and every hold is counted')
    .option('--org <code>', 'only this organization')
    .action((options: { org?: string }, command: Command) =>
      verifyAll(command, options.org, (runtime, organization) =>
        verifyStock(runtime.database, organization.orgId),
      ),
    );
}

/** Prints one result for all organizations; exit code 1 when any check fails. */
async function verifyAll<V extends Verdict>(
  command: Command,
  only: string | undefined,
  verify: (runtime: Runtime, organization: Organization) => Promise<V>,
): Promise<void> {
  const results = await withRuntime(async (runtime) => {
    const chosen =
      only === undefined
        ? await listOrganizations(runtime.database.reader)
        : [await organizationOf(runtime, only)];
    const verdicts = [];
    for (const organization of chosen)
      verdicts.push({ organization: organization.code, ...(await verify(runtime, organization)) });
    return verdicts;
  });
  const broken = results.find((result) => !result.ok);
  const answer = {
    ok: broken === undefined,
    firstDifference: broken ? { organization: broken.organization, ...broken.firstDifference } : null,
    organizations: results,
  };
  print(wantsJson(command), answer, () =>
    results.length === 0
      ? ['There is no organization to check.']
      : results.map((r) =>
          r.ok
            ? `ok      ${r.organization}  ${summary(r)}`
            : `BROKEN  ${r.organization}  ${JSON.stringify(r.firstDifference)}`,
        ),
  );
  if (broken) process.exitCode = 1;
}

function summary(result: object): string {
  const {
    organization: _organization,
    ok: _ok,
    firstDifference: _difference,
    ...figures
  } = result as Record<string, unknown>;
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
