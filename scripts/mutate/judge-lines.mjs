/*
 * Mutants of code: all tests of an area run once with nothing changed, noting which mutants they reach. Only those can
 * notice the mutant; they are tried for it, the quickest first.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openRunner } from './runners.mjs';

/** As many at a time as there are runners. */
async function shareOut(runners, tasks, work) {
  const left = tasks[Symbol.iterator]();
  await Promise.all(
    runners.map(async (runner) => {
      for (const task of left) await work(runner, task);
    }),
  );
}

export async function judgeLines(copy, mutants, all, { tests, jobs, limitMs, results, say }, settle) {
  const runners = Array.from({ length: jobs }, () =>
    openRunner({ root: copy.path, mutants: all, stopAtFirst: true, limitMs }),
  );
  const reach = await findReach(copy, runners, tests, all, results, say);
  await shareOut(runners, mutants, async (runner, mutant) => {
    const able = reach.filter(({ ids }) => ids.has(mutant.id)).sort((a, b) => a.seconds - b.seconds);
    for (const { test } of able) {
      const { failed } = await runner.run({ files: [test], gone: mutant.id });
      if (failed.length === 0) continue;
      settle(mutant, { by: failed[0], test });
      return;
    }
    settle(mutant, null, able.length === 0 ? 'no test gets there' : `not by ${able.length} test files`);
  });
  await Promise.all(runners.map((runner) => runner.close()));
}

async function findReach(copy, runners, tests, all, results, say) {
  const files = [...new Set(all.map(({ file }) => file))];
  const reach = [];
  let count = 0;
  await shareOut(runners, tests, async (runner, test) => {
    const known = results.reachOf(test, files);
    const found = known ?? (await runOnce(copy, runner, test));
    if (!known) results.keepReach(test, files, found);
    say(`${++count}/${tests.length}  ${found.seconds.toFixed(1)} s  ${found.ids.length} lines  ${test}`);
    if (found.failed) say(`left out, because it fails with nothing taken away: ${test}: ${found.failed}`);
    else reach.push({ test, seconds: found.seconds, ids: new Set(found.ids) });
  });
  return reach;
}

async function runOnce(copy, runner, test) {
  const notes = join(copy.path, `seen-${test.replaceAll('/', '-')}.txt`);
  rmSync(notes, { force: true });
  const started = performance.now();
  const { failed, ran } = await runner.run({ files: [test], notes });
  const seconds = (performance.now() - started) / 1000;
  return { seconds, ids: linesOf(notes), failed: failed[0] ?? (ran === 0 ? 'nothing ran' : null) };
}

function linesOf(file) {
  try {
    return [...new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))];
  } catch {
    return [];
  }
}
