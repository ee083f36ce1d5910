import { beforeAll, describe, expect, it } from 'vitest';
import { type Files, rulesOf, type Verdict } from './rules.js';

const rules = rulesOf('import-rules', { name: 'checkImports', minimum: { modulesMin: 5 } });

/** Packages are stand-ins inside the tree, so that resolution does not depend on what is installed. */
const packages = {
  'package.json': '{"dependencies":{"pg":"*","fastify":"*","@fastify/swagger":"*"}}',
  'node_modules/pg/package.json': '{"name":"pg","version":"1.0.0","main":"index.js"}',
  'node_modules/pg/index.js': '',
  'node_modules/fastify/package.json': '{"name":"fastify","version":"1.0.0","main":"index.js"}',
  'node_modules/fastify/index.js': '',
  'node_modules/@fastify/swagger/package.json':
    '{"name":"@fastify/swagger","version":"1.0.0","main":"index.js"}',
  'node_modules/@fastify/swagger/index.js': '',
};

const judge = (files: Files) => rules.judge({ ...packages, ...files });

const lawful = {
  'server/src/cli.ts': `import './cli/start.js';`,
  'server/src/cli/start.ts': `import { config } from '../config/index.js'; import { api } from '../app/api.js'; api(config);`,
  'server/src/config/index.ts': `import process from 'node:process'; export const config = process.env;`,
  'server/src/app/api.ts': `import fastify from 'fastify'; import type { config } from '../config/index.js';
    import { orderRoutes } from '../orders/index.js'; import '../orders/order.store.js';
    export const api = (c: typeof config) => [fastify, orderRoutes, c];`,
  'server/src/platform/database/pool.ts': `import pg from 'pg'; export const pool = pg;`,
  'server/src/platform/embedded-postgres/start.ts': `import pg from 'pg'; import 'node:fs'; export const start = pg;`,
  'server/src/platform/http/server.ts': `import fastify from 'fastify'; export const server = fastify;`,
  'server/src/platform/errors/index.ts': `export class Refusal extends Error {}`,
  'server/src/platform/calendar/index.ts': `export const dayAfter = (day: string) => day;`,
  'server/src/platform/clock/index.ts': `export interface Clock { now(): number }`,
  'server/src/stock/index.ts': `export { take } from './take.js'; export type { Batch } from './batch.js';`,
  'server/src/stock/batch.ts': `export interface Batch { id: string }`,
  'server/src/stock/take.ts': `import { pool } from '../platform/database/pool.js'; export const take = () => pool;`,
  'server/src/orders/index.ts': `export { orderRoutes } from './order.routes.js';`,
  'server/src/orders/order.ts': `export interface Order { id: string }; export const states = ['open'];`,
  'server/src/orders/order.errors.ts': `import { Refusal } from '../platform/errors/index.js'; export const closed = new Refusal();`,
  'server/src/orders/order.rules.ts': `import { closed } from './order.errors.js'; import { type Order, states } from './order.js';
    import type { Batch } from '../stock/index.js'; import type { Clock } from '../platform/clock/index.js';
    import { dayAfter } from '../platform/calendar/index.js'; import { line } from './line.rules.js';
    export const approve = (o: Order, b: Batch, c: Clock) => [o, b, c, closed, states, dayAfter, line];`,
  'server/src/orders/line.rules.ts': `export const line = 1;`,
  'server/src/orders/order.store.ts': `import pg from 'pg'; export const lock = pg;`,
  'server/src/orders/order.routes.ts': `import fastify from 'fastify'; import { take } from '../stock/index.js';
    import { lock } from './order.store.js'; import { approve } from './order.rules.js';
    export const orderRoutes = [fastify, take, lock, approve];`,
  'server/src/orders/order.test.ts': `import pg from 'pg'; import fastify from 'fastify'; import '../stock/take.js';
    import { api } from '../app/api.js'; import { open } from '../../test/harness/open.js'; api(open(pg, fastify));`,
  'udi/src/index.ts': `export { read } from './read.js';`,
  'udi/src/read.ts': `export const read = 1;`,
  'udi/src/read.test.ts': `import fastify from 'fastify'; import 'node:fs'; import '../test/sizes.js'; export const it = fastify;`,
  'udi/test/sizes.ts': `import '../src/index.js'; export const size = 1;`,
  'client/src/index.ts': `export * from './call.js';`,
  'client/src/call.ts': `export const call = 1;`,
  'console/src/app/page.tsx': `import { orders } from '../features/orders.js'; export const page = orders;`,
  'console/src/features/orders.tsx': `import { table } from '../ui/table.js'; export const orders = table;`,
  'console/src/ui/table.tsx': `export const table = 1;`,
  'console/test/look.test.ts': `import '../../server/test/harness/open.js'; import '../src/ui/table.js';`,
  'examples/sync.mjs': `import 'node:fs'; import fastify from 'fastify'; fastify();`,
  'server/test/harness/open.ts': `import '../../src/config/index.js'; import '../../src/stock/take.js'; export const open = (...a: unknown[]) => a;`,
};

