import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestDatabase, type TestDatabase } from '../../test/harness/index.js';
import { type ListPage, type Pool, type Statement, type Tx, usualPage } from '../platform/database/index.js';
import type { CertificateFilter } from './certificate-list.store.js';
import { listCertificates } from './certificate-list.store.js';
import { gateRecordReader, readGateRecord } from './gate.store.js';

const CERTIFICATES = 30_000;
const TODAY = '2026-11-15';

interface Asked extends Statement {
  values: readonly unknown[];
}
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Rows Removed by Filter'?: number;
  'Actual Loops'?: number;
  Plans?: PlanNode[];
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe(`with ${CERTIFICATES} certificates whose ids rise with their dates the database`, () => {
  let db: TestDatabase;
  let orgId: string;
  let owner: pg.Client;

  beforeAll(async () => {
    db = await openTestDatabase();
    orgId = (await newOrganization(db)).organization.orgId;
    await fill(db, orgId, CERTIFICATES);
    // Other organizations have certificates too: a plan must not live off there being one organization.
    for (let i = 0; i < 3; i++) await fill(db, (await newOrganization(db)).organization.orgId, 1_000);
    await db.sql('vacuum analyze');
    owner = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward,public' });
    await owner.connect();
  }, 120_000);
  afterAll(async () => {
    await owner?.end();
    await db?.drop();
  });

  const become = async (kind: 'reader' | 'app') => {
    const [role] = await db.sql<{ name: string }>('select name from service_roles where kind = $1', [kind]);
    await owner.query(`reset role; set role ${owner.escapeIdentifier(role?.name ?? '')}`);
  };
  async function explain(sql: string, values?: readonly unknown[]): Promise<PlanNode[]> {
    const { rows } = await owner.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      sql,
      values ? [...values] : undefined,
    );
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (!plan) throw new Error('no plan');
    return nodesOf(plan).filter((node) => node['Relation Name'] === 'certificates');
  }
  const run = ({ text, values }: Asked) =>
    explain(`explain (analyze, timing off, format json) ${text}`, values);
  const indexes = (nodes: readonly PlanNode[]) =>
    nodes.map((node) => node['Index Name'] ?? node['Node Type']);
  const touched = (nodes: readonly PlanNode[]) =>
    nodes.reduce(
      (sum, node) =>
        sum +
        ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
      0,
    );

  /** The statements of a list, as if none of them found enough. */
  async function statementsOf(
    filter: CertificateFilter,
    page: ListPage = usualPage(null, 51),
    withCustomers = true,
  ) {
    const asked: Asked[] = [];
    const pool = {
      query: async (statement: Statement, values: readonly unknown[]) => {
        asked.push({ ...statement, values });
        return [];
      },
    } as unknown as Pool;
    await listCertificates(pool, { orgId, today: TODAY, filter, withCustomers, page });
    return asked;
  }

  it.each<[CertificateFilter, string, number]>([
    [{}, 'certificates_pkey', 200],
    [{ certificateNo: 'NO-77' }, 'certificates_no', 10],
    [{ subjectType: ['product'], subjectCode: 'P-7' }, 'certificates_subject', 200],
    [{ subjectCode: 'P-7' }, 'certificates_subject', 200],
    [{ subjectType: ['customer'] }, 'certificates_subject_type', 200],
    [{ type: 'rare' }, 'certificates_type', 200],
    [{ status: ['revoked'] }, 'certificates_state', 200],
    [{ status: ['superseded'], type: 'rare' }, 'certificates_type', 200],
    [{ status: ['revoked', 'suspended'] }, 'certificates_state', 1_000],
  ])('finds %j by its index, in order, and stops at the end of the page', async (filter, index, most) => {
    await become('reader');
    for (const after of [null, 'crt_00000000000000000000015000']) {
      const asked = await statementsOf(filter, usualPage(after, 51));
      expect(asked).toHaveLength(1);
      for (const each of asked) {
        const nodes = await run(each);
        expect(indexes(nodes)).toContain(index);
        expect(indexes(nodes)).not.toContain('Seq Scan');
        expect(touched(nodes)).toBeLessThanOrEqual(most);
      }
    }
  });

  it.each([
    [null, false],
    [null, true],
    [['3287', 'crt_00000000000000000000015000'], false],
    [['10009000', 'crt_00000000000000000000015000'], true],
  ] as const)('lists by expiry from an index: after %j, descending: %s', async (after, isDescending) => {
    await become('reader');
    const page = { ...usualPage(null, 51), after, sort: { by: 'validTo', isDescending } };
    for (const each of await statementsOf({}, page)) {
      const nodes = await run(each);
      expect(indexes(nodes)).toContain('certificates_by_expiry');
      expect(touched(nodes)).toBeLessThanOrEqual(200);
    }
  });

  it.each<[CertificateFilter, string]>([
    [{ status: ['expiring'] }, 'certificates_expiry'],
    [{ status: ['expiring'], type: 'licence' }, 'certificates_expiry'],
    [{ expiringWithinDays: 30 }, 'certificates_expiry'],
    // Both indexes, together.
    [{ status: ['expiring', 'not_yet_valid'] }, 'Bitmap Heap Scan'],
    [{ expiringWithinDays: 7, subjectType: ['product'] }, 'certificates_expiry'],
    [{ status: ['not_yet_valid'] }, 'certificates_beginning'],
  ])('finds %j by walking a little and then by dates, never by walking on', async (filter, index) => {
    await become('reader');
    const [near, far, ...more] = await statementsOf(filter);
    expect(more).toEqual([]);
    if (!near || !far) throw new Error('two statements were expected');
    expect(touched(await run(near))).toBeLessThanOrEqual(2_100);
    const nodes = await run(far);
    expect(indexes(nodes)).toContain(index);
    expect(indexes(nodes)).not.toContain('Seq Scan');
    expect(touched(nodes)).toBeLessThanOrEqual(CERTIFICATES / 6);
  });

  it.each<CertificateFilter>([
    { status: ['valid'] },
    { status: ['expired'] },
    { status: ['valid'], type: 'licence' },
  ])('finds %j, which may be half of the register, from indexes alone', async (filter) => {
    await become('reader');
    for (const each of await statementsOf(filter)) {
      const nodes = await run(each);
      expect(indexes(nodes)).not.toContain('Seq Scan');
      const walks = nodes.filter((node) => (node['Actual Rows'] ?? 0) > 51);
      for (const node of walks) expect(node['Node Type']).toMatch(/Index Only Scan|Bitmap/);
    }
  });

  it('is asked with the values at hand: a plan for any date would be bad for most', async () => {
    for (const filter of [
      { status: ['expiring'] },
      { type: 'rare' },
      { status: ['valid'] },
    ] satisfies CertificateFilter[])
      for (const { name } of await statementsOf(filter)) expect(name).toBe('');
  });

  it('reads the gate of many subjects by their index, with or without knowing them', async () => {
    await become('app');
    const asked: Asked[] = [];
    const note = async (statement: Statement, values: readonly unknown[]) => {
      asked.push({ ...statement, values });
      return [{ mode: 'refuse', demanded: [], certificates: [] }];
    };
    const subjects = Array.from({ length: 200 }, (_, i) => ({ type: 'product' as const, code: `P-${i}` }));
    const tx = { orgId, query: note } as unknown as Tx;
    await readGateRecord(tx, subjects);
    const ofDocuments = gateRecordReader({
      ...{ partnerType: 'customer', partnerCodes: '$2::text[]', productCodes: '$3::text[]' },
    });
    await ofDocuments(tx, [['HOSP-1'], subjects.map(({ code }) => code)]);
    expect(asked).toHaveLength(2);
    for (const { text, values } of asked)
      for (const nodes of [
        await explain(`explain (format json) ${text}`, values),
        await explain(`explain (generic_plan, format json) ${text}`),
      ])
        expect(indexes(nodes)).toEqual(['certificates_subject']);
  });
});

