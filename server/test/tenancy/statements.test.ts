import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../harness/index.js';
import { insertsOfSeveral, statementsOfAll, statementsOfSeveral } from './expected-statements.js';
import { insertsBetweenNodes, tablesWithoutParameter } from './organization-parameter.js';
import { source, stores, writtenStatements } from './written-statements.js';

/** The tables whose records are changed with `If-Match`. */
const VERSIONED =
  /^\s*(?:update|insert into) (products|partners|warehouses|certificates|monitoring_points|api_keys|oauth_clients)\b/;

let db: TestDatabase;
let written: Awaited<ReturnType<typeof writtenStatements>>['written'];
let guarded: Set<string>;
beforeAll(async () => {
  ({ db, written } = await writtenStatements());
  const tables = await db.sql<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'lotward' and c.relkind in ('r', 'p') and c.relrowsecurity
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id')`,
  );
  guarded = new Set(tables.map(({ name }) => name));
});
afterAll(async () => {
  await db.close();
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  Plans?: Plan[];
  [condition: string]: unknown;
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/**
 * The tables of organizations that a statement reads without saying of which organization, by the database's own plan;
 * those whose rows it joins by their organization together.
 */
async function readOfAll(text: string): Promise<string[]> {
  const [row] = await db.sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (generic_plan, verbose, format json) ${text}`,
  );
  if (!row) throw new Error(`no plan: ${text}`);
  const nodes = nodesOf(row['QUERY PLAN'][0].Plan);
  const conditions = nodes.flatMap((node) =>
    Object.entries(node).flatMap(([name, value]) => (/Cond|Filter/.test(name) ? [String(value)] : [])),
  );
  const scans = nodes.filter(
    (node) => node['Node Type'] !== 'ModifyTable' && guarded.has(node['Relation Name'] ?? ''),
  );
  const columns = scans.map(({ Alias: alias }) => `${alias}.org_id`);
  const groups = groupsOf(conditions, columns);
  const loose = new Map<string, string[]>();
  for (const [i, scan] of scans.entries()) {
    const group = groups.get(columns[i] ?? '') ?? '';
    if (group !== GIVEN) loose.set(group, [...(loose.get(group) ?? []), scan['Relation Name'] ?? '']);
  }
  return [...loose.values()].map((tables) => [...new Set(tables)].sort().join(' ')).sort();
}

const EQUALITY =
  /([\w"$.]+\.org_id|\$\d+)\)?(?:::text)? = \(?(?:ANY \()?(\$\d+|[\w"$]+\.[\w"$]+|\(InitPlan \d+\))/g;
const GIVEN = '(given)';

/** Which of the columns must be equal, be it by way of others: those of the same group; what is given is one, too. */
function groupsOf(conditions: readonly string[], columns: readonly string[]): Map<string, string> {
  const groupOf = new Map(columns.map((column) => [column, column]));
  for (const condition of conditions)
    for (const [, a = '', b = ''] of condition.matchAll(EQUALITY)) {
      const [one, other] = [groupOf.get(a) ?? GIVEN, groupOf.get(b) ?? GIVEN];
      const joint = one === GIVEN ? one : other;
      for (const [column, group] of groupOf) if (group === one || group === other) groupOf.set(column, joint);
    }
  return groupOf;
}

describe('a statement gives the organization as a parameter', () => {
  it.each([
    ['select 1 from orders where org_id = $1', ''],
    ['select 1 from orders o join order_lines l on l.org_id = $1 where $1 = o.org_id', ''],
    ['select 1 from orders o join order_lines l on l.org_id = o.org_id where o.org_id = $1', 'order_lines'],
    [
      'select (select 1 from order_lines l where l.org_id = o.org_id) from orders o where o.org_id = $1',
      'order_lines',
    ],
    ['select 1 from (select * from orders) o where o.org_id = $1', 'orders'],
    ['with orders as (select 1 from receipts where org_id = $1) select 1 from orders', ''],
    ['with o as (select 1 from orders) insert into events select 1 from o', 'orders'],
    ['select 1 from orders where org_id = $1 union select 1 from receipts', 'receipts'],
    ['update orders o set status = $2 from receipts r where o.org_id = $1 and r.org_id = $1', ''],
    ['update orders o set status = $2 from receipts r where o.org_id = r.org_id and r.org_id = $1', 'orders'],
    ['delete from orders using receipts where org_id = $1', 'orders receipts'],
    ['select 1 from orders where org_id = any($1)', 'orders'],
    ['select 1 from orders where org_id = $1 or true', 'orders'],
    ['select 1 from organization_directory', ''],
  ])('%s', async (text, tables) => {
    expect((await tablesWithoutParameter(text, guarded)).join(' ')).toBe(tables);
  });
});

describe('an insert stays on the node of its organization', () => {
  const row = '(select org_id from organizations where org_id = $1) o';
  it.each([
    ['insert into orders (order_id, org_id) values ($2, $1)', ''],
    ['insert into orders (order_id, org_id) values ($2, $1), ((select 1), $1)', 'orders'],
    ['insert into orders (order_id, org_id) select u.id, $1 from unnest($2) as u(id)', 'orders'],
    [
      'insert into orders (order_id, org_id) select u.id, u.org_id from unnest($1, $2) as u(org_id, id)',
      'orders',
    ],
    [`insert into orders (order_id, org_id) select u.id, o.org_id from ${row}, unnest($2) as u(id)`, ''],
    [
      `insert into orders (order_id, org_id) select u.id, u.org_id from ${row}, unnest($2) as u(id)`,
      'orders',
    ],
    ['insert into orders (org_id) select org_id from receipts where org_id = $1', ''],
    ['insert into orders (org_id) select r.org_id from receipts r join unnest($2) as u on true', ''],
    ['insert into orders (org_id) select org_id from receipts union select $1', 'orders'],
    ['with x as (insert into orders (org_id) select $1 returning 1) select 1 from x', 'orders'],
    ['with x as (update orders set a = 1) insert into receipts (org_id) values ($1)', 'receipts'],
    ['with x as (select 1) insert into receipts (org_id) values ($1)', ''],
    ['insert into leases (name) select $1', ''],
  ])('%s', async (text, tables) => {
    expect((await insertsBetweenNodes(text, guarded)).join(' ')).toBe(tables);
  });
});

describe.each(stores)('the statements of %s', (store) => {
  it('name the organization of every row they read, with the listed exceptions', async () => {
    const ofAll: string[] = [];
    for (const { file, text } of written) {
      if (file !== store || !/^\s*(select|insert|update|delete|with)\b/i.test(text)) continue;
      const groups = await readOfAll(text);
      if (groups.length > 0) ofAll.push(groups.join(' + '));
    }
    expect(ofAll.sort()).toEqual(statementsOfAll[store] ?? []);
  });

  it('give the organization of every table as a parameter, with the listed exceptions', async () => {
    const found: string[] = [];
    for (const { file, text } of written) {
      if (file !== store || !/^\s*(select|insert|update|delete|with)\b/i.test(text)) continue;
      const tables = await tablesWithoutParameter(text, guarded);
      if (tables.length > 0) found.push(tables.join(' '));
    }
    const ofAll = (statementsOfAll[store] ?? []).map((tables) => [...new Set(tables.split(/ \+ | /))]);
    const allowed = [
      ...ofAll.map((tables) => tables.sort().join(' ')),
      ...(statementsOfSeveral[store] ?? []),
    ];
    expect(found.sort()).toEqual(allowed.sort());
  });

  it('insert on the node of the organization, with the listed exceptions', async () => {
    const found: string[] = [];
    for (const { file, text } of written)
      if (file === store && /\binsert into\b/i.test(text))
        found.push(...(await insertsBetweenNodes(text, guarded)));
    expect(found.sort()).toEqual(insertsOfSeveral[store] ?? []);
  });

  it('were all captured, including those composed at run time', () => {
    const makers = /\b((composed|filtered|row|unnamed|batch)?[sS]tatement|(list|count)Rows(<[^(]*>)?)\(/g;
    const made = readFileSync(`${source}/${store}`, 'utf8').match(makers) ?? [];
    const places = new Set(written.filter(({ file }) => file === store).map(({ place }) => place));
    expect(places.size).toBe(made.length);
  });
});

it('the version of a record moves in every statement that moves the instant of its last change, and in no other', () => {
  const changing = written.filter(({ text }) => VERSIONED.test(text) && /\bset\b/.test(text));
  const half = changing.filter(({ text }) => /\bupdated_at = /.test(text) !== /\bversion = /.test(text));
  expect(half.map(({ text }) => text)).toEqual([]);
  expect(changing.filter(({ text }) => /\bversion = /.test(text)).length).toBeGreaterThan(15);
});

it('(the statements were found)', () => {
  expect(written.length).toBeGreaterThan(300);
  expect(Object.keys(statementsOfAll).filter((store) => !stores.includes(store))).toEqual([]);
});
