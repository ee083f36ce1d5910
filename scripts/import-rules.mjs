/*
 * Runs the import rules of .dependency-cruiser.cjs over all packages, plus the one rule that tool cannot say:
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

const { modules, violations, rules } = await cruiseCode(values.root);
const findings = new Set(
  violations.map(({ rule, from, to, cycle }) => {
    const trail = cycle === undefined ? [to] : cycle.map(({ name }) => name);
    return `${rule.name}: ${from} → ${trail.join(' → ')}`;
  }),
);
for (const circle of sliceCircles(modules)) findings.add(circle);

const comments = new Map(rules.map(({ name, comment }) => [name, comment]));
for (const finding of [...findings].sort()) console.log(finding);
for (const name of new Set(violations.map(({ rule }) => rule.name))) {
  console.log(`  (${name}: ${comments.get(name)})`);
}

const isOwn = /^(?:(?:server|udi|client|console)\/(?:src|test)|examples)\//;
const own = new Set(modules.map(({ source }) => source).filter((source) => isOwn.test(source))).size;
console.log(`import rules: ${own} modules, ${findings.size} findings`);
if (own < modulesMin)
  console.log(`import rules: expected at least ${modulesMin} modules, so nothing is proven`);
process.exitCode = findings.size > 0 || own < modulesMin ? 1 : 0;
