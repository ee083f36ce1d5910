/*
 * Takes away, one by one, every line that keeps callers and organizations apart, and counts how many of them the tests
 * notice. It works in a copy of the tree. Fails when a tenancy line is missed, or more than one in twenty of the rest.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testsIn } from '../areas.mjs';
import { groupedBy } from '../grouped.mjs';
import { judgeLines } from '../judge-lines.mjs';
import { openCopy } from '../private-copy.mjs';
import { openResults } from '../results.mjs';
import { sampleOf } from '../sample.mjs';
import { equivalents } from './equivalent.mjs';
import { findMutants } from './find-mutants.mjs';
import { isSchema, isStatement, judgeSchema, judgeStatements } from './judge-tenancy.mjs';
import { isEnough, nameOf, summaryOf } from './report.mjs';

const TENANCY = 'server/test/tenancy';
const ACCESS = ['server/test/access', 'server/test/http', 'server/test/live', TENANCY];
/** A sample of every kind of route: a line shared by all routes is covered by any of them. */
const SOME_ROUTES =
  'GET /v2/products,POST /v2/stock/holds,GET /v2/whoami,DELETE /v2/session,POST /v2/settings/keys';

const isEquivalent = ({ file, inLine, was }) =>
  equivalents.find((each) => each.file === file && each.line === inLine && each.was === was);

const hasTests = (root, folder) => readdirSync(join(root, folder)).some((name) => name.endsWith('.test.ts'));

function testsAbout(root, mutants) {
  const isTenancy = mutants.every(({ group }) => group === 'tenancy');
  const beside = mutants.map(({ file }) => file.slice(0, file.lastIndexOf('/')));
  const places = isTenancy ? [TENANCY] : [...ACCESS, ...beside.filter((folder) => hasTests(root, folder))];
  return testsIn(
    root,
    places.map((place) => `${place}/`),
  );
}

function chooseMutants(root, { only, sample, seed }) {
  const all = findMutants(root).map((mutant) => ({ ...mutant, equivalent: isEquivalent(mutant)?.why }));
  const matching = all.filter(({ group, file, kind, was }) =>
    `${group} ${file} ${kind} ${was}`.includes(only),
  );
  const { tenancy = [], authorization = [] } = Object.fromEntries(groupedBy(matching, ({ group }) => group));
  const size = sample === undefined ? authorization.length : Number(sample);
  const chosen = [...tenancy, ...sampleOf(authorization, size, Number(seed))];
  if (chosen.length === 0) throw new Error('nothing to take away was found');
  const stale = equivalents.filter((each) => !all.some((mutant) => isEquivalent(mutant) === each));
  if (stale.length > 0)
    throw new Error(`not in the code any more: ${stale.map(({ was }) => was).join('; ')}`);
  return { all, chosen };
}

async function judge(root, { all, chosen }, options) {
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
    if (of(isLine).length > 0) {
      process.env.LOTWARD_MATRIX_ROUTES = SOME_ROUTES;
      const tests = testsAbout(copy.path, of(isLine));
      const settings = { tests, jobs: Number(options.jobs), limitMs, results, say: console.log };
      await judgeLines(copy, of(isLine), all.filter(isLine), settings, settle);
    }
  } finally {
    copy.close();
  }
  return { outcomes, seconds: results.seconds() };
}

/** @returns {Promise<boolean>} whether enough was noticed */
export async function runAccess(root, options) {
  const mutants = chooseMutants(root, options);
  if (options.list) {
    for (const mutant of mutants.chosen) console.log(nameOf(mutant));
    console.log(`${mutants.chosen.length} lines`);
    return true;
  }
  const { outcomes, seconds } = await judge(root, mutants, options);
  const summary = summaryOf(outcomes, seconds);
  console.log(`\n${summary}`);
  if (options.report) writeFileSync(options.report, summary);
  return isEnough(outcomes);
}
