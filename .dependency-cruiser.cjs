/*
 * Who may import whom in the server and in the packages beside it. `node scripts/import-rules.mjs` runs these rules and fails when it
 * looked at (almost) nothing; server/test/house/import-rules.test.ts proves that each of them bites.
 */

const path = require('node:path');

const test = ['\\.test\\.tsx?$', '^(?:server|udi|client|console)/test/'];

/** Every folder of server/src is a slice unless it is one of the four rooms with a role of their own. */
const slice = '^server/src/(?!(?:app|cli|config|platform)/)([^/]+)/';
const sliceDoor = '^server/src/(?!(?:app|cli|config|platform)/)[^/]+/index\\.ts$';
const rulesFile = '\\.rules\\.ts$';

/** The parts of platform that are arithmetic on their arguments, so that pure rules may call them. */
const purePlatform = '^server/src/platform/(?:calendar|errors|gtin|parse-url|transitions)(?:/|\\.ts$)';

/** A package, wherever it is hoisted to, its types included; also when it is not installed. */
const npmPackage = (name) => `(?:^|/)node_modules/(?:@types/)?${name}(?:/|$)|^${name}(?:/|$)`;
const databaseDriver = npmPackage('pg[a-z-]*');
const httpFramework = npmPackage('(?:fastify|fastify-plugin|@fastify/[^/]+)');

const anyOf = (...patterns) => patterns.flat();

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files that need each other are one file, or lack a third. Type imports and tests count too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment:
        'An import that resolves to nothing escapes all other rules. The address of a file (`?url`) is resolved by the bundler.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '\\?url$' },
    },
    {
      name: 'source-not-to-tests',
      comment: 'Source does not know its tests.',
      severity: 'error',
      from: { path: '^(?:server|udi|client|console)/src/', pathNot: test },
      to: { path: test },
    },
    {
      name: 'udi-knows-nobody',
      comment: 'Reading codes needs nothing: no package, no node: module, nothing else of the repository.',
      severity: 'error',
      from: { path: '^udi/src/', pathNot: test },
      to: { pathNot: '^udi/src/' },
    },
    {
      name: 'client-knows-udi-only',
      comment:
        'The client is published by itself: it knows udi and its generated types, no other package and no node: module.',
      severity: 'error',
      from: { path: '^client/src/', pathNot: test },
      to: { pathNot: ['^client/src/', '^udi/', npmPackage('@lotward/udi')] },
    },
    {
      name: 'console-through-the-client',
      comment: 'The console is a client like any other: it knows the server only through @lotward/client.',
      severity: 'error',
      from: { path: '^console/src/', pathNot: test },
      to: { path: '^(?:server|udi|examples|bench)/' },
    },
    {
      name: 'console-ui-knows-no-feature',
      comment: 'Parts of pages know no page: ui sees app and itself.',
      severity: 'error',
      from: { path: '^console/src/ui/', pathNot: test },
      to: { path: '^console/src/features/' },
    },
    {
      name: 'examples-through-the-client',
      comment: 'An example is what a partner writes: the client, npm and Node.',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^(?:server|udi|console|bench)/' },
    },
    {
      name: 'slice-through-the-door',
      comment: "A slice sees another slice only through that slice's index.ts.",
      severity: 'error',
      from: { path: slice, pathNot: test },
      to: { path: slice, pathNot: ['^server/src/$1/', sliceDoor] },
    },
    {
      name: 'slice-not-to-the-roof',
      comment: 'A slice sees platform and other slices: not app, not cli, not loose files of server/src.',
      severity: 'error',
      from: { path: slice, pathNot: test },
      to: { path: ['^server/src/(?:app|cli)/', '^server/src/[^/]+\\.ts$'] },
    },
    {
      name: 'config-only-for-app-and-cli',
      comment: 'Settings reach the rest as arguments, so that a test needs no environment.',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: anyOf(test, '^server/src/(?:app|cli|config)/', '^server/src/cli\\.ts$'),
      },
      to: { path: '^server/src/config/' },
    },
    {
      name: 'platform-sees-only-platform',
      comment: 'Platform has no business words: it sees itself and npm.',
      severity: 'error',
      from: { path: '^server/src/platform/', pathNot: test },
      to: { path: '^server/src/', pathNot: '^server/src/platform/' },
    },
    {
      name: 'config-sees-nothing-of-ours',
      comment: 'Reading the environment needs none of our code.',
      severity: 'error',
      from: { path: '^server/src/config/', pathNot: test },
      to: { path: '^server/src/', pathNot: '^server/src/config/' },
    },
    {
      name: 'database-driver-in-stores',
      comment:
        'SQL lives in *.store.ts; the driver also in platform/database and platform/embedded-postgres.',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: anyOf(
          test,
          '\\.store\\.ts$',
          '^server/src/platform/(?:database|embedded-postgres)(?:/|\\.ts$)',
        ),
      },
      to: { path: databaseDriver },
    },
    {
      name: 'fastify-in-routes',
      comment: 'HTTP lives in *.routes.ts, app and platform/http; what they call does not know who asked.',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: anyOf(test, '\\.routes\\.ts$', '^server/src/app/', '^server/src/platform/http(?:/|\\.ts$)'),
      },
      to: { path: httpFramework },
    },
    {
      name: 'rules-without-io',
      comment: 'A rules file is pure: no node: module, no package, no SQL, no HTTP, not even as a type.',
      severity: 'error',
      from: { path: rulesFile },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
      },
    },
    {
      name: 'rules-not-to-stores',
      comment: 'A rules file gets what it decides about as arguments.',
      severity: 'error',
      from: { path: rulesFile },
      to: {
        path: [
          '\\.(?:store|routes|schemas)\\.ts$',
          '^server/src/platform/(?:database|http|outbound-http|mail)(?:/|\\.ts$)',
        ],
      },
    },
    {
      name: 'rules-call-only-pure-code',
      comment:
        'From elsewhere a rules file takes types only; it calls its own slice, other rules and the pure platform.',
      severity: 'error',
      from: { path: '^server/src/([^/]+)/.*\\.rules\\.ts$' },
      to: {
        path: '^server/src/',
        pathNot: ['^server/src/$1/', rulesFile, purePlatform],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(?:^|/)dist/' },
    tsConfig: { fileName: path.join(__dirname, 'server/tsconfig.json') },
    tsPreCompilationDeps: true,
    parser: 'tsc',
    detectProcessBuiltinModuleCalls: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.tsx', '.mts', '.d.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
