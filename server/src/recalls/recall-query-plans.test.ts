import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explainer, openExplainer, type Planning } from '../../test/harness/explained.js';
import { newOrganization, openTestDatabase, type TestDatabase } from '../../test/harness/index.js';
import { readRecalledBalances } from '../stock/recalled-balance.store.js';

const BATCHES = 1_000;
const EARLIER = 3;
/** Rows that all steps of a plan together may look at for each recalled batch. */
const LOOKED_AT_EACH = 40;
const RECALL = 'rcl_1';

describe(`a recall of ${BATCHES} batches, of which the statistics of the database know nothing yet`, () => {
  let db: TestDatabase;
  let orgId: string;
  let explainer: Explainer;

  beforeAll(async () => {
    db = await openTestDatabase();
    orgId = (await newOrganization(db)).organization.orgId;
    await db.sql('vacuum (analyze) holds, recall_holds, hold_serials, serials');
    for (let recall = 1; recall <= 1 + EARLIER; recall++) await fill(recall);
    await db.sql('vacuum (analyze) balances');
    explainer = await openExplainer(db);
  }, 60_000);
  afterAll(async () => {
    await explainer?.close();
    await db?.drop();
  });

  async function fill(recall: number): Promise<void> {
    const batches = `generate_series(1, ${BATCHES}) b`;
    for (const text of [
      `insert into warehouses (org_id, code, name, created_at, updated_at)
       values ($1, 'WH-1', 'Main', now(), now()) on conflict do nothing`,
      `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
         near_expiry_days, status, created_at, updated_at)
       values ($1, 'P-${recall}', 'prd_${recall}', 'Valve', true, false, 'batch', 0, 90, 'active', now(), now())`,
      `insert into batches (org_id, product_code, batch_no, expiry_date, created_at)
       select $1, 'P-${recall}', 'B-' || b, '2030-01-01', now() from ${batches}`,
      `insert into balances (org_id, product_code, warehouse, batch_no, quantity, whole_holds)
       select $1, 'P-${recall}', 'WH-1', 'B-' || b, 5, 1 from ${batches}`,
      `insert into recalls (org_id, recall_id, recall_no, product_code, extent, class, reason, status, opened_at, opened_by, version,
         opened_position, last_event_at)
       values ($1, 'rcl_${recall}', 'R-${recall}', 'P-${recall}', 'product', 'I', 'leaks', 'open', now(), 'x', 1, 0, now())`,
      `insert into holds (org_id, hold_id, product_code, batch_no, extent, category, source, reason, created_at, created_by, updated_at)
       select $1, 'hld_${recall}_' || b, 'P-${recall}', 'B-' || b, 'batch', 'recall', 'recall', 'leaks', now(), 'x', now() from ${batches}`,
      `insert into recall_holds (org_id, recall_id, hold_id) select $1, 'rcl_${recall}', 'hld_${recall}_' || b from ${batches}`,
    ])
      await db.sql(text, [orgId]);
  }

  it.each<Planning>(['force_custom_plan', 'force_generic_plan'])(
    'its stock is read by its own holds, planned with %s',
    async (planning) => {
      let found = 0;
      const now = new Date('2026-11-15T12:00:00Z');
      const { rows } = await explainer.costOf({ orgId, now, planning }, async (tx) => {
        found = (await readRecalledBalances(tx, [RECALL])).length;
      });
      expect(found).toBe(BATCHES);
      expect(rows / BATCHES).toBeLessThan(LOOKED_AT_EACH);
    },
  );
});
