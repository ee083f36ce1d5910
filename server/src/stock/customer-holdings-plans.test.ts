import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestDatabase, sized, type TestDatabase } from '../../test/harness/index.js';
import { statement, type Tx, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { readHeldQuantity, readHeldSerials } from './customer-holdings.store.js';

const DISPATCHES = sized(6_000, 20_000);
const CUSTOMERS = 500;

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** The most rows that any part of a plan has looked at. */
const mostRows = (node: PlanNode): number =>
  Math.max(
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ...(node.Plans ?? []).map(mostRows),
  );

describe(`among ${DISPATCHES} dispatches of one batch to ${CUSTOMERS} customers, what one of them holds`, () => {
  let db: TestDatabase;
  let orgId: string;
  beforeAll(async () => {
    db = await openTestDatabase();
    orgId = (await newOrganization(db)).organization.orgId;
    for (const text of [
      `insert into warehouses (org_id, code, name, created_at, updated_at) values ($1, 'WH', 'Main', now(), now())`,
      `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
         near_expiry_days, status, created_at, updated_at, movements_made)
       values ($1, 'P', 'prd_1', 'Product', true, false, 'serial', 0, 90, 'active', now(), now(), ${DISPATCHES})`,
      `insert into batches (org_id, product_code, batch_no, created_at) values ($1, 'P', 'B', now())`,
      `insert into movements (org_id, movement_id, position, kind, product_code, warehouse, batch_no, quantity, quantity_delta,
         document_type, document_id, counterparty_type, counterparty_code, occurred_at, recorded_at, actor, credential_id)
       select $1, 'mov_' || n, n, 'dispatch', 'P', 'WH', 'B', 1, -1, 'dispatch', 'dsp_' || n, 'customer',
         'C-' || (n % ${CUSTOMERS}), now(), now(), 'x', 'x' from generate_series(1, ${DISPATCHES}) n`,
      `insert into movement_serials (org_id, product_code, serial_no, movement_id)
       select $1, 'P', 'S-' || n, 'mov_' || n from generate_series(1, ${DISPATCHES}) n`,
    ])
      await db.sql(text, [orgId]);
    await db.sql('vacuum analyze');
  }, 60_000);
  afterAll(() => db.close());

  const asked = async <R>(work: (tx: Tx) => Promise<R>): Promise<{ answer: R; rows: number }> => {
    const rows: number[] = [];
    const answer = await transact(db.database, systemPrincipal(orgId, 'someone@test.example'), (tx) =>
      work({
        ...tx,
        async query(each, values) {
          type Explained = { 'QUERY PLAN': { Plan: PlanNode }[] };
          const explain = statement(`explain (analyze, format json) ${each.text}`);
          const [plan] = await tx.query<Explained>(explain, values);
          rows.push(mostRows(plan?.['QUERY PLAN'][0]?.Plan as PlanNode));
          return tx.query(each, values);
        },
      }),
    );
    return { answer, rows: Math.max(...rows) };
  };
  const of = { customerCode: 'C-1', productCode: 'P', batchNo: 'B' };

  it('is added up from the rows of that customer alone', async () => {
    const { answer, rows } = await asked((tx) => readHeldQuantity(tx, { ...of, dispatchId: null }));
    expect(answer).toBe(DISPATCHES / CUSTOMERS);
    expect(rows).toBeLessThanOrEqual(DISPATCHES / CUSTOMERS);
  });

  it('of one dispatch is added up from its rows', async () => {
    const { answer, rows } = await asked((tx) => readHeldQuantity(tx, { ...of, dispatchId: 'dsp_1' }));
    expect(answer).toBe(1);
    expect(rows).toBeLessThanOrEqual(DISPATCHES / CUSTOMERS);
  });

  it('of serialized units is read from their own history', async () => {
    const serials = ['S-1', 'S-2'];
    const { answer, rows } = await asked((tx) => readHeldSerials(tx, { ...of, dispatchId: null }, serials));
    expect([...answer]).toEqual(['S-1']);
    expect(rows).toBeLessThanOrEqual(10);
  });
});
