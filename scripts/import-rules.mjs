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

const isOwn = /^(?:(?:server|udi|client|console)\/(?:src|test)|examples)\//;

/** The verdict on the tree under `root`: the lines to print, and the exit code. */
export async function checkImports(root, { modulesMin }) {
  const { modules, violations, rules } = await cruiseCode(root);
  const findings = new Set(
    violations.map(({ rule, from, to, cycle }) => {
      const trail = cycle === undefined ? [to] : cycle.map(({ name }) => name);
      return `${rule.name}: ${from} → ${trail.join(' → ')}`;
    }),
  );
  for (const circle of sliceCircles(modules)) findings.add(circle);

  const comments = new Map(rules.map(({ name, comment }) => [name, comment]));
  const lines = [...findings].sort().flatMap((finding) => finding.split('\n'));
  for (const name of new Set(violations.map(({ rule }) => rule.name)))
    lines.push(`  (${name}: ${comments.get(name)})`);
  const own = new Set(modules.map(({ source }) => source).filter((source) => isOwn.test(source))).size;
  lines.push(`import rules: ${own} modules, ${findings.size} findings`);
  if (own < modulesMin)
    lines.push(`import rules: expected at least ${modulesMin} modules, so nothing is proven`);
  return { lines, code: findings.size > 0 || own < modulesMin ? 1 : 0 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      root: { type: 'string', default: repository },
      'modules-min': { type: 'string', default: '20' },
    },
  });
  const { lines, code } = await checkImports(values.root, { modulesMin: Number(values['modules-min']) });
  console.log(lines.join('\n'));
  process.exitCode = code;
}
