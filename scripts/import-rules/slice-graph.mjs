/** Which slice of the server imports which, as dependency-cruiser sees it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['server/src', 'server/test', 'udi/src', 'udi/test'];

/** Modules of the code under `root` with their imports, judged by .dependency-cruiser.cjs. */
export async function cruiseCode(root) {
  process.chdir(root);
  const options = await extractOptions(path.join(repository, '.dependency-cruiser.cjs'));
  const present = folders.filter((folder) => existsSync(folder));
  const result = await cruise(present, { ...options, validate: true }, options.enhancedResolveOptions, {
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