/** rule → file → the import in it that must be reported, and what the report names as its target */
const crimes: [rule: string, from: string, imports: string, target: string][] = [
  ['no-unresolvable', 'orders/lost.ts', `import './nowhere.js';`, './nowhere.js'],
  [
    'source-not-to-tests',
    'orders/curious.ts',
    `import '../../test/harness/open.js';`,
    'server/test/harness/open.ts',
  ],
  [
    'slice-through-the-door',
    'orders/window.ts',
    `import { take } from '../stock/take.js';`,
    'server/src/stock/take.ts',
  ],
  [
    'slice-through-the-door',
    'orders/peep.ts',
    `import type { Batch } from '../stock/batch.js';`,
    'server/src/stock/batch.ts',
  ],
  [
    'slice-through-the-door',
    'orders/dynamic.ts',
    `await import('../stock/take.js');`,
    'server/src/stock/take.ts',
  ],
  ['slice-through-the-door', 'newcomer/window.ts', `import '../stock/take.js';`, 'server/src/stock/take.ts'],
  [
    'slice-not-to-the-roof',
    'orders/roof.ts',
    `import { api } from '../app/api.js';`,
    'server/src/app/api.ts',
  ],
  ['slice-not-to-the-roof', 'orders/shell.ts', `import '../cli/start.js';`, 'server/src/cli/start.ts'],
  ['slice-not-to-the-roof', 'orders/loose.ts', `import '../cli.js';`, 'server/src/cli.ts'],
  [
    'config-only-for-app-and-cli',
    'orders/env.ts',
    `import type { config } from '../config/index.js';`,
    'server/src/config/index.ts',
  ],
  [
    'config-only-for-app-and-cli',
    'platform/mail/env.ts',
    `import '../../config/index.js';`,
    'server/src/config/index.ts',
  ],
  [
    'platform-sees-only-platform',
    'platform/mail/send.ts',
    `import '../../stock/index.js';`,
    'server/src/stock/index.ts',
  ],
  [
    'config-sees-nothing-of-ours',
    'config/read.ts',
    `import '../platform/errors/index.js';`,
    'server/src/platform/errors/index.ts',
  ],
  [
    'database-driver-in-stores',
    'orders/approve-order.ts',
    `import pg from 'pg';`,
    'node_modules/pg/index.js',
  ],
  ['database-driver-in-stores', 'app/sql.ts', `import type { Pool } from 'pg';`, 'node_modules/pg/index.js'],
  [
    'fastify-in-routes',
    'orders/reply.ts',
    `import type { FastifyReply } from 'fastify';`,
    'node_modules/fastify/index.js',
  ],
  [
    'fastify-in-routes',
    'platform/errors/http.ts',
    `import '@fastify/swagger';`,
    'node_modules/@fastify/swagger/index.js',
  ],
  ['rules-without-io', 'orders/file.rules.ts', `import { readFileSync } from 'node:fs';`, 'fs'],
  [
    'rules-without-io',
    'orders/driver.rules.ts',
    `import type { Pool } from 'pg';`,
    'node_modules/pg/index.js',
  ],
  [
    'rules-without-io',
    'orders/web.rules.ts',
    `import type { F } from 'fastify';`,
    'node_modules/fastify/index.js',
  ],
  [
    'rules-not-to-stores',
    'orders/load.rules.ts',
    `import type { lock } from './order.store.js';`,
    'server/src/orders/order.store.ts',
  ],
  [
    'rules-not-to-stores',
    'orders/pool.rules.ts',
    `import type { pool } from '../platform/database/pool.js';`,
    'server/src/platform/database/pool.ts',
  ],
  [
    'rules-call-only-pure-code',
    'orders/tick.rules.ts',
    `import { now } from '../platform/clock/index.js';`,
    'server/src/platform/clock/index.ts',
  ],
  [
    'rules-call-only-pure-code',
    'orders/neighbour.rules.ts',
    `import { take } from '../stock/index.js';`,
    'server/src/stock/index.ts',
  ],
];

const udiCrimes: [from: string, imports: string, target: string][] = [
  ['node.ts', `import 'node:fs';`, 'fs'],
  ['package.ts', `import type { F } from 'fastify';`, 'node_modules/fastify/index.js'],
  ['server.ts', `import '../../server/src/stock/batch.js';`, 'server/src/stock/batch.ts'],
  ['curious.ts', `import '../test/sizes.js';`, 'udi/test/sizes.ts'],
];

