import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestDatabase, sized, type TestDatabase } from '../../test/harness/index.js';
import { statement, type Tx, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { traceUdi } from './trace-udi.js';

const PRODUCTS = sized(2_000, 5_000);
const TRACED = '06901234567892';

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** The largest number of rows that any node of a plan has read. */
const mostRows = (node: PlanNode): number =>
  Math.max(
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ...(node.Plans ?? []).map(mostRows),
  );

describe(`among ${PRODUCTS} products of an organization, a trace`, () => {
  let db: TestDatabase;
  let orgId: string;
  beforeAll(async () => {
    db = await openTestDatabase();
    orgId = (await newOrganization(db)).organization.orgId;
    const codes = `(select case n when 0 then '${TRACED}' else 'P-' || n end as code, n from generate_series(0, ${PRODUCTS}) n) p`;
    for (const text of [
      `insert into warehouses (org_id, code, name, created_at, updated_at) values ($1, 'WH', 'Main', now(), now())`,
      `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
         near_expiry_days, status, created_at, updated_at, movements_made)
       select $1, code, 'prd_' || n, 'Product', true, false, 'serial', 0, 90, 'active', now(), now(), 1 from ${codes}`,
      `insert into device_identifiers (org_id, udi_di, product_code, level, quantity, position) select $1, code, code, null, 1, 0 from ${codes}`,
      `insert into batches (org_id, product_code, batch_no, created_at) select $1, code, 'B', now() from ${codes}`,
      `insert into balances (org_id, product_code, warehouse, batch_no, quantity) select $1, code, 'WH', 'B', 1 from ${codes}`,
      `insert into serials (org_id, product_code, serial_no, batch_no, warehouse) select $1, code, 'S', 'B', 'WH' from ${codes}`,
      `insert into movements (org_id, movement_id, position, kind, product_code, warehouse, batch_no, quantity, quantity_delta,
         document_type, document_id, occurred_at, recorded_at, actor, credential_id)
       select $1, 'mov_' || n, 1, 'adjustment', code, 'WH', 'B', 1, 1, 'adjustment', 'a', now(), now(), 'x', 'x' from ${codes}`,
      `insert into movement_serials (org_id, product_code, serial_no, movement_id) select $1, code, 'S', 'mov_' || n from ${codes}`,
    ])
      await db.sql(text, [orgId]);
    await db.sql('analyze');
  }, 60_000);
  afterAll(() => db.drop());

  it.each(['', '(10)B', '(21)S'])('a trace by (01)%s reads only its own rows', async (rest) => {
    const rows: number[] = [];
    const trace = await transact(db.database, systemPrincipal(orgId, 'someone@test.example'), (tx) => {
      const explained: Tx = {
        ...tx,
        async query(asked, values) {
          type Explained = { 'QUERY PLAN': { Plan: PlanNode }[] };
          const [plan] = await tx.query<Explained>(
            statement(`explain (analyze, format json) ${asked.text}`),
            values,
          );
          rows.push(mostRows(plan?.['QUERY PLAN'][0]?.Plan as PlanNode));
          return tx.query(asked, values);
        },
      };
      const request = {
        until: null,
        after: 0,
        limit: 50,
        customerCode: null,
        timeZone: 'UTC',
        withPackages: false,
      };
      return traceUdi(explained, { ...request, code: `(01)${TRACED}${rest}` });
    });
    expect(trace.holders).toMatchObject([{ kind: 'warehouse', code: 'WH', quantity: 1 }]);
    expect(rows.length).toBeGreaterThan(4);
    expect(Math.max(...rows)).toBeLessThan(20);
  });
});
