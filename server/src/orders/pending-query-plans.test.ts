import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explainer, openExplainer } from '../../test/harness/explained.js';
import { newOrganization, openTestDatabase, type TestDatabase } from '../../test/harness/index.js';
import type { Tx } from '../platform/database/index.js';
import { lockPartiesOfPending, readGateOfPending, readStockForPending } from './pending-order.store.js';

const KNOWN = 2_000;
const PENDING = 3_000;
const APPROVED_AT_ONCE = 8;
/** For eight orders of one line, with their customer and product. */
const ROWS_MOST = 40 * APPROVED_AT_ONCE;

const reads: Record<string, (tx: Tx, orderIds: readonly string[]) => Promise<unknown>> = {
  'the customers and products': (tx, ids) => lockPartiesOfPending(tx, [ids]),
  'the licences': (tx, ids) => readGateOfPending(tx, [ids]),
  'the stock': (tx, ids) => readStockForPending(tx, [ids]),
};

describe(`with ${PENDING} orders for approval that came after the statistics were taken`, () => {
  let db: TestDatabase;
  let orgId: string;
  let explainer: Explainer;
  beforeAll(async () => {
    db = await openTestDatabase();
    for (const table of ['orders', 'order_lines'])
      await db.sql(`alter table ${table} set (autovacuum_enabled = off)`);
    orgId = (await newOrganization(db)).organization.orgId;
    await db.sql(
      `insert into warehouses (org_id, code, name, created_at, updated_at) values ($1, 'WH-1', 'Main', now(), now())
       on conflict do nothing`,
      [orgId],
    );
    await db.sql(
      `insert into partners (org_id, code, name, roles, status, created_at, updated_at)
       values ($1, 'H-1', 'Hospital', '{customer}', 'active', now(), now())`,
      [orgId],
    );
    await db.sql(
      `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
         near_expiry_days, status, created_at, updated_at)
       values ($1, 'P-1', 'prd_1', 'Product', false, false, 'batch', 0, 180, 'active', now(), now())`,
      [orgId],
    );
    await fill(1, KNOWN, 'delivered');
    await db.sql('vacuum analyze');
    await fill(KNOWN + 1, KNOWN + PENDING, 'pending_approval');
    explainer = await openExplainer(db);
  }, 120_000);
  afterAll(async () => {
    await explainer?.close();
    await db?.drop();
  });

  async function fill(from: number, to: number, status: string): Promise<void> {
    await db.sql(
      `insert into orders (org_id, order_id, order_no, customer_code, warehouse, status, on_hold, currency, version, created_at, created_by,
         updated_at)
       select $1, 'ord_' || lpad(i::text, 26, '0'), 'SO-' || i, 'H-1', 'WH-1', $4, false, 'EUR', 1, now(), 'x', now()
       from generate_series($2::integer, $3::integer) i`,
      [orgId, from, to, status],
    );
    await db.sql(
      `insert into order_lines (org_id, order_id, line_no, product_code, quantity, unit_price)
       select $1, 'ord_' || lpad(i::text, 26, '0'), 1, 'P-1', 1, 10 from generate_series($2::integer, $3::integer) i`,
      [orgId, from, to],
    );
  }

  it.each(Object.keys(reads))('%s of some of them are found by these orders alone', async (what) => {
    const orderIds = Array.from(
      { length: APPROVED_AT_ONCE },
      (_, i) => `ord_${String(KNOWN + 1 + i * 100).padStart(26, '0')}`,
    );
    for (const planning of ['force_custom_plan', 'force_generic_plan'] as const) {
      const cost = await explainer.costOf({ orgId, now: new Date('2026-11-15T10:00:00Z'), planning }, (tx) =>
        Promise.resolve(reads[what]?.(tx, orderIds)),
      );
      expect(cost.rows, planning).toBeLessThan(ROWS_MOST);
    }
  });
});