async function fill(db: TestDatabase, orgId: string, certificates: number): Promise<void> {
  await db.sql(
    `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
       near_expiry_days, status, created_at, updated_at)
     select $1, 'P-' || i, 'prd_' || lpad(i::text, 26, '0'), 'Product', false, false, 'batch', 0, 180, 'active', now(), now()
     from generate_series(0, 999) i`,
    [orgId],
  );
  await db.sql(
    `insert into partners (org_id, code, name, roles, status, created_at, updated_at)
     values ($1, 'H-1', 'Hospital', '{customer}', 'active', now(), now())`,
    [orgId],
  );
  await db.sql(
    `insert into certificates (org_id, certificate_id, certificate_no, type, subject_type, subject_code, issuer, valid_from,
       valid_to, state, superseded_by, version, created_at, created_by, updated_at)
     select $1, 'crt_' || lpad(i::text, 26, '0'), 'NO-' || i, case when i % 1000 = 3 then 'rare' else 'licence' end,
       case when i % 1000 = 5 then 'customer' else 'product' end, case when i % 1000 = 5 then 'H-1' else 'P-' || i % 1000 end,
       'Office', date '${TODAY}' - 2500 + i * 3000 / $2::integer, date '${TODAY}' - 1500 + i * 3000 / $2::integer,
       case when i % 500 = 8 then 'revoked' when i % 5 = 4 then 'superseded' else 'active' end,
       case when i % 500 <> 8 and i % 5 = 4 then 'crt_' || lpad('1', 26, '0') end, 1, now(), 'x', now()
     from generate_series(1, $2::integer) i`,
    [orgId, certificates],
  );
}
