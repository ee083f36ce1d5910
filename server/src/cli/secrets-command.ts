import type { Command } from 'commander';
import { describeLost, reportAllSeals, resealAll } from '../app/seals.js';
import type { SealReport } from '../platform/sealed-rows/index.js';
import { wantsJson, withRuntime } from './commands.js';
import { print, say, table } from './output.js';
import type { Runtime } from './runtime.js';

export function secretsCommand(program: Command): void {
  program
    .command('secrets')
    .description('secrets that are stored sealed')
    .command('reseal')
    .description(
      'seal everything again under the newest key of LOTWARD_SECRET_KEY; the service can keep running',
    )
    .option('--dry-run', 'only count')
    .action(async (options: { dryRun?: boolean }, command: Command) => {
      const answer = await withRuntime((runtime) => reseal(runtime, options.dryRun === true));
      print(wantsJson(command), answer, () => describe(answer));
      if (!answer.ok) process.exitCode = 1;
    });
}

interface ResealAnswer {
  /** No seal remains that only an older key opens, or none. */
  ok: boolean;
  dryRun: boolean;
  resealed: Record<string, number>;
  seals: SealReport[];
}

async function reseal(runtime: Runtime, dryRun: boolean): Promise<ResealAnswer> {
  const resealed: Record<string, number> = {};
  if (!dryRun) {
    const onBatch = (kind: string, count: number) => say(`${kind}: ${count} sealed again`);
    for (const each of await resealAll(runtime, { onBatch })) resealed[each.kind] = each.resealed;
  }
  const seals = await reportAllSeals(runtime);
  const ok = seals.every(({ state }) => (dryRun ? state !== 'lost' : state === 'current'));
  return { ok, dryRun, resealed, seals };
}

function describe({ ok, dryRun, resealed, seals }: ResealAnswer): string[] {
  const rows = seals.map(({ kind, keyId, count, state }) => [kind, keyId, String(count), state]);
  const total = Object.values(resealed).reduce((sum, count) => sum + count, 0);
  return [
    ...table(['KIND', 'KEY', 'SEALS', 'STATE'], rows),
    ...(dryRun ? [] : [`${total} rows were sealed again.`]),
    ...describeLost(seals),
    ...(dryRun || !ok
      ? []
      : ['Everything is sealed under the newest key: older ones can be removed from LOTWARD_SECRET_KEY.']),
    ...(seals.some(({ state }) => state === 'stale') && !dryRun
      ? [
          'Some seals are still stale, because their rows changed meanwhile or cannot be opened. Run the command again.',
        ]
      : []),
  ];
}
