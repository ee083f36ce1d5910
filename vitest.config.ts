import { defineConfig } from 'vitest/config';

/**
 * Each of these changes something that all tests of a process share: a module, the environment, a global. The others
 * load the service once for all of them, which saves a second and more for every file.
 */
const alone = [
  'console/test/**/*.test.ts',
  'server/src/access/credential-cache.test.ts',
  'server/src/cli/demo-command.test.ts',
  'server/test/access/{cli,keys,people-links,secrets-in-logs,sign-in-work}.test.ts',
  'server/test/client/examples.test.ts',
  'server/test/house/house-rules.test.ts',
  'server/test/tenancy/statements.test.ts',
];
const notOurs = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  test: {
    globalSetup: './server/test/harness/global-setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: [
            'server/src/**/*.test.ts',
            'server/test/**/*.test.ts',
            '{udi,client,console}/**/*.test.{ts,tsx}',
          ],
          exclude: [...notOurs, ...alone],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude: notOurs } },
    ],
  },
});
