/*
 * Files that are generated and committed, so that a reader and a diff can see them.
 *
 *   node scripts/generated.mjs           writes them
 *   node scripts/generated.mjs --check   fails when a committed one differs from what would be written
 *
 * A new one: a line in `generators`, and `linguist-generated` in .gitattributes.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

/** Each produces the whole text of one file. */
const generators = [
  { file: 'server/openapi.json', produce: () => outputOf('server/bin/lotward.mjs', 'openapi') },
  { file: 'client/src/generated/api.ts', produce: () => outputOf('scripts/client-types.mjs') },
  { file: 'docs/lotward.postman_collection.json', produce: () => outputOf('scripts/collection.mjs') },
  { file: 'docs/access.md', produce: () => outputOf('scripts/reference.mjs', 'access') },
  { file: 'docs/guides/errors.md', produce: () => outputOf('scripts/reference.mjs', 'errors') },
  { file: 'docs/guides/states.md', produce: () => outputOf('scripts/reference.mjs', 'states') },
  { file: 'docs/guides/events.md', produce: () => outputOf('scripts/reference.mjs', 'events') },
  ...['receipt', 'order', 'dispatch', 'disposition', 'recall', 'certificate'].map((resource) => ({
    file: `docs/guides/states/${resource}.svg`,
    produce: () => outputOf('scripts/state-diagram.mjs', resource),
  })),
];

function outputOf(script, ...args) {
  const run = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 60_000,
  });
  const problem = run.error?.message ?? (run.status === 0 ? undefined : `exit ${run.status}\n${run.stderr}`);
  if (problem !== undefined) throw new Error(`node ${script} ${args.join(' ')}: ${problem}`);
  if (run.stdout.trim() === '') throw new Error(`node ${script} ${args.join(' ')}: printed nothing`);
  return `${run.stdout.trimEnd()}\n`;
}

function firstDifference(committed, produced) {
  const before = committed.split('\n');
  const after = produced.split('\n');
  const at = after.findIndex((line, index) => line !== before[index]);
  const line = at === -1 ? after.length : at;
  return `line ${line + 1}:\n  - ${before[line] ?? '(end)'}\n  + ${after[line] ?? '(end)'}`;
}

/** Why the file fails, or undefined. */
function settle({ file, produce }) {
  const target = path.join(root, file);
  const produced = produce();
  if (!values.check) {
    writeFileSync(target, produced);
    return undefined;
  }
  if (!existsSync(target)) return 'is missing';
  const committed = readFileSync(target, 'utf8');
  return committed === produced ? undefined : `is out of date at ${firstDifference(committed, produced)}`;
}

for (const generator of generators) {
  let problem;
  try {
    problem = settle(generator);
  } catch (error) {
    problem = error.message;
  }
  console.log(`${generator.file}: ${problem ?? (values.check ? 'up to date' : 'written')}`);
  if (problem !== undefined) process.exitCode = 1;
}
if (process.exitCode === 1 && values.check) console.log('run `npm run generate` and commit the result');
