/*
 * Runs the import rules of .dependency-cruiser.cjs over all packages, plus the one rule that tool cannot say:
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

/** Folders that are read with the settings of one package: code for Node, and code for browsers. */
const groups = [
  { tsConfig: 'server/tsconfig.json', folders: ['server/src', 'server/test', 'udi/src', 'udi/test'] },
  {
    tsConfig: 'console/tsconfig.json',
    folders: ['client/src', 'client/test', 'console/src', 'console/test', 'examples'],
    // Tests of the console reach into the server, which the first group has read.
    doNotFollow: '^server/',
  },
];

async function cruiseGroup({ tsConfig, folders, doNotFollow = '(?!)' }, options) {
  const found = folders.filter((folder) => existsSync(folder));
  if (found.length === 0) return { modules: [], violations: [], rules: [] };
  const settings = {
    ...options,
    validate: true,
    doNotFollow: { path: ['node_modules', doNotFollow] },
    tsConfig: { fileName: path.join(repository, tsConfig) },
  };
  const { output } = await cruise(found, settings, options.enhancedResolveOptions, {
    tsConfig: extractTsConfig(settings.tsConfig.fileName),
  });
  const { modules, summary } = output;
  return { modules, violations: summary.violations, rules: summary.ruleSetUsed.forbidden };
}

async function cruiseCode() {
  process.chdir(values.root);
  const options = await extractOptions(path.join(repository, '.dependency-cruiser.cjs'));
  const results = [];
  for (const group of groups) results.push(await cruiseGroup(group, options));
  return {
    modules: results.flatMap(({ modules }) => modules),
    violations: results.flatMap(({ violations }) => violations),
    rules: results.flatMap(({ rules }) => rules),
  };
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

const { modules, violations, rules } = await cruiseCode();
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
