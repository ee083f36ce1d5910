import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explainer, openExplainer, type Planning } from '../../test/harness/explained.js';
import { newOrganization, openTestDatabase, type TestDatabase } from '../../test/harness/index.js';
import { type BatchFilter, type BatchRecord, listBatches } from './batch-list.store.js';

const PRODUCTS = 500;
const BATCHES_EACH = 30;
/** One batch in so many is in stock; all others were sold long ago. */
const STOCKED_EVERY = 15;
/** One in so many of those in stock is on hold; one in so many of those on hold is recalled. */
const HELD_EVERY = 10;
const RECALLED_EVERY = 5;
const PAGE = 51;
const TODAY = '2026-11-15';
/** Rows that all steps of a plan together may look at for each batch on the page. */
const LOOKED_AT_EACH = 80;

const BATCHES = PRODUCTS * BATCHES_EACH;
const STOCKED = BATCHES / STOCKED_EVERY;

describe(`among ${BATCHES} batches, of which ${STOCKED} are in stock`, () => {
  let db: TestDatabase;
  let orgId: string;
  let explainer: Explainer;

  beforeAll(async () => {
    db = await openTestDatabase();
    orgId = (await newOrganization(db)).organization.orgId;
    await fill(orgId, PRODUCTS);
    // Other organizations have batches too: a plan must not live off there being one organization.
    for (let i = 0; i < 2; i++) await fill((await newOrganization(db)).organization.orgId, 50);
    await db.sql('vacuum analyze');
    explainer = await openExplainer(db);
  }, 60_000);
  afterAll(async () => {
    await explainer?.close();
    await db?.drop();
  });

  /** Most batches have expired; of those in stock every seventh. */
  async function fill(org: string, products: number): Promise<void> {
    const numbered = `generate_series(1, ${products}) p, generate_series(1, ${BATCHES_EACH}) b,
      lateral (select (p - 1) * ${BATCHES_EACH} + b as n, 'P-' || lpad(p::text, 5, '0') as code, 'B-' || lpad(b::text, 3, '0') as batch) x`;
    const inStock = `x.n % ${STOCKED_EVERY} = 0`;
    for (const text of [
      `insert into warehouses (org_id, code, name, created_at, updated_at)
       select $1, w, w, now(), now() from unnest(array['WH-1', 'WH-2', 'WH-3']) w`,
      `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
         near_expiry_days, status, created_at, updated_at)
       select $1, 'P-' || lpad(p::text, 5, '0'), 'prd_' || p, 'Product', true, false, 'batch', 0, 90, 'active', now(), now()
       from generate_series(1, ${products}) p`,
      `insert into batches (org_id, product_code, batch_no, expiry_date, created_at)
       select $1, x.code, x.batch, case when ${inStock} and x.n % ${STOCKED_EVERY * 7} <> 0
         then date '2028-01-01' else date '2020-01-01' end, now() from ${numbered}`,
      `insert into balances (org_id, product_code, warehouse, batch_no, quantity, whole_holds)
       select $1, x.code, w, x.batch, case when ${inStock} then 5 else 0 end,
         case when x.n % ${STOCKED_EVERY * HELD_EVERY} = 0 then 1 else 0 end
       from ${numbered}, unnest(array['WH-1', 'WH-2', 'WH-3']) w where w <> 'WH-3' or x.n % 150 = 0`,
      `insert into holds (org_id, hold_id, product_code, batch_no, extent, category, source, reason, created_at, created_by, released_at, updated_at)
       select $1, 'hld_' || x.n || '_' || r, x.code, x.batch, 'batch',
         case when x.n % ${STOCKED_EVERY * HELD_EVERY * RECALLED_EVERY} = 0 then 'recall' else 'logistics' end,
         case when x.n % ${STOCKED_EVERY * HELD_EVERY * RECALLED_EVERY} = 0 then 'recall' else 'manual' end,
         'look', now(), 'x', case when r = 0 then null else now() end, now()
       from ${numbered}, generate_series(0, 1) r
       where (r = 1 and x.n % 5 = 0) or x.n % ${STOCKED_EVERY * HELD_EVERY} = 0`,
    ])
      await db.sql(text, [org]);
  }

  const PLANNINGS: readonly Planning[] = ['force_custom_plan', 'force_generic_plan'];

  /** Rows that the page took, by the worse of the two ways to plan it. */
  async function rowsFor(filter: BatchFilter, after: readonly string[] | null = null) {
    let page: BatchRecord[] = [];
    let rows = 0;
    for (const planning of PLANNINGS) {
      const now = new Date(`${TODAY}T10:00:00Z`);
      const cost = await explainer.costOf({ orgId, now, planning }, async (tx) => {
        page = await listBatches({ ...tx, today: TODAY }, filter, after, PAGE);
      });
      rows = Math.max(rows, cost.rows);
    }
    return { page, rows };
  }

  it.each<[name: string, BatchFilter, after: string[] | null, found: number]>([
    ['the first page', {}, null, PAGE],
    ['a page from the middle', {}, ['P-00250', 'B-015'], PAGE],
    ['the page of those released', { status: ['released'] }, null, PAGE],
    ['the page of those on hold', { status: ['on_hold'] }, null, PAGE],
    ['the page of those recalled', { status: ['recalled'] }, null, 20],
    ['the page of those released or recalled', { status: ['released', 'recalled'] }, null, PAGE],
    ['the page of one warehouse', { warehouse: 'WH-1' }, null, PAGE],
    ['the page of a warehouse with few', { warehouse: 'WH-3' }, null, PAGE],
    ['the page of one number', { batchNo: 'B-015' }, null, PAGE],
    ['those of a product', { productCode: 'P-00250' }, null, 2],
    ['one batch', { productCode: 'P-00250', batchNo: 'B-014' }, null, 1],
  ])('%s is read without looking at what was sold', async (_name, filter, after, found) => {
    const { page, rows } = await rowsFor(filter, after);
    expect(page).toHaveLength(found);
    expect(rows).toBeLessThanOrEqual(LOOKED_AT_EACH * Math.max(found, 10));
  });

  it.each<[name: string, BatchFilter]>([
    ['expired', { status: ['expired'] }],
    ['expiring', { expiringBefore: '2026-12-01' }],
  ])('those that are %s are found among those in stock', async (_name, filter) => {
    const { page, rows } = await rowsFor(filter);
    expect(page).toHaveLength(PAGE);
    // One in seven of those in stock has expired.
    expect(rows).toBeLessThanOrEqual(LOOKED_AT_EACH * PAGE * 7);
  });
});
