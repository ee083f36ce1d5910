import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statement } from '../../src/platform/database/index.js';
import { ROLE_KINDS, type RoleKind } from '../../src/platform/database/role.js';
import { openTestDatabase, type TestDatabase } from '../harness/index.js';
import { expectedGrants, tablesOfPeople, tablesWithoutTenant } from './expected-grants.js';

interface Table {
  name: string;
  hasOrg: boolean;
  guarded: boolean;
  forced: boolean;
}

let db: TestDatabase;
let tables: Table[];
let roleOf: Map<string, RoleKind>;
beforeAll(async () => {
  db = await openTestDatabase();
  tables = await db.sql<Table>(`
    select c.relname as name, c.relrowsecurity as guarded, c.relforcerowsecurity as forced,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id') as "hasOrg"
    from pg_class c where c.relnamespace = 'lotward'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`);
  const roles = await db.sql<{ kind: RoleKind; name: string }>('select kind, name from service_roles');
  roleOf = new Map(roles.map(({ kind, name }) => [name, kind]));
});
afterAll(() => db.close());

const isOfTenant = (name: string) => !tablesWithoutTenant.includes(name) && !tablesOfPeople.includes(name);
const tenantTables = () => tables.map(({ name }) => name).filter(isOfTenant);

describe('every table of an organization', () => {
  it('has org_id; the few others are listed', () => {
    expect(tables.filter(({ hasOrg }) => !hasOrg).map(({ name }) => name)).toEqual(
      [...tablesWithoutTenant, 'account_recovery_codes', 'accounts']
        .filter((name) => !name.endsWith('_directory'))
        .sort(),
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining([...tablesWithoutTenant]));
    expect(tenantTables().length).toBeGreaterThan(15);
  });

  it('has row-level security on, and none is forced upon the owner, who migrates', () => {
    const guarded = tables.filter(({ guarded: on }) => on).map(({ name }) => name);
    expect(guarded).toEqual([...tenantTables(), ...tablesOfPeople].sort());
    expect(tables.filter(({ forced }) => forced)).toEqual([]);
  });

  it('has org_id not null and compared byte by byte', async () => {
    const odd = await db.sql(
      `select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
       join pg_collation l on l.oid = a.attcollation
       where c.relnamespace = 'lotward'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'org_id'
         and c.relname = any($1) and (not a.attnotnull or l.collname <> 'C')`,
      [tenantTables()],
    );
    expect(odd).toEqual([]);
  });

  it('begins every primary key and unique index with org_id', async () => {
    const keys = await db.sql<{ table: string; index: string; first: string | null }>(
      `select c.relname as "table", i.relname as index, a.attname as first
       from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
       left join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
       where x.indisunique and c.relname = any($1) and c.relnamespace = 'lotward'::regnamespace`,
      [tenantTables()],
    );
    expect(new Set(keys.map(({ table }) => table))).toEqual(new Set(tenantTables()));
    expect(keys.filter(({ first }) => first !== 'org_id')).toEqual([]);
  });

  it('begins both sides of every foreign key with org_id', async () => {
    const keys = await db.sql<{ name: string; own: string; target: string; table: string }>(`
      select k.conname as name, t.relname as "table", a.attname as own, b.attname as target
      from pg_constraint k
      join pg_class t on t.oid = k.conrelid
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      join pg_attribute b on b.attrelid = k.confrelid and b.attnum = k.confkey[1]
      where k.contype = 'f' and k.connamespace = 'lotward'::regnamespace`);
    expect(keys.length).toBeGreaterThan(15);
    const ofAccounts = keys.filter(({ table }) => tablesOfPeople.includes(table));
    expect(new Set(ofAccounts.map(({ own, target }) => `${own} ${target}`))).toEqual(
      new Set(['email email']),
    );
    const others = keys.filter(({ table }) => !tablesOfPeople.includes(table));
    expect(others.filter(({ own, target }) => own !== 'org_id' || target !== 'org_id')).toEqual([]);
    expect(keys.filter(({ table }) => tablesWithoutTenant.includes(table))).toEqual([]);
  });

  it('has no trigger and no rule, so that statements have no hidden effects', async () => {
    const hidden = await db.sql(`
      select tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'lotward'::regnamespace and not t.tgisinternal
      union all select rulename from pg_rules where schemaname = 'lotward'`);
    expect(hidden).toEqual([]);
  });
});

/**
 * Policies that let a role write past the organization at hand. One statement each does it for all organizations, every
 * row with its own: the use and the requests of credentials; the attempts of pushes; their progress, and the leases on their endpoints.
 */
const writtenEverywhere = [
  'worker INSERT credential_requests',
  'worker INSERT credential_usage',
  'worker INSERT webhook_attempts',
  'worker UPDATE api_keys',
  'worker UPDATE credential_usage',
  'worker UPDATE oauth_clients',
  'worker UPDATE sessions',
  'worker UPDATE webhook_states',
];

