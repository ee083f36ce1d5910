/*
 * Runs the import rules of .dependency-cruiser.cjs over the server and udi, plus the one rule that tool cannot say:
 * slices do not depend on each other in a circle, even when no single file does. Fails when it saw fewer
 * modules than there must be: a parser that quietly reads nothing would otherwise approve everything.
 *
 *   node scripts/import-rules.mjs [--root <folder>] [--modules-min <count>]
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const repository = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    root: { type: 'string', default: repository },
    'modules-min': { type: 'string', default: '20' },
  },
});
const modulesMin = Number(values['modules-min']);

async function cruiseCode() {
  process.chdir(values.root);
  const options = await extractOptions(path.join(repository, '.dependency-cruiser.cjs'));
  const folders = ['server/src', 'server/test', 'udi/src', 'udi/test'].filter((folder) => existsSync(folder));
  const result = await cruise(folders, { ...options, validate: true }, options.enhancedResolveOptions, {
    tsConfig: extractTsConfig(options.tsConfig.fileName),
  });
  return result.output;
}

const rooms = new Set(['app', 'cli', 'config', 'platform']);
const isTest = (file) => file.endsWith('.test.ts') || file.startsWith('server/test/');

function sliceOf(file) {
  const name = /^server\/src\/([^/]+)\//.exec(file)?.[1];
  return name === undefined || rooms.has(name) || isTest(file) ? undefined : name;
}

/** slice → other slice → one import that makes the dependency, for the message. */
function sliceGraph(modules) {
  const graph = new Map();
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      const from = sliceOf(source);
      const to = sliceOf(resolved);
      if (from === undefined || to === undefined || from === to) continue;
      if (!graph.has(from)) graph.set(from, new Map());
      if (!graph.get(from).has(to)) graph.get(from).set(to, `${source} → ${resolved}`);
    }
  }
  return graph;
}

/** The shortest way from a slice back to itself, or undefined. */
function circleThrough(graph, start) {
  const queue = [[start]];
  const seen = new Set();
  for (let trail = queue.shift(); trail !== undefined; trail = queue.shift()) {
    for (const next of graph.get(trail.at(-1))?.keys() ?? []) {
      if (next === start) return [...trail, start];
      if (!seen.has(next)) queue.push([...trail, next]);
      seen.add(next);
    }
  }
  return undefined;
}

function sliceCircles(modules) {
  const graph = sliceGraph(modules);
  const found = new Map();
  for (const start of [...graph.keys()].sort()) {
    const circle = circleThrough(graph, start);
    if (circle === undefined) continue;
    const members = [...new Set(circle)].sort().join(' ');
    const imports = circle.slice(1).map((to, at) => `    ${graph.get(circle[at]).get(to)}`);
    if (!found.has(members))
      found.set(members, `no-slice-cycles: ${circle.join(' → ')}\n${imports.join('\n')}`);
  }
  return [...found.values()];
}

const { modules, summary } = await cruiseCode();
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
