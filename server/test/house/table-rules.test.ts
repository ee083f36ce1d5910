import { describe, expect, it } from 'vitest';
import { type Files, rulesOf, type Verdict } from './rules.js';

const rules = rulesOf('table-rules', { name: 'checkTables', minimum: { statementsMin: 4, tablesMin: 3 } });
const shown = ({ code, lines }: Verdict) => ({ code, output: lines.join('\n') });
const judge = async (files: Files) => shown(await rules.judge(files));

const owners = {
  tables: { orders: ['order_lines', 'orders'], stock: ['balances'] },
  functions: { stock: ['available'] },
};
const declared = (more: object = {}) => JSON.stringify({ ...owners, ...more });

/** stock is imported by orders, which reaches its rows through what stock publishes. */
const lawful = {
  'package.json': '{}',
  'server/migrations/0001_tables.sql': `create table orders (id text); create table lines (id text);
    create table old (id text); create table balances (id text); -- create table never (id text);`,
  'server/migrations/0002_names.sql': `alter table lines rename to order_lines; drop table old;
    create function available() returns integer language sql as $$ select 1 from nothing $$;`,
  'server/src/table-owners.json': declared(),
  'server/src/stock/index.ts': `export { balanceRows } from './stock-rows.js';`,
  'server/src/stock/stock-rows.ts': `export const balanceRows = (org: string) => \`(select id from balances where org_id = \${org})\`;
    export const total = 'select available() from balances';`,
  'server/src/orders/order.store.ts': `import { balanceRows } from '../stock/index.js';
    const source = 'orders o join order_lines l on l.id = o.id';
    export const list = \`with page as (select * from \${source} where o.id is distinct from $1 for update of o)
      select extract(day from at), coalesce((select x from unnest($1::text[]) as u(x)), '') from page p, order_lines q
      join \${balanceRows('$1')} b on b.id = p.id\`;
    export const write = \`insert into orders (id) values ($1) on conflict (id) do update set id = excluded.id\`;
    export const message = 'Remove it from balances first.';`,
  'server/src/orders/order.store.test.ts': `export const seen = 'select 1 from balances';`,
};

