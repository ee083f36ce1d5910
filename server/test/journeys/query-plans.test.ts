import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listProducts, productReader } from '../../src/catalogue/product.store.js';
import { BY_UPDATE, type Pool, type Statement, usualPage } from '../../src/platform/database/index.js';
import { readProducts, readWarehousePage, stockReader } from '../../src/stock/inventory.store.js';
import { newOrganization, openTestDatabase, sized, type TestDatabase } from '../harness/index.js';

const PRODUCTS = sized(6_000, 20_000);

interface Asked {
  text: string;
  values: readonly unknown[];
}
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

/** A reader that records statements and returns no rows. */
function listener(): { pool: Pool; asked: Asked[] } {
  const asked: Asked[] = [];
  const note = async (statement: Statement, values: readonly unknown[]) => {
    asked.push({ text: statement.text, values });
    return [];
  };
  return { pool: { query: note, queryRows: note } as unknown as Pool, asked };
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe(`with ${PRODUCTS} products the database`, () => {
  let db: TestDatabase;
  let orgId: string;
  let owner: pg.Client;

  beforeAll(async () => {
    db = await openTestDatabase();
    orgId = (await newOrganization(db)).organization.orgId;
    await fill(db, orgId, PRODUCTS);
    // Other organizations have products too: a plan must not live off there being one organization.
    for (let i = 0; i < 3; i++) await fill(db, (await newOrganization(db)).organization.orgId, 1_000);
    await db.sql('vacuum analyze');
    owner = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward,public' });
    await owner.connect();
    const [role] = await db.sql<{ name: string }>(`select name from service_roles where kind = 'reader'`);
    await owner.query(`set role ${owner.escapeIdentifier(role?.name ?? '')}`);
  });
  afterAll(async () => {
    await owner?.end();
    await db?.drop();
  });

  /** The plans of the very statement, as the reader's role: with these values, and for any values. */
  async function plans({ text, values }: Asked): Promise<PlanNode[][]> {
    const explain = async (sql: string, given?: unknown[]) => {
      const { rows } = await owner.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(sql, given);
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      if (!plan) throw new Error('no plan');
      return nodesOf(plan);
    };
    return [
      await explain(`explain (format json) ${text}`, [...values]),
      await explain(`explain (generic_plan, format json) ${text}`),
    ];
  }
  const seqScans = (nodes: readonly PlanNode[]) =>
    nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
  const indexes = (nodes: readonly PlanNode[]) =>
    nodes.map((node) => node['Index Name']).filter((name) => name !== undefined);

  async function expectIndexesOnly(asked: readonly Asked[]): Promise<void> {
    expect(asked.length).toBeGreaterThan(0);
    for (const each of asked)
      for (const nodes of await plans(each)) {
        expect(seqScans(nodes)).toEqual([]);
        expect(indexes(nodes).length).toBeGreaterThan(0);
      }
  }

  it.each([1, 8, 128])(
    'answers %i inventory questions at once, with or without a warehouse, by index',
    async (count) => {
      for (const warehouse of ['WH-1', null]) {
        const { pool, asked } = listener();
        const read = stockReader(pool);
        await Promise.all(
          Array.from({ length: count }, (_, i) => read({ orgId, productCode: `P-${i * 7}`, warehouse })),
        );
        await expectIndexesOnly(asked);
      }
    },
  );

  it('answers 200 products of one request in one statement, by index', async () => {
    const codes = Array.from({ length: 200 }, (_, i) => `P-${i * 7}`);
    for (const warehouse of ['WH-1', null]) {
      const { pool, asked } = listener();
      await readProducts(pool, orgId, codes, warehouse);
      expect(asked).toHaveLength(1);
      await expectIndexesOnly(asked);
    }
  });

  it('answers a page of a warehouse by index, from the first as from the middle', async () => {
    for (const after of [null, 'P-5']) {
      const { pool, asked } = listener();
      await readWarehousePage(pool, orgId, 'WH-1', after, 51);
      await expectIndexesOnly(asked);
    }
  });

  it('answers products by code or id by index', async () => {
    const { pool, asked } = listener();
    const read = productReader(pool);
    await Promise.all(['P-1', 'prd_00000000000000000000000000'].map((idOrCode) => read({ orgId, idOrCode })));
    expect(asked).toHaveLength(2);
    await expectIndexesOnly(asked);
  });

  it.each(['catheter 19', 'ULTRA-RARE', 'stent', 'zzz', 'STE'])(
    'searches names for "%s" by the trigram index',
    async (name) => {
      const { pool, asked } = listener();
      await listProducts(pool, orgId, { name }, usualPage(null, 51));
      await listProducts(pool, orgId, { name }, usualPage('P-2', 51));
      await listProducts(pool, orgId, { name, status: ['active'] }, usualPage(null, 51));
      for (const each of asked) {
        const [planned = []] = await plans(each);
        expect(indexes(planned)).toContain('products_name_search');
        expect(seqScans(planned)).toEqual([]);
      }
    },
  );

  it('lists products, and those changed since, by index', async () => {
    const { pool, asked } = listener();
    await listProducts(pool, orgId, {}, usualPage('P-5', 51));
    await listProducts(pool, orgId, { productCode: 'P-7' }, usualPage(null, 51));
    const updatedSince = '2026-11-20T00:00:00.000Z';
    await listProducts(pool, orgId, {}, { ...usualPage(null, 51), updatedSince });
    const page = { limit: 51, after: [updatedSince, 'P-7'], sort: BY_UPDATE };
    await listProducts(pool, orgId, {}, page);
    await expectIndexesOnly(asked);
  });
});

async function fill(db: TestDatabase, orgId: string, products: number): Promise<void> {
  const at = '2026-11-15T10:00:00Z';
  await db.sql(
    `insert into warehouses select $1, 'WH-' || i, 'Warehouse', $2, $2 from generate_series(1, 300) i`,
    [orgId, at],
  );
  await db.sql(
    `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
       near_expiry_days, status, created_at, updated_at)
     select $1, 'P-' || i, 'prd_' || lpad(i::text, 26, '0'),
       (array['Catheter', 'Coronary stent', '一次性使用输液器', 'Surgical gloves'])[1 + i % 4] || ' ' || i
         || case when i % 5000 = 7 then ' ultra-rare' else '' end,
       false, false, 'batch', 0, 180, 'active', $2::timestamptz, $2::timestamptz + i * interval '1 minute'
     from generate_series(1, $3::integer) i`,
    [orgId, at, products],
  );
  await db.sql(
    `insert into device_identifiers select $1, 'U-' || i, 'P-' || i, null, 1, 0 from generate_series(1, $2::integer) i`,
    [orgId, products],
  );
  await db.sql(
    `insert into batches (org_id, product_code, batch_no, expiry_date, created_at)
     select $1, 'P-' || i, 'B' || b, date '2028-01-01', $2 from generate_series(1, $3::integer) i, generate_series(1, 2) b`,
    [orgId, at, products],
  );
  await db.sql(
    `insert into balances (org_id, product_code, warehouse, batch_no, quantity)
     select $1, 'P-' || i, 'WH-' || (1 + b % 2), 'B' || b, i % 10 from generate_series(1, $2::integer) i, generate_series(1, 2) b`,
    [orgId, products],
  );
}
