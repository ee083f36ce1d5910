/*
 * `npm run check [-- --report FILE]`: everything short of running the tests of the product: types, rules, and whether documents,
 * examples and generated clients work. All steps run, one line each; the output of a step is shown only when it failed.
 * `--report` writes the tests among them to a file, as JSON.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { AREAS } from './mutate/areas.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => path.join(root, 'node_modules', '.bin', name);

const { values } = parseArgs({ options: { report: { type: 'string' } } });
const report = values.report ? ['--reporter=json', `--outputFile.json=${values.report}`] : [];

const areas = ['access', ...Object.keys(AREAS)].flatMap((area) => ['--area', area]);

const steps = [
  ['types', bin('tsc'), '--noEmit', '-p', 'server/tsconfig.json'],
  ['types of udi', bin('tsc'), '--noEmit', '-p', 'udi/tsconfig.json'],
  ['build of udi', bin('tsc'), '--noEmit', '-p', 'udi/tsconfig.build.json'],
  ['types of client', bin('tsc'), '--noEmit', '-p', 'client/tsconfig.json'],
  ['types of console', bin('tsc'), '--noEmit', '-p', 'console/tsconfig.json'],
  ['format and lint', bin('biome'), 'check', '--error-on-warnings', '--colors=off'],
  ['import rules', process.execPath, 'scripts/import-rules.mjs'],
  ['table owners', process.execPath, 'scripts/table-rules.mjs'],
  ['dead code', bin('knip'), '--no-progress'],
  ['house rules', process.execPath, 'scripts/house-rules.mjs'],
  // Listing fails when a mutant that is excused as equivalent is not in the code any more.
  ['excused mutants', process.execPath, 'scripts/mutate.mjs', '--list', ...areas],
  ['generated files', process.execPath, 'scripts/generated.mjs', '--check'],
  ['documents', bin('vitest'), 'run', '--project=documents', '--reporter=default', ...report],
];

function run([name, command, ...args]) {
  const startedMs = performance.now();
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const passed = result.status === 0;
  console.log(
    `${passed ? 'ok  ' : 'FAIL'}  ${name.padEnd(16)} ${seconds.padStart(5)} s${testsIn(result.stdout)}`,
  );
  if (!passed) {
    const output =
      `${result.stdout ?? ''}${result.stderr ?? ''}`.trimEnd() || String(result.error ?? 'no output');
    console.log(output.replace(/^/gm, '      '));
  }
  return passed;
}

/** How many tests ran, and how many were skipped. */
function testsIn(output) {
  const [, counts] = /^ +Tests +(.*)$/m.exec(stripVTControlCharacters(output ?? '')) ?? [];
  return counts ? `  ${counts}` : '';
}

const failed = steps.filter((step) => !run(step)).map(([name]) => name);
console.log(failed.length === 0 ? 'check: all passed' : `check: failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
