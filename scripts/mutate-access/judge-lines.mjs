/*
 * Lines of code: all tests of the area run once with nothing taken away, noting for which lines the code would have gone
 * another way. Only those can notice that the line is gone; they are tried for it, the quickest first.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openRunner } from './runners.mjs';

const TENANCY = 'server/test/tenancy';
const ACCESS = ['server/test/access', 'server/test/http', 'server/test/live', TENANCY];
/** Of every kind of route some: lines that hold for all routes are noticed by any. */
const SOME_ROUTES =
  'GET /v2/products,POST /v2/stock/holds,GET /v2/whoami,DELETE /v2/session,POST /v2/settings/keys';

function testsAbout(root, mutants) {
  const beside = mutants.map(({ file }) => dirname(file));
  const isTenancy = mutants.every(({ group }) => group === 'tenancy');
  const directories = isTenancy ? [TENANCY] : [...new Set([...ACCESS, ...beside])];
  return directories.flatMap((directory) =>
    readdirSync(join(root, directory))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${directory}/${name}`),
  );
}

/** As many at a time as there are runners. */
async function shareOut(runners, tasks, work) {
  const left = tasks[Symbol.iterator]();
  await Promise.all(
    runners.map(async (runner) => {
      for (const task of left) await work(runner, task);
    }),
  );
}

export async function judgeLines(copy, mutants, all, { jobs, limitMs, results, say }, settle) {
  process.env.LOTWARD_MATRIX_ROUTES = SOME_ROUTES;
  const runners = Array.from({ length: jobs }, () =>
    openRunner({ root: copy.path, mutants: all, stopAtFirst: true, limitMs }),
  );
  const reach = await findReach(copy, runners, mutants, all, results, say);
  await shareOut(runners, mutants, async (runner, mutant) => {
    const tests = reach.filter(({ ids }) => ids.has(mutant.id)).sort((a, b) => a.seconds - b.seconds);
    for (const { test } of tests) {
      const { failed } = await runner.run({ files: [test], gone: mutant.id });
      if (failed.length === 0) continue;
      settle(mutant, { by: failed[0], test });
      return;
    }
    settle(mutant, null, tests.length === 0 ? 'no test gets there' : `not by ${tests.length} test files`);
  });
  await Promise.all(runners.map((runner) => runner.close()));
}

async function findReach(copy, runners, mutants, all, results, say) {
  const tests = testsAbout(copy.path, mutants);
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
