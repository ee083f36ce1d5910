import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Each of these changes something that all tests of a process share: a module, the environment, a global. The others
 * load the service and the browser once for all of them, which saves seconds for every file.
 */
const alone = [
  'server/test/tenancy/statements.test.ts',
  'server/src/people/sign-in/sign-in-work.test.ts', // mocks the module that hashes passwords
];
/** Measures in real time: it runs by itself, after all others. */
const quiet = ['server/test/neighbours/*.test.ts'];
const notOurs = ['**/node_modules/**', '**/dist/**'];

/** Started first, so that none of them is what the end of a run waits for. */
const long = [
  'server/test/journeys/crash',
  'server/test/docs/',
  'console/test/',
  'server/test/access/matrix',
  'server/test/journeys/',
];

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) => {
      const place = long.findIndex((path) => relative(this.ctx.config.root, moduleId).startsWith(path));
      // Files of one project stay together: a process is kept for the next file of its own project only.
      return (project.name === 'alone' ? 0 : 100) + (place === -1 ? long.length : place);
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

/** Many files wait for a process or a browser more than they compute, so there are more workers than cores. */
const shared = {
  pool: 'forks',
  maxWorkers: 4,
  testTimeout: 240_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
} as const;

export default defineConfig({
  test: {
    // Here only: in a project it would run once for each of them.
    globalSetup: './server/test/harness/global-setup.ts',
    sequence: { sequencer: LongFilesFirst },
    ...shared,
    projects: [
      {
        test: {
          ...shared,
          name: 'together',
          include: [
            'server/src/**/*.test.ts',
            'server/test/**/*.test.ts',
            '{udi,client,console}/**/*.test.{ts,tsx}',
          ],
          exclude: [...notOurs, ...alone, ...quiet],
          isolate: false,
        },
      },
      { test: { ...shared, name: 'alone', include: alone, exclude: notOurs } },
      {
        test: { ...shared, name: 'quiet', include: quiet, exclude: notOurs, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