const OF_THIS_ORGANIZATION = "(org_id = NULLIF(current_setting('app.org'::text, true), ''::text))";
/** The condition itself, or one of several that must all hold. */
const isConfined = (condition: string): boolean =>
  condition === OF_THIS_ORGANIZATION ||
  (condition.includes(OF_THIS_ORGANIZATION) && !/\bOR\b/.test(condition) && condition.includes(' AND '));

/** Worker and reader look for work in the tables of all organizations; these they read for one at a time. */
const readOneAtATime = ['worker SELECT import_refusals'];

/** Policies that look at a row only as it was: the role may not change its organization. */
const changedInPlace = ['worker UPDATE audit_entries', 'worker UPDATE events'];

/** The tables with privileges of a role; it may also take numbers from a sequence. */
const tablesOf = (kind: (typeof ROLE_KINDS)[number]): string[] =>
  Object.keys(expectedGrants[kind]).filter((name) => !name.endsWith('_seq'));

const guardedTables = [...new Set(ROLE_KINDS.flatMap(tablesOf))].filter(isOfTenant).sort();

describe.each(guardedTables)('the table %s', (table) => {
  it('is guarded by row-level security', () => {
    expect(tables.find(({ name }) => name === table)).toMatchObject({ guarded: true });
  });

  it('exposes and accepts only rows of the current organization, with the listed exceptions', async () => {
    const policies = await db.sql<{
      role: string;
      command: string;
      using: string | null;
      check: string | null;
    }>(
      `select unnest(roles)::text as role, cmd as command, qual as using, with_check as check from pg_policies
       where schemaname = 'lotward' and tablename = $1`,
      [table],
    );
    const loose = policies.flatMap(({ role, command, using, check }) => {
      const name = `${roleOf.get(role)} ${command} ${table}`;
      const looked = changedInPlace.includes(name) ? [using] : [using, check];
      return looked.every((each) => each === null || isConfined(each)) ? [] : [name];
    });
    const mayBeLoose = (each: string) =>
      /^(reader|worker) SELECT /.test(each) && !readOneAtATime.includes(each);
    expect(loose.filter((each) => !mayBeLoose(each)).sort()).toEqual(
      writtenEverywhere.filter((each) => each.endsWith(` ${table}`)),
    );
  });
});

it('(the tables of organizations are those that the roles may touch)', () => {
  expect(guardedTables).toEqual(tenantTables());
});

const OF_ACCOUNT = "(email = NULLIF(current_setting('app.account'::text, true), ''::text))";
/** Accounts are seen and changed by the app only one by one, and memberships also by their organization. */
const policiesOfPeople: Readonly<Record<string, readonly string[]>> = {
  account_memberships: [`app ALL ${OF_THIS_ORGANIZATION}`, `app SELECT ${OF_ACCOUNT}`, 'reader SELECT true'],
  account_recovery_codes: [`app ALL ${OF_ACCOUNT}`],
  accounts: [`app ALL ${OF_ACCOUNT}`, 'reader SELECT true', 'worker SELECT true'],
};

describe.each(tablesOfPeople)('the table %s', (table) => {
  it('of people is guarded by row-level security, with exactly the listed policies', async () => {
    expect(tables.find(({ name }) => name === table)).toMatchObject({ guarded: true });
    const policies = await db.sql<{ role: string; rule: string }>(
      `select unnest(roles)::text as role, concat_ws(' ', cmd, qual, with_check) as rule from pg_policies
       where schemaname = 'lotward' and tablename = $1`,
      [table],
    );
    expect(policies.map(({ role, rule }) => `${roleOf.get(role)} ${rule}`).sort()).toEqual(
      policiesOfPeople[table],
    );
  });
});

