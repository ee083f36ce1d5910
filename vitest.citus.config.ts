import { defineConfig } from 'vitest/config';
import { CITUS_URL } from './server/test/harness/cluster.js';
import usual from './vitest.config.js';

if (!CITUS_URL)
  console.log(
    'Give CITUS_URL: a database on the coordinator, as a superuser, with the extension and all nodes added.',
  );

/** The areas whose tests run on a cluster: everything that reads or writes rows of organizations. */
const AREAS = ['server/src/*/**/*.test.ts', 'server/test/{access,http,journeys,live,tenancy}/**/*.test.ts'];

/** Files of these areas that do not run there, and why. */
const SKIPPED: Readonly<Record<string, string>> = {
  'server/**/*plan{,s}.test.ts': 'examines plans of a plain PostgreSQL',
  'server/test/journeys/batched-lookups.test.ts': 'examines plans of a plain PostgreSQL',
  'server/test/journeys/growing-tables.test.ts':
    'examines the counters of one server; on a cluster the rows are on the nodes, whose autovacuum analyzes them',
  'server/test/journeys/upgrade-{credentials,history,memberships}.test.ts':
    'goes back to a version before 0022, the first that runs on a cluster; distribution.test.ts upgrades from there',
  'server/test/tenancy/statements.test.ts':
    'examines the texts of statements, by plans of a plain PostgreSQL; cluster-statements.test.ts does so on a cluster',
  'server/test/tenancy/confinement.test.ts': 'uses "reassign owned by", which crashes Citus 13.2.2',
  'server/test/tenancy/isolation.test.ts':
    'changes the organization of rows, which a cluster refuses before it looks at policies',
  'server/test/tenancy/schema.test.ts': 'examines the catalogue of a plain PostgreSQL',
  'server/src/labels/*.test.ts': 'uses no rows of organizations',
  'server/src/platform/{calendar,embedded-postgres,fair-buffer,fair-queue,hooks,ids,mail,outbound-http,secrets}/*.test.ts':
    'uses no rows of organizations',
};

/** Parts of files that do not run there, and why. */
const SKIPPED_PARTS: Readonly<Record<string, string>> = {
  'server/test/http/database-away.test.ts, when the database is busy':
    'gives one pool its own limit for locks; on a cluster the locks are on other nodes, with the limit of the role',
};

/** A cluster does not wait as much as it computes: more files at once would only meet the time limits of their tests. */
const WORKERS = { maxWorkers: 2 };

/** Sees what the server does when it is loaded, so it needs a process that has not loaded it. */
const OF_LOADING = ['server/test/tenancy/cluster-statements.test.ts'];

/** Kills nodes, which must be on this machine, so it runs by itself, after all others. */
const OF_CRASHES = ['server/test/cluster/*.test.ts'];

console.log('Skipped on a cluster:');
for (const [file, reason] of Object.entries({ ...SKIPPED, ...SKIPPED_PARTS }))
  console.log(`  ${file}: ${reason}`);

const [together, loading] = usual.test?.projects ?? [];
if (
  typeof together !== 'object' ||
  !('test' in together) ||
  typeof loading !== 'object' ||
  !('test' in loading)
)
  throw new Error('no project to run on a cluster');

export default defineConfig({
  test: {
    ...usual.test,
    ...WORKERS,
    projects: [
      {
        ...together,
        test: {
          ...together.test,
          ...WORKERS,
          name: 'citus',
          include: CITUS_URL ? AREAS : [],
          exclude: [...(together.test?.exclude ?? []), ...OF_LOADING, ...Object.keys(SKIPPED)],
        },
      },
      {
        ...loading,
        test: { ...loading.test, ...WORKERS, name: 'citus loading', include: CITUS_URL ? OF_LOADING : [] },
      },
      {
        ...loading,
        test: {
          ...loading.test,
          ...WORKERS,
          name: 'citus crashes',
          include: CITUS_URL ? OF_CRASHES : [],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
