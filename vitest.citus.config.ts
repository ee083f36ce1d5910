import { defineConfig } from 'vitest/config';
import { CITUS_URL } from './server/test/harness/cluster.js';
import usual from './vitest.config.js';

if (!CITUS_URL)
  console.log(
    'Give CITUS_URL: a database on the coordinator, as a superuser, with the extension and all nodes added.',
  );

/** The areas whose tests run on a cluster: what must be right for each organization wherever its rows are. */
const AREAS = [
  'server/src/{stock,orders,dispatching,events,webhooks,access}/**/*.test.ts',
  'server/test/{access,tenancy}/**/*.test.ts',
];

/** Files of these areas that do not run there, and why. */
const SKIPPED: Readonly<Record<string, string>> = {
  'server/test/tenancy/statements.test.ts':
    'examines the texts of statements, by plans of a plain PostgreSQL',
  'server/test/tenancy/confinement.test.ts': 'uses "reassign owned by", which crashes Citus 13.2.2',
  'server/test/tenancy/isolation.test.ts':
    'changes the organization of rows, which a cluster refuses before it looks at policies',
  'server/test/tenancy/schema.test.ts': 'examines the catalogue of a plain PostgreSQL',
  'server/src/stock/customer-holdings-plans.test.ts': 'examines plans of a plain PostgreSQL',
  'server/src/stock/batch-query-plans.test.ts': 'examines plans of a plain PostgreSQL',
  'server/src/events/feed-query-plans.test.ts': 'examines plans of a plain PostgreSQL',
  'server/src/webhooks/push-query-plans.test.ts': 'examines plans of a plain PostgreSQL',
};

console.log('Skipped on a cluster:');
for (const [file, reason] of Object.entries(SKIPPED)) console.log(`  ${file}: ${reason}`);

const [together] = usual.test?.projects ?? [];
if (typeof together !== 'object' || !('test' in together)) throw new Error('no project to run on a cluster');

export default defineConfig({
  test: {
    ...usual.test,
    projects: [
      {
        ...together,
        test: {
          ...together.test,
          name: 'citus',
          include: CITUS_URL ? AREAS : [],
          exclude: [...(together.test?.exclude ?? []), ...Object.keys(SKIPPED)],
        },
      },
    ],
  },
});
