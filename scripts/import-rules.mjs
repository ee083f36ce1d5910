/*
 * Runs the import rules of .dependency-cruiser.cjs over the server and udi, plus the one rule that tool cannot say:
 * slices do not depend on each other in a circle, even when no single file does. Fails when it saw fewer
 * modules than there must be: a parser that quietly reads nothing would otherwise approve everything.
 *
 *   node scripts/import-rules.mjs [--root <folder>] [--modules-min <count>]
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cruiseCode, sliceGraph, trailBetween } from './import-rules/slice-graph.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    root: { type: 'string', default: repository },
    'modules-min': { type: 'string', default: '20' },
  },
});
const modulesMin = Number(values['modules-min']);

function sliceCircles(modules) {
  const graph = sliceGraph(modules);
  const found = new Map();
  for (const start of [...graph.keys()].sort()) {
    const circle = trailBetween(graph, start, start);
    if (circle === undefined) continue;
    const members = [...new Set(circle)].sort().join(' ');
    const imports = circle.slice(1).map((to, at) => `    ${graph.get(circle[at]).get(to)}`);
    if (!found.has(members))
      found.set(members, `no-slice-cycles: ${circle.join(' → ')}\n${imports.join('\n')}`);
  }
  return [...found.values()];
}

const { modules, summary } = await cruiseCode(values.root);
const findings = summary.violations.map(({ rule, from, to, cycle }) => {
  const trail = cycle === undefined ? [to] : cycle.map(({ name }) => name);
  return `${rule.name}: ${from} → ${trail.join(' → ')}`;
});
findings.push(...sliceCircles(modules));

const comments = new Map(summary.ruleSetUsed.forbidden.map(({ name, comment }) => [name, comment]));
for (const finding of findings.sort()) console.log(finding);
for (const name of new Set(summary.violations.map(({ rule }) => rule.name))) {
  console.log(`  (${name}: ${comments.get(name)})`);
}

const own = modules.filter(({ source }) => /^(?:server|udi)\/(?:src|test)\//.test(source)).length;
console.log(`import rules: ${own} modules, ${findings.length} findings`);
if (own < modulesMin)
  console.log(`import rules: expected at least ${modulesMin} modules, so nothing is proven`);
process.exitCode = findings.length > 0 || own < modulesMin ? 1 : 0;