const packageCrimes: [rule: string, from: string, imports: string, target: string][] = [
  ['client-knows-udi-only', 'client/src/node.ts', `import 'node:fs';`, 'fs'],
  [
    'client-knows-udi-only',
    'client/src/server.ts',
    `import '../../server/src/stock/batch.js';`,
    'server/src/stock/batch.ts',
  ],
  [
    'console-through-the-client',
    'console/src/app/direct.tsx',
    `import type { Batch } from '../../../server/src/stock/batch.js';`,
    'server/src/stock/batch.ts',
  ],
  [
    'console-through-the-client',
    'console/src/ui/scan.ts',
    `import '../../../udi/src/index.js';`,
    'udi/src/index.ts',
  ],
  [
    'console-ui-knows-no-feature',
    'console/src/ui/nosy.tsx',
    `import '../features/orders.js';`,
    'console/src/features/orders.tsx',
  ],
  [
    'examples-through-the-client',
    'examples/inside.mjs',
    `import '../server/src/stock/batch.js';`,
    'server/src/stock/batch.ts',
  ],
];

describe('import rules', () => {
  it('a lawful tree passes', async () => {
    const { code, lines } = await judge(lawful);
    expect(lines).toEqual([expect.stringMatching(/^import rules: 33 modules, 0 findings$/)]);
    expect(code).toBe(0);
  });

  it('a tree without code fails', async () => {
    const { code, lines } = await rules.command(packages);
    expect(lines).toContain('import rules: expected at least 5 modules, so nothing is proven');
    expect(code).toBe(1);
  });

  describe('in a tree with one file per crime', () => {
    let verdict: Verdict;
    beforeAll(async () => {
      const files: Files = { ...lawful };
      for (const [, from, imports] of crimes) files[`server/src/${from}`] = imports;
      for (const [from, imports] of udiCrimes) files[`udi/src/${from}`] = imports;
      for (const [, from, imports] of packageCrimes) files[from] = imports;
      files['console/src/features/a.tsx'] = `import type { b } from './b.js'; export const a = 1;`;
      files['console/src/features/b.tsx'] = `import { a } from './a.js'; export const b = a;`;
      files['server/src/recalls/index.ts'] = `export { recall } from './recall.js';`;
      files['server/src/recalls/recall.ts'] =
        `import type { recall as self } from './index.js'; export const recall = 1;`;
      files['server/src/audit/a.test.ts'] = `import './b.test.js';`;
      files['server/src/audit/b.test.ts'] = `import './a.test.js';`;
      files['server/src/events/index.ts'] = `export const publish = 1;`;
      files['server/src/events/deliver.ts'] = `import '../webhooks/index.js';`;
      files['server/src/webhooks/index.ts'] = `export const hook = 1;`;
      files['server/src/webhooks/listen.ts'] = `import '../events/index.js';`;
      verdict = await judge(files);
    });

    it.each(crimes)('%s is reported for %s', (rule, from, _imports, target) => {
      expect(verdict.lines).toContain(`${rule}: server/src/${from} → ${target}`);
    });

    it.each(udiCrimes)('udi-knows-nobody is reported for udi/src/%s', (from, _imports, target) => {
      expect(verdict.lines).toContain(`udi-knows-nobody: udi/src/${from} → ${target}`);
    });

    it.each(packageCrimes)('%s is reported for %s', (rule, from, _imports, target) => {
      expect(verdict.lines).toContain(`${rule}: ${from} → ${target}`);
    });

    it('no-cycles is reported in the console', () => {
      expect(verdict.lines).toContainEqual(
        expect.stringMatching(/^no-cycles: console\/src\/features\/[ab]\.tsx → /),
      );
    });

    it('no-cycles is reported for files, type imports included', () => {
      const cycle = /^no-cycles: server\/src\/recalls\/(index|recall)\.ts → .*server\/src\/recalls\//;
      expect(verdict.lines).toContainEqual(expect.stringMatching(cycle));
    });

    it('no-cycles is reported for tests', () => {
      expect(verdict.lines).toContainEqual(
        expect.stringMatching(/^no-cycles: server\/src\/audit\/[ab]\.test\.ts → /),
      );
    });

    it('no-slice-cycles is reported where no single file is in a cycle', () => {
      expect(verdict.lines).toContain('no-slice-cycles: events → webhooks → events');
      expect(verdict.lines.filter((line) => /^no-cycles: .*(events|webhooks)/.test(line))).toEqual([]);
    });

    it('the verdict is a failure', () => {
      expect(verdict.code).toBe(1);
    });
  });
});
