import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explainer, openExplainer, type Planning } from '../../test/harness/explained.js';
import { newOrganization, openTestDatabase, sized, type TestDatabase } from '../../test/harness/index.js';
import { SCOPES } from '../access/index.js';
import { type ExpiringBatch, type ExpiringFilter, listExpiring } from '../stock/index.js';
import { readOverview } from './read-overview.js';

const PRODUCTS = sized(150, 400);
const BATCHES_EACH = 50;
/** One batch in so many is in stock; all others were sold long ago. */
const STOCKED_EVERY = 5;
const DAYS = 700;
/** None of them ends within a year. */
const CERTIFICATES = 5_000;
const PAGE = 51;
const TODAY = '2026-11-15';
const BATCHES = PRODUCTS * BATCHES_EACH;
const PLANNINGS: readonly Planning[] = ['force_custom_plan', 'force_generic_plan'];

describe(`with ${BATCHES / STOCKED_EVERY} batches in stock, of ${DAYS} expiry dates, and four times as many sold`, () => {
  let db: TestDatabase;
  let orgId: string;
  let explainer: Explainer;

  beforeAll(async () => {
    db = await openTestDatabase();
    orgId = (await newOrganization(db)).organization.orgId;
    await fill(orgId, PRODUCTS);
    await fill((await newOrganization(db)).organization.orgId, 50);
    await db.sql('vacuum analyze');
    explainer = await openExplainer(db);
  }, 60_000);
  afterAll(async () => {
    await explainer?.close();
    await db?.drop();
  });

  /** The batches that were sold expired a year ago and earlier; a fifth of those in stock have expired too. */
  async function fill(org: string, products: number): Promise<void> {
    const numbered = `generate_series(1, ${products}) p, generate_series(1, ${BATCHES_EACH}) b,
      lateral (select (p - 1) * ${BATCHES_EACH} + b as n, 'P-' || lpad(p::text, 5, '0') as code, 'B-' || lpad(b::text, 3, '0') as batch) x`;
    const inStock = `x.n % ${STOCKED_EVERY} = 0`;
    const date = `case when ${inStock} then date '${TODAY}' - 100 + x.n % ${DAYS} else date '${TODAY}' - 366 - x.n % 1000 end`;
    for (const text of [
      `insert into warehouses (org_id, code, name, created_at, updated_at) values ($1, 'WH-1', 'WH-1', now(), now())`,
      `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
         near_expiry_days, status, created_at, updated_at)
       select $1, 'P-' || lpad(p::text, 5, '0'), 'prd_' || p, 'Product', true, false, 'batch', 0, 90, 'active', now(), now()
       from generate_series(1, ${products}) p`,
      `insert into batches (org_id, product_code, batch_no, expiry_date, created_at)
       select $1, x.code, x.batch, ${date}, now() from ${numbered}`,
      `insert into balances (org_id, product_code, warehouse, batch_no, quantity)
       select $1, x.code, 'WH-1', x.batch, case when ${inStock} then 5 else 0 end from ${numbered}`,
      `insert into certificates (org_id, certificate_id, certificate_no, type, subject_type, subject_code, issuer, valid_from, valid_to, state,
         version, created_at, created_by, updated_at)
       select $1, 'crt_' || n, 'REG-' || n, 'registration', 'product', 'P-' || lpad((1 + n % ${products})::text, 5, '0'), 'Office',
         date '${TODAY}' - 900, date '${TODAY}' + 500 + n % 1000, 'active', 1, now(), 'x', now() from generate_series(1, ${CERTIFICATES}) n`,
      `insert into stock_tallies (org_id, expiry_date, total, reserved, held, batches, products)
       select $1, ${date}, sum(5), 0, 0, count(*), 0 from ${numbered} where ${inStock} group by 2`,
    ])
      await db.sql(text, [org]);
  }

  const now = new Date(`${TODAY}T10:00:00Z`);

  it('the overview looks at the dates, not at the stock, and not at the certificates for each month', async () => {
    for (const planning of PLANNINGS) {
      const { rows } = await explainer.costOf({ orgId, now, planning }, (tx) =>
        readOverview({ ...tx, today: TODAY }, new Set(SCOPES)),
      );
      expect(rows).toBeGreaterThan(DAYS);
      // Some steps of one plan pass on each of the dates.
      expect(rows).toBeLessThanOrEqual(DAYS * 8 + 2 * CERTIFICATES);
    }
  });

  async function rowsFor(filter: Partial<ExpiringFilter>, after: readonly string[] | null = null) {
    let page: ExpiringBatch[] = [];
    let rows = 0;
    for (const planning of PLANNINGS) {
      const cost = await explainer.costOf({ orgId, now, planning }, async (tx) => {
        const all = { from: undefined, through: undefined, productCode: undefined, warehouse: undefined };
        page = await listExpiring({ ...tx, today: TODAY }, { ...all, ...filter }, after, PAGE);
      });
      rows = Math.max(rows, cost.rows);
    }
    return { page, rows };
  }

  it.each<[name: string, filter: Partial<ExpiringFilter>, after: string[] | null]>([
    ['the first page, of those that have expired', {}, null],
    ['the page of those with up to 30 days left', { from: TODAY, through: '2026-12-15' }, null],
    ['a page from the middle', {}, ['2027-06-01', 'P-00200', 'B-005']],
    ['the page of one warehouse', { from: TODAY, warehouse: 'WH-1' }, null],
  ])('%s is read without looking at what was sold or expires later', async (_name, filter, after) => {
    const { page, rows } = await rowsFor(filter, after);
    expect(page).toHaveLength(PAGE);
    const dates = page.map(({ expiryDate }) => new Date(expiryDate).getTime());
    expect(dates).toEqual([...dates].sort((a, b) => a - b));
    expect(rows).toBeLessThanOrEqual(DAYS * 6 + PAGE * 30);
  });
});
