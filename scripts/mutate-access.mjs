/*
 * Takes away, one by one, every line that keeps callers and organizations apart, and counts how many of them the tests
 * notice. It works in a copy of the tree. Fails when a tenancy line is missed, or more than one in twenty of the rest.
 *
 *   npm run mutate:access -- [--list] [--only TEXT] [--resume] [--results FILE] [--report FILE] [--jobs N] [--limit SECONDS]
 *
 *   --list      only say what would be taken away
 *   --only      those whose group (tenancy, authorization), file, kind or text contains this
 *   --resume    go on from the results of a run that was broken off; what was missed is tried again
 *   --results   where results are kept meanwhile (mutate-access.json in the directory for temporary files)
 *   --report    where to write the outcome, as Markdown
 *   --jobs      how many test files run at a time (2)
 *   --limit     how long one of them may take (300); longer counts as noticed
 */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { equivalents } from './mutate-access/equivalent.mjs';
import { findMutants } from './mutate-access/find-mutants.mjs';
import { judgeLines } from './mutate-access/judge-lines.mjs';
import { isSchema, isStatement, judgeSchema, judgeStatements } from './mutate-access/judge-tenancy.mjs';
import { openCopy } from './mutate-access/private-copy.mjs';
import { isEnough, nameOf, summaryOf } from './mutate-access/report.mjs';
import { openResults } from './mutate-access/results.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: options } = parseArgs({
  options: {
    list: { type: 'boolean' },
    only: { type: 'string', default: '' },
    resume: { type: 'boolean', default: false },
    results: { type: 'string', default: join(tmpdir(), 'mutate-access.json') },
    report: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    limit: { type: 'string', default: '300' },
  },
});

const isEquivalent = ({ file, inLine, was }) =>
  equivalents.find((each) => each.file === file && each.line === inLine && each.was === was);
const all = findMutants(root).map((mutant) => ({ ...mutant, equivalent: isEquivalent(mutant)?.why }));
const chosen = all.filter(({ group, file, kind, was }) =>
  `${group} ${file} ${kind} ${was}`.includes(options.only),
);
if (chosen.length === 0) throw new Error('nothing to take away was found');
const stale = equivalents.filter((each) => !all.some((mutant) => isEquivalent(mutant) === each));
if (stale.length > 0) throw new Error(`not in the code any more: ${stale.map(({ was }) => was).join('; ')}`);

async function run() {
  const limitMs = Number(options.limit) * 1000;
  const results = openResults(root, options.results, options.resume);
  const outcomes = [];
  const settle = (mutant, caught, why = '') => {
    if (caught) results.keepCaught(mutant, caught);
    outcomes.push({ ...mutant, ...caught });
    const word = caught ? 'noticed ' : mutant.equivalent ? 'the same' : 'MISSED  ';
    console.log(`${outcomes.length}/${chosen.length}  ${word}  ${nameOf(mutant)}  ${caught?.by ?? why}`);
  };
  const left = chosen.filter((mutant) => {
    const known = results.caughtBefore(mutant);
    if (known) outcomes.push({ ...mutant, by: known.by, test: known.test });
    return !known;
  });
  const copy = openCopy(root);
  const of = (belongs) => left.filter(belongs);
  const isLine = (mutant) => !isStatement(mutant) && !isSchema(mutant);
  try {
    copy.remove([]);
    await judgeSchema(copy, of(isSchema), limitMs, settle);
    if (of(isStatement).length > 0) await judgeStatements(copy, of(isStatement), limitMs, settle);
    const settings = { jobs: Number(options.jobs), limitMs, results, say: console.log };
    if (of(isLine).length > 0) await judgeLines(copy, of(isLine), all.filter(isLine), settings, settle);
  } finally {
    copy.close();
  }
  return { outcomes, seconds: results.seconds() };
}

if (options.list) {
  for (const mutant of chosen) console.log(nameOf(mutant));
  console.log(`${chosen.length} lines`);
} else {
  const { outcomes, seconds } = await run();
  const summary = summaryOf(outcomes, seconds);
  console.log(`\n${summary}`);
  if (options.report) writeFileSync(options.report, summary);
  process.exitCode = isEnough(outcomes) ? 0 : 1;
}
