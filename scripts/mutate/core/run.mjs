/* A sample of the mutants of one area of the core, each judged by the tests of the area. */
import { writeFileSync } from 'node:fs';
import { AREAS, sourcesIn, testsIn } from '../areas.mjs';
import { judgeLines } from '../judge-lines.mjs';
import { openCopy } from '../private-copy.mjs';
import { openResults } from '../results.mjs';
import { sampleOf } from '../sample.mjs';
import { equivalents } from './equivalent.mjs';
import { findMutants } from './find-mutants.mjs';
import { isEnough, nameOf, summaryOf } from './report.mjs';

const SAMPLE = 40;

const equivalentOf = ({ file, inLine, was, now }) =>
  equivalents.find(
    (each) => each.file === file && each.line === inLine && each.was === was && (each.now ?? now) === now,
  );

function mutantsOf(root, area, options) {
  const files = sourcesIn(root, AREAS[area].sources);
  const all = findMutants(root, files).map((mutant) => ({
    ...mutant,
    equivalent: equivalentOf(mutant)?.why,
  }));
  const matching = all.filter(({ file, kind, was }) => `${file} ${kind} ${was}`.includes(options.only));
  const stale = equivalents.filter(
    ({ file }, i) => files.includes(file) && !all.some((mutant) => equivalentOf(mutant) === equivalents[i]),
  );
  if (stale.length > 0)
    throw new Error(`not in the code any more: ${stale.map(({ was }) => was).join('; ')}`);
  return {
    all,
    matching,
    chosen: sampleOf(matching, Number(options.sample ?? SAMPLE), Number(options.seed)),
  };
}

async function judgeArea(root, area, options) {
  const { all, matching, chosen } = mutantsOf(root, area, options);
  console.log(`${area}: ${chosen.length} of ${matching.length} mutants`);
  if (options.list) {
    for (const mutant of chosen) console.log(nameOf(mutant));
    return null;
  }
  const results = openResults(root, options.results, options.resume);
  const outcomes = [];
  const settle = (mutant, caught, why = '') => {
    outcomes.push({ ...mutant, ...caught, why });
    const word = caught ? 'killed  ' : mutant.equivalent ? 'same    ' : 'SURVIVED';
    console.log(
      `${area} ${outcomes.length}/${chosen.length}  ${word}  ${nameOf(mutant)}  ${caught?.by ?? why}`,
    );
  };
  const copy = openCopy(root);
  try {
    copy.remove([]);
    const settings = {
      tests: testsIn(root, AREAS[area].tests),
      jobs: Number(options.jobs),
      limitMs: Number(options.limit) * 1000,
      results,
      say: console.log,
    };
    // The reach of a test is noted for all mutants, so that another sample can go on from the same results.
    await judgeLines(copy, chosen, all, settings, settle);
  } finally {
    copy.close();
  }
  return { area, found: matching.length, outcomes, seconds: results.seconds() };
}

/** @returns {Promise<boolean>} whether enough was killed in every area */
export async function runCore(root, areas, options) {
  const judged = [];
  for (const area of areas) {
    const outcome = await judgeArea(root, area, options);
    if (outcome) judged.push(outcome);
  }
  if (options.list) return true;
  const summary = summaryOf(judged);
  console.log(`\n${summary}`);
  if (options.report) writeFileSync(options.report, summary);
  return judged.every(({ outcomes }) => isEnough(outcomes));
}