describe('table owners', () => {
  it('lets a slice touch its own tables, and others through what their owner publishes', async () => {
    expect(await judge(lawful)).toMatchObject({ code: 0, output: expect.stringContaining('0 findings') });
  });

  const foreign = [
    ['a select', 'select id from balances where id = $1'],
    ['a join', 'select o.id from orders o left join balances b on b.id = o.id'],
    ['the second of a list', 'select o.id from orders o, balances b where b.id = o.id'],
    ['a subquery', 'select exists (select from balances b where b.id = $1)'],
    ['an insert', 'insert into balances (id) values ($1)'],
    ['an update', 'update balances set id = $1'],
    ['what an update joins', 'update orders o set id = b.id from balances b where b.id = o.id'],
    ['a delete', 'delete from balances where id = $1'],
    ['what a delete joins', 'delete from orders o using balances b where b.id = o.id'],
    ['a lock', 'lock table orders, balances in share mode'],
    ['a truncation', 'truncate balances'],
    ['a fragment', 'balances b join orders o on o.id = b.id'],
    ['a schema before the name', 'select id from lotward.balances'],
  ] as const;
  it('refuses a table of another slice wherever a statement names it', async () => {
    const files = foreign.map(([, sql], i) => [
      `server/src/orders/crime-${i}.store.ts`,
      `export const crime = ${JSON.stringify(sql)};`,
    ]);
    const { code, output } = await judge({ ...lawful, ...Object.fromEntries(files) });
    const missed = foreign.filter(
      (_, i) =>
        !output.includes(
          `foreign-table: server/src/orders/crime-${i}.store.ts:1: orders touches balances, a table of stock`,
        ),
    );
    expect(missed).toEqual([]);
    expect(code).toBe(1);
  });

  it('refuses a foreign table within a template, and a foreign function', async () => {
    const { output } = await judge({
      ...lawful,
      'server/src/orders/crime.ts':
        'export const crime = (a: string) => `select $' + '{a} from balances where id = $1`;',
      'server/src/orders/call.ts': `export const call = 'select available() from orders';`,
    });
    expect(output).toContain('crime.ts:1: orders touches balances');
    expect(output).toContain('foreign-function: server/src/orders/call.ts:1: orders calls available');
  });

  it('holds app, cli and platform to the same rule', async () => {
    const sql = `export const crime = 'select 1 from orders';`;
    const rooms = ['app/x.ts', 'cli/x.ts', 'platform/database/x.ts'];
    const files = Object.fromEntries(rooms.map((room) => [`server/src/${room}`, sql]));
    const { output } = await judge({ ...lawful, ...files });
    for (const room of ['app', 'cli', 'platform']) expect(output).toContain(`${room} touches orders`);
  });

  it('refuses a table that nobody declared, in a migration or in a statement', async () => {
    const { code, output } = await judge({
      ...lawful,
      'server/migrations/0003_more.sql': 'create table strays (id text); create view seen as select 1;',
      'server/src/stock/lost.ts': `export const lost = 'select id from nowhere';`,
    });
    expect(output).toContain('undeclared: table strays of the migrations has no owner');
    expect(output).toContain('undeclared: table seen of the migrations has no owner');
    expect(output).toContain('undeclared: server/src/stock/lost.ts:1: nowhere is no declared table');
    expect(code).toBe(1);
  });

  it('refuses a declaration of a table that is gone, of two owners, and of an owner that does not exist', async () => {
    const tables = { ...owners.tables, nobody: ['balances'], stock: ['balances', 'old'] };
    const { output } = await judge({ ...lawful, 'server/src/table-owners.json': declared({ tables }) });
    expect(output).toContain('gone: table old is declared, and no migration leaves one');
    expect(output).toContain('two-owners: table balances is declared by stock and nobody');
    expect(output).toContain('unknown-owner: there is no folder server/src/nobody');
  });

  it('refuses a query that is named like a table, which would hide it', async () => {
    const { output } = await judge({
      ...lawful,
      'server/src/stock/hidden.ts': `export const hidden = 'with orders as (select 1) select * from orders';`,
    });
    expect(output).toContain('hidden-table: server/src/stock/hidden.ts');
  });

  const reading = { 'server/src/orders/crime.ts': `export const crime = 'select id from balances';` };
  const excepted = (...exceptions: object[]) => ({
    ...lawful,
    ...reading,
    'server/src/table-owners.json': declared({ exceptions }),
  });
  const exception = {
    slice: 'orders',
    table: 'balances',
    reason: 'One statement, because it is read at every call.',
  };

  it('allows an exception that has its reason', async () => {
    expect(await judge(excepted(exception))).toMatchObject({ code: 0 });
  });

  it('refuses one without a reason', async () => {
    const { code, output } = await judge(excepted({ ...exception, reason: 'because' }));
    expect(output).toContain('exception-without-reason: orders → balances');
    expect(code).toBe(1);
    expect((await judge(excepted({ slice: 'orders', table: 'balances' }))).output).toContain(
      'without-reason',
    );
  });

  it('refuses one that is not needed, and more than ten', async () => {
    const more = Array.from({ length: 10 }, () => ({ ...exception, table: 'orders' }));
    const { output } = await judge(excepted(exception, ...more));
    expect(output).toContain('unused-exception: orders → orders');
    expect(output).toContain('too-many-exceptions: 11');
  });

  it('refuses one against the direction of imports', async () => {
    const { code, output } = await judge({
      ...lawful,
      'server/src/stock/upward.ts': `export const upward = 'select id from orders';`,
      'server/src/table-owners.json': declared({
        exceptions: [{ slice: 'stock', table: 'orders', reason: exception.reason }],
      }),
    });
    expect(output).toContain('exception-against-imports: stock → orders: orders imports stock');
    expect(code).toBe(1);
  });

  it('proves nothing when it read nothing', async () => {
    const { code, output } = shown(await rules.command(lawful, { statementsMin: 100, tablesMin: 3 }));
    expect(output).toContain('so nothing is proven');
    expect(code).toBe(1);
  });
});
