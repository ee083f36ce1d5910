import type { Command } from 'commander';
import { readConfig } from '../config/index.js';
import type { Examination } from '../platform/database/index.js';
import { wantsJson } from './commands.js';
import { findProblems } from './doctor.rules.js';
import { print, say, table } from './output.js';
import { examineDatabase } from './runtime.js';

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('inspect the database and report problems, without changing anything')
    .action(async (_options: object, command: Command) => {
      const examination = await examineDatabase(readConfig(), say);
      const problems = findProblems(examination);
      print(wantsJson(command), { ok: problems.length === 0, problems, ...examination }, () => [
        ...describe(examination),
        ...(problems.length === 0
          ? ['No problems found.']
          : problems.map((problem) => `PROBLEM  ${problem}`)),
      ]);
      if (problems.length > 0) process.exitCode = 1;
    });
}

const MIB = 2 ** 20;
const size = (bytes: number | null) => (bytes === null ? 'unknown' : `${(bytes / MIB).toFixed(1)} MiB`);

function describe({ server, cluster }: Examination): string[] {
  if (!cluster) return [`PostgreSQL ${server}, on one server.`];
  const { nodes, distributed, plain, largestGroup } = cluster;
  return [
    `PostgreSQL ${server}, ${cluster.version}`,
    `${distributed} of ${distributed + plain.length} tables of organizations are distributed.`,
    ...table(
      ['node', 'state', 'shards', 'rows and indexes'],
      nodes.map((node) => [
        `${node.host}:${node.port}`,
        node.isReachable ? 'reachable' : 'away',
        String(node.shards),
        size(node.bytes),
      ]),
    ),
    ...(largestGroup
      ? [`Largest group: ${largestGroup.organizations} organizations, ${size(largestGroup.bytes)}.`]
      : []),
  ];
}
