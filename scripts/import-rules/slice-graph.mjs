/** Which slice of the server imports which, as dependency-cruiser sees it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const repository = fileURLToPath(new URL('../..', import.meta.url));

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

/** Modules of the code under `root` with their imports, and where they break .dependency-cruiser.cjs. */
export async function cruiseCode(root) {
  const options = await extractOptions(path.join(repository, '.dependency-cruiser.cjs'));
  const results = [];
  const before = process.cwd();
  process.chdir(root);
  try {
    for (const group of groups) results.push(await cruiseGroup(group, options));
  } finally {
    process.chdir(before);
  }
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
export function sliceGraph(modules) {
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

/** The shortest trail of imports from one slice to another, or undefined. A slice reaches itself only in a circle. */
export function trailBetween(graph, start, end) {
  const queue = [[start]];
  const seen = new Set();
  for (let trail = queue.shift(); trail !== undefined; trail = queue.shift()) {
    for (const next of graph.get(trail.at(-1))?.keys() ?? []) {
      if (next === end) return [...trail, end];
      if (!seen.has(next)) queue.push([...trail, next]);
      seen.add(next);
    }
  }
  return undefined;
}
