import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { demoPeople, simulateStep } from '../demo/index.js';
import { ApiError } from '../platform/errors/index.js';
import { organizationOf, withRuntime } from './commands.js';
import { say, UsageError } from './output.js';

export function simulateCommand(program: Command): void {
  program
    .command('simulate')
    .description(
      'keep the demo organization busy: receipts, orders, approvals, dispatches, readings of its sensors',
    )
    .option('--rate <rate>', 'steps a second', '2/s')
    .option('--seconds <n>', 'stop after this many seconds; by default it runs until stopped')
    .action(async (options: { rate: string; seconds?: string }) => {
      const perSecond = Number(/^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(options.rate)?.[1]);
      if (!(perSecond > 0 && perSecond <= 200))
        throw new UsageError(`--rate takes up to 200 steps a second, such as 5/s, not "${options.rate}".`);
      const seconds = options.seconds === undefined ? Number.POSITIVE_INFINITY : Number(options.seconds);
      if (!(seconds > 0)) throw new UsageError('--seconds takes a number above 0.');
      await simulate(perSecond, seconds);
    });
}

async function simulate(perSecond: number, seconds: number): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await withRuntime(async (runtime) => {
    const people = demoPeople(await organizationOf(runtime, 'demo'));
    say(
      `Simulating ${perSecond} steps a second${Number.isFinite(seconds) ? ` for ${seconds} s` : '; press Ctrl-C to stop'}.`,
    );
    const endsAt = performance.now() + seconds * 1000;
    for (let n = 0; !stop.signal.aborted && performance.now() < endsAt; n++) {
      const done = await simulateStep(
        runtime.database,
        people,
        Math.random,
        `${Date.now().toString(36)}${n}`,
      ).catch(refused);
      process.stdout.write(`${done}\n`);
      await pause(1000 / perSecond, undefined, { signal: stop.signal }).catch(() => {});
    }
  });
}

/** A refusal is business as usual (no stock, a product on hold); anything else ends the simulation. */
function refused(error: unknown): string {
  if (error instanceof ApiError && error.kind === 'invalid') return `refused: ${error.message}`;
  throw error;
}
