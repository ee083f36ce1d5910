import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explainer, openExplainer } from '../../test/harness/explained.js';
import { newOrganization, openTestDatabase, sized, type TestDatabase } from '../../test/harness/index.js';
import { pairKey } from '../indexing/index.js';
import type { Tx } from '../platform/database/index.js';
import { listHolds } from './hold.store.js';
import { listMovements, type MovementFilter } from './movement.store.js';

const MOVEMENTS = sized(8_000, 30_000);
const PRODUCTS = sized(100, 300);
const PAGE = 51;
/** Rows that all steps of a plan together may look at for each row on the page. */
const LOOKED_AT_EACH = 12;

const codeOf = (n: number) => `P-${String(n % PRODUCTS).padStart(4, '0')}`;
const batchOf = (n: number) => `B-${String(n).padStart(6, '0')}`;
const keyOf = (n: number) => pairKey(codeOf(n), batchOf(n));
const newest = (count: number) => Array.from({ length: count }, (_, i) => MOVEMENTS - i);
const found = { text: 'none', product: [], batch: [], serial: [], receipt: [], dispatch: [] };

describe(`among ${MOVEMENTS} movements and holds`, () => {
  let db: TestDatabase;
  let orgId: string;
  let explainer: Explainer;

  beforeAll(async () => {
    db = await openTestDatabase();
    for (let i = 0; i < 2; i++) await fill((await newOrganization(db)).organization.orgId);
    await db.sql('vacuum analyze');
    explainer = await openExplainer(db);
  }, 60_000);
  afterAll(async () => {
    await explainer?.close();
    await db?.drop();
  });

  async function fill(org: string): Promise<void> {
    orgId = org;
    const code = `'P-' || lpad((n % ${PRODUCTS})::text, 4, '0')`;
    const batch = `'B-' || lpad(n::text, 6, '0')`;
    const numbered = `generate_series(1, ${MOVEMENTS}) n`;
    for (const text of [
      `insert into warehouses (org_id, code, name, created_at, updated_at) values ($1, 'WH-1', 'WH-1', now(), now())`,
      `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
         near_expiry_days, status, created_at, updated_at)
       select $1, 'P-' || lpad(n::text, 4, '0'), 'prd_' || n, 'Product', true, false, 'batch', 0, 90, 'active', now(), now()
       from generate_series(0, ${PRODUCTS - 1}) n`,
      `insert into batches (org_id, product_code, batch_no, created_at) select $1, ${code}, ${batch}, now() from ${numbered}`,
      `insert into movements (org_id, movement_id, kind, product_code, warehouse, batch_no, quantity, quantity_delta, document_type,
         document_id, occurred_at, recorded_at, actor, credential_id, position)
       select $1, 'mov_' || lpad(n::text, 9, '0'), 'receipt', ${code}, 'WH-1', ${batch}, 1, 1,
         case when n % 2 = 0 then 'receipt' else 'dispatch' end, 'doc_' || n, now(), now(), 'x', 'x', n from ${numbered}`,
      `insert into holds (org_id, hold_id, product_code, batch_no, warehouse, extent, quantity, source, category, reason, created_at, created_by,
         released_at, updated_at)
       select $1, 'hld_' || lpad(n::text, 9, '0'), ${code}, ${batch}, 'WH-1', 'quantity', 1, 'manual', 'logistics', 'look', now(), 'x', now(), now()
       from ${numbered}`,
    ])
      await db.sql(text, [org]);
  }

  async function costFor(read: (tx: Tx) => Promise<readonly unknown[]>) {
    let count = 0;
    const options = { orgId, now: new Date('2026-11-15T10:00:00Z'), planning: 'force_custom_plan' as const };
    const { rows } = await explainer.costOf(options, async (tx) => {
      count = (await read(tx)).length;
    });
    return { count, rows };
  }

  it.each<[what: string, filter: MovementFilter, count: number]>([
    ['an old batch', { matches: { ...found, batch: [keyOf(7)] } }, 1],
    ['two documents', { matches: { ...found, receipt: ['doc_8'], dispatch: ['doc_7'] } }, 2],
    ['a product', { matches: { ...found, product: [codeOf(7)] } }, PAGE],
    ['a document named by a link', { documentId: 'doc_7' }, 1],
    ['much of what is new', { matches: { ...found, batch: newest(1_000).map(keyOf) } }, PAGE],
    ['nothing', { matches: found }, 0],
  ])('finds the movements of %s without looking at the ledger', async (_what, filter, count) => {
    const cost = await costFor((tx) => listMovements(tx, filter, null, PAGE));
    expect(cost.count).toBe(count);
    expect(cost.rows).toBeLessThanOrEqual(PAGE * LOOKED_AT_EACH);
  });

  it.each<[what: string, keys: string[], count: number]>([
    ['an old batch', [keyOf(7)], 1],
    ['much of what is new', newest(1_000).map(keyOf), PAGE],
  ])('finds the holds of %s without looking at all', async (_what, batch, count) => {
    const matches = { text: 'none', product: [], batch };
    const page = { limit: PAGE, after: null, sort: null };
    const cost = await costFor((tx) => listHolds(tx, { matches }, page));
    expect(cost.count).toBe(count);
    expect(cost.rows).toBeLessThanOrEqual(PAGE * LOOKED_AT_EACH);
  });
});
