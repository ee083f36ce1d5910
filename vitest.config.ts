import { defineConfig } from 'vitest/config';

/** A browser takes minutes of its own: `npm run test:browser`. */
const inBrowser = ['console/test/pages.test.ts', 'console/test/journeys/**'];
const withBrowser = process.env.LOTWARD_BROWSER_TESTS === '1';

export default defineConfig({
  test: {
    include: [
      'server/src/**/*.test.ts',
      'server/test/**/*.test.ts',
      '{udi,client,console}/**/*.test.{ts,tsx}',
    ],
    exclude: ['**/node_modules/**', '**/dist/**', ...(withBrowser ? [] : inBrowser)],
    globalSetup: './server/test/harness/global-setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
