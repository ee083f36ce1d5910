import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Measures in real time: it runs by itself, after all others. */
const quiet = ['server/test/neighbours/*.test.ts'];
const notOurs = ['**/node_modules/**', '**/dist/**'];

/** Sees what the server does when it is loaded, so it needs a process that has not loaded it. */
const ofLoading = ['server/test/tenancy/statements.test.ts'];

/** Documents, examples, generated clients and rules, beside the product: `npm run check` runs them. */
const documents = [
  'server/test/docs/*.test.ts',
  'server/test/house/*.test.ts',
  'server/test/client/{examples,generated-clients,package}.test.ts',
];

/**
 * Tests run the compiled files of the server, which the setup has built: loading hundreds of sources through the test runner takes
 * every worker seconds, and they run slower.
 */
const sources = join(import.meta.dirname, 'server/src');
const compiled = join(import.meta.dirname, 'server/dist');
const compiledServer: Plugin = {
  name: 'compiled-server',
  enforce: 'pre',
  resolveId(id, importer) {
    if (!importer || !id.startsWith('.')) return null;
    const path = resolve(dirname(importer), id);
    if (!path.startsWith(`${sources}/`)) return null;
    const file = join(compiled, relative(sources, path));
    return existsSync(file) ? { id: file, external: true } : null;
  },
};

/** Started first, so that none of them is what the end of a run waits for. */
const long = [
  ...ofLoading,
  'server/test/journeys/crash',
  'console/test/',
  'server/test/access/matrix',
  'server/test/journeys/',
];

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = long.findIndex((path) => relative(this.ctx.config.root, moduleId).startsWith(path));
      return place === -1 ? long.length : place;
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

/**
 * Every service compiles its own validators. Node 20 would optimize each of them for a few hundred calls, which is a tenth of
 * the run; later versions have a cheaper compiler in between.
 */
const OPTIMIZE_LATER = ['--interrupt-budget=1500000'];

const compiledOnly = { server: { deps: { external: [/\/server\/dist\//] } } };

/** Many files wait for a process or a browser more than they compute, so there are more workers than cores. */
const shared = {
  pool: 'forks',
  maxWorkers: 6,
  execArgv: process.version.startsWith('v20.') ? OPTIMIZE_LATER : [],
  testTimeout: 240_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000, interval: 50 } },
} as const;

export default defineConfig({
  // For the setup; projects have theirs.
  plugins: [compiledServer],
  test: {
    ...compiledOnly,
    // Here only: in a project it would run once for each of them.
    globalSetup: './server/test/harness/global-setup.ts',
    sequence: { sequencer: LongFilesFirst },
    ...shared,
    projects: [
      {
        plugins: [compiledServer],
        test: {
          ...shared,
          name: 'together',
          include: [
            'server/src/**/*.test.ts',
            'server/test/**/*.test.ts',
            '{udi,client,console}/**/*.test.{ts,tsx}',
          ],
          exclude: [...notOurs, ...quiet, ...ofLoading, ...documents],
          ...compiledOnly,
          // The service and the browser are loaded once for all files of a process, which saves seconds for every file.
          isolate: false,
        },
      },
      {
        plugins: [compiledServer],
        test: { ...shared, ...compiledOnly, name: 'loading', include: ofLoading, exclude: notOurs },
      },
      {
        plugins: [compiledServer],
        test: { ...shared, ...compiledOnly, name: 'documents', include: documents, isolate: false },
      },
      {
        test: { ...shared, name: 'quiet', include: quiet, exclude: notOurs, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