describe('the roles of the service', () => {
  it('have exactly the listed privileges, on tables and on columns', async () => {
    const granted = await db.sql<{ role: string; table: string; privilege: string; columns: string | null }>(`
      with given as (
        select c.relname, x.grantee, x.privilege_type, null::name as column
        from pg_class c, aclexplode(c.relacl) x
        where c.relnamespace = 'lotward'::regnamespace and x.grantee <> c.relowner
        union all
        select c.relname, x.grantee, x.privilege_type, a.attname
        from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) x
        where c.relnamespace = 'lotward'::regnamespace and x.grantee <> c.relowner)
      select case grantee when 0 then 'public' else grantee::regrole::name::text end as role, relname as "table",
        lower(privilege_type) as privilege, string_agg("column", ' ' order by "column") as columns
      from given group by grantee, relname, privilege_type, "column" is null order by 1, 2, 3`);
    const found: Record<string, Record<string, string>> = {};
    for (const { role, table, privilege, columns } of granted) {
      const kind = roleOf.get(role) ?? role;
      found[kind] ??= {};
      const own = found[kind];
      const text = columns === null ? privilege : `${privilege}(${columns})`;
      own[table] = own[table] === undefined ? text : `${own[table]} ${text}`;
    }
    expect(found).toEqual(expectedGrants);
  });

  it('have a policy on every guarded table they may touch, and on no other', async () => {
    const policies = await db.sql<{ role: string; table: string }>(
      "select distinct unnest(roles)::text as role, tablename as table from pg_policies where schemaname = 'lotward'",
    );
    const covered = policies.map(({ role, table }) => `${roleOf.get(role) ?? role} ${table}`).sort();
    const touched = ROLE_KINDS.flatMap((kind) =>
      tablesOf(kind)
        .filter((table) => !tablesWithoutTenant.includes(table))
        .map((table) => `${kind} ${table}`),
    ).sort();
    expect(covered).toEqual(touched);
  });

  it('see rows of all organizations only where listed, and the app never', async () => {
    const open = await db.sql<{ role: string; table: string; command: string }>(`
      select unnest(roles)::text as role, tablename as table, cmd as command from pg_policies
      where schemaname = 'lotward' and (qual = 'true' or (cmd = 'INSERT' and with_check = 'true'))`);
    const seen = open.map(({ role, table, command }) => `${roleOf.get(role)} ${command} ${table}`);
    expect(seen.filter((each) => !/^(reader|worker) SELECT /.test(each)).sort()).toEqual(writtenEverywhere);
    const tenant = await db.sql<{ qual: string; check: string | null; kind: string; n: number }>(
      `select qual, with_check as check, permissive as kind, count(*)::int as n from pg_policies
       where schemaname = 'lotward' and policyname = 'tenant' group by 1, 2, 3`,
    );
    expect(tenant).toEqual([
      {
        qual: "(org_id = NULLIF(current_setting('app.org'::text, true), ''::text))",
        check: null,
        kind: 'PERMISSIVE',
        n: tenantTables().length,
      },
    ]);
  });

  it('are confined by permissive policies only: a restrictive one is permissive on the shards of a distributed database', async () => {
    const restrictive = await db.sql<{ policy: string }>(
      `select tablename || ' ' || policyname as policy from pg_policies
       where schemaname = 'lotward' and permissive = 'RESTRICTIVE'`,
    );
    expect(restrictive).toEqual([]);
  });

  it('are not privileged, own nothing, are members of no role, and may create nothing', async () => {
    const names = [...roleOf.keys()];
    const powers = await db.sql(
      `select rolname from pg_roles where rolname = any($1)
       and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication or not rolcanlogin)`,
      [names],
    );
    expect(powers).toEqual([]);
    const owned = await db.sql(
      `select s.classid::regclass, s.objid from pg_shdepend s join pg_roles r on r.oid = s.refobjid
       where r.rolname = any($1) and s.deptype = 'o'`,
      [names],
    );
    expect(owned).toEqual([]);
    const memberships = await db.sql(
      'select * from pg_auth_members m join pg_roles r on r.oid = m.member where r.rolname = any($1)',
      [names],
    );
    expect(memberships).toEqual([]);
    const makers = await db.sql(
      `select rolname from pg_roles where rolname = any($1) and (has_schema_privilege(oid, 'lotward', 'create')
         or has_schema_privilege(oid, 'public', 'create') or has_database_privilege(oid, current_database(), 'create'))`,
      [names],
    );
    expect(makers).toEqual([]);
  });

  it('reach partitions only through their table', async () => {
    await db.database.worker.query(statement('select make_readings_month($1)'), ['2026-11-15']);
    const parts = await db.sql<{ name: string; guarded: boolean; acl: string | null; policies: number }>(`
      select c.relname as name, c.relrowsecurity as guarded, c.relacl::text as acl,
        (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
      from pg_class c where c.relnamespace = 'lotward'::regnamespace and c.relkind = 'r' and c.relispartition order by 1`);
    expect(parts).toEqual([
      { name: 'readings_2026_11', guarded: true, acl: null, policies: 0 },
      { name: 'readings_rest', guarded: true, acl: null, policies: 0 },
    ]);
  });

  it('have no way around the policies: no view, and only the keeping of partitions and statistics with the rights of its owner', async () => {
    const ways = await db.sql<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'lotward'::regnamespace and relkind in ('v', 'm', 'f')
      union all select proname from pg_proc where pronamespace = 'lotward'::regnamespace and prosecdef order by 1`);
    expect(ways.map(({ name }) => name)).toEqual([
      'analyze_grown_tables',
      'drop_old_readings',
      'make_readings_month',
    ]);
    const callers = await db.sql<{ name: string; role: string }>(`
      select p.proname as name, case x.grantee when 0 then 'public' else x.grantee::regrole::name::text end as role
      from pg_proc p, aclexplode(p.proacl) x where p.pronamespace = 'lotward'::regnamespace and p.prosecdef
        and x.grantee <> p.proowner order by 1`);
    expect(callers.map(({ name, role }) => `${roleOf.get(role) ?? role} ${name}`)).toEqual([
      'worker analyze_grown_tables',
      'worker drop_old_readings',
      'worker make_readings_month',
    ]);
  });
});
