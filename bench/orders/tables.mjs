/*
 * Fills the records that the orders of the bench refer to, in the tables of the server and of BASE, and the orders
 * that wait for approval.
 */
import pg from 'pg';
import { productCode } from '../inventory/records.mjs';
import { newDatabase } from '../inventory/tables.mjs';
import { CUSTOMERS, customerName, HOT_BATCHES, hotProductOf, PRODUCTS, sql, WAREHOUSE } from './records.mjs';

export const SERVER = 'lotward';
export const BASE = 'base';
const SCOPES = ['orders:read', 'orders:write', 'orders:approve'];
/** Small enough that a comparison uses several batches; the last one is large enough never to run out. */
const HOT_BATCH_UNITS = 2_000;
const LAST_BATCH_UNITS = 10_000_000;
/** Orders of each organization that were approved long ago. */
const PAST_SERIES = 0;
const PAST_ORDERS = 5_000;

/** Referenced tables first. */
const tables = [
  'partners',
  'warehouses',
  'products',
  'batches',
  'balances',
  'orders',
  'order_lines',
  'order_status_changes',
  'reservations',
  'events',
];

/** Opens a database with both sets of tables, and an owner connection for work that is not measured. */
export async function openTables(server, hotSeries) {
  const made = await newDatabase(server, 'bench_orders', SCOPES);
  const owner = new pg.Client({ connectionString: made.url });
  await owner.connect();
  try {
    await fillReferences(owner, made.organizations, hotSeries);
    await copyTables(owner);
    await fillPast(owner, made.organizations);
    return { ...made, owner };
  } catch (error) {
    await owner.end();
    throw error;
  }
}

/**
 * Fills tables with old orders and statistics. Statements planned for empty tables use sequential scans, and keep them
 * when the tables have grown.
 */
async function fillPast(owner, organizations) {
  for (const schema of [SERVER, BASE]) {
    for (const { orgId } of organizations) await insertPast(owner, schema, orgId);
    await owner.query(`vacuum (analyze) ${tables.map((table) => `${schema}.${table}`).join(', ')}`);
  }
  await fillTallies(owner);
  await owner.query(`vacuum (analyze) ${SERVER}.audit_entries, ${SERVER}.movements`);
}

/** The figures by expiry date that the service keeps beside its balances. */
async function fillTallies(owner) {
  await owner.query(`set search_path = ${SERVER}, public`);
  await owner.query(`
    insert into stock_tallies (org_id, expiry_date, total, reserved, held, batches, products)
    select b.org_id, t.expiry_date, sum(b.quantity), sum(b.reserved), sum(b.held), count(distinct (b.product_code, b.batch_no)), 0
    from balances b join batches t using (org_id, product_code, batch_no) group by 1, 2`);
  await owner.query(`
    insert into stock_tallies (org_id, expiry_date, total, reserved, held, batches, products)
    select org_id, 'infinity', 0, 0, 0, 0, count(distinct product_code) from balances group by 1`);
}

async function fillReferences(owner, organizations, hotSeries) {
  const orgIds = organizations.map(({ orgId }) => orgId);
  const hot = [PAST_SERIES, ...hotSeries].map(hotProductOf);
  const codes = [...Array.from({ length: PRODUCTS }, (_, n) => productCode(n)), ...hot];
  const customers = Array.from({ length: CUSTOMERS }, (_, i) => `C-${i}`);
  await owner.query(`set search_path = ${SERVER}, public`);
  await owner.query(
    `insert into warehouses (org_id, code, name, created_at, updated_at)
    select o, $2, $2, now(), now() from unnest($1::text[]) o`,
    [orgIds, WAREHOUSE],
  );
  await owner.query(
    `insert into partners (org_id, code, name, roles, status, created_at, updated_at)
    select o, c.code, c.name, '{customer}', 'active', now(), now()
    from unnest($1::text[]) o, unnest($2::text[], $3::text[]) as c(code, name)`,
    [orgIds, customers, customers.map(customerName)],
  );
  // With a safety stock, because only then an approval checks for low stock.
  await owner.query(
    `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking,
      safety_stock, near_expiry_days, status, created_at, updated_at)
    select o, code, 'prd_' || code, 'Product ' || code, true, false, 'batch', 100, 90, 'active', now(), now()
    from unnest($1::text[]) o, unnest($2::text[]) code`,
    [orgIds, codes],
  );
  for (const orgId of orgIds) await stockHotProducts(owner, orgId, hot);
}

/** Adds batches that expire one after the other, each received by one movement. */
async function stockHotProducts(owner, orgId, hot) {
  const source = `unnest($2::text[]) code, generate_series(1, ${HOT_BATCHES}) batch`;
  const batchNo = "'LOT-' || lpad(batch::text, 2, '0')";
  const units = `case when batch = ${HOT_BATCHES} then ${LAST_BATCH_UNITS} else ${HOT_BATCH_UNITS} end`;
  await owner.query(
    `insert into batches (org_id, product_code, batch_no, expiry_date, created_at)
    select $1, code, ${batchNo}, current_date + 100 + batch * 30, now() from ${source}`,
    [orgId, hot],
  );
  await owner.query(
    `insert into balances (org_id, product_code, warehouse, batch_no, quantity)
    select $1, code, $3, ${batchNo}, ${units} from ${source}`,
    [orgId, hot, WAREHOUSE],
  );
  await owner.query(
    `insert into movements (org_id, movement_id, position, kind, product_code, warehouse, batch_no, quantity, quantity_delta,
      document_type, document_id, occurred_at, recorded_at, actor, credential_id)
    select $1, 'mov_' || code || batch, row_number() over (partition by code order by batch), 'receipt', code, $3, ${batchNo}, ${units}, ${units}, 'receipt', 'bench',
      now(), now(), 'bench', 'bench'
    from ${source}`,
    [orgId, hot, WAREHOUSE],
  );
  await owner.query(
    `update products p set movements_made = (
      select count(*) from movements m where m.org_id = p.org_id and m.product_code = p.product_code) where org_id = $1`,
    [orgId],
  );
}

/** The same columns, keys, indexes, checks and references; nothing else, so no row-level security. */
async function copyTables(owner) {
  const { rows: references } = await owner.query(
    `select conrelid::regclass::text as source, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and conrelid = any($1::regclass[]::oid[])`,
    [tables],
  );
  await owner.query(`create schema ${BASE}`);
  for (const table of tables) {
    await owner.query(
      `create table ${BASE}.${table} (like ${SERVER}.${table} including all excluding generated)`,
    );
    await owner.query(`insert into ${BASE}.${table} select * from ${SERVER}.${table}`);
  }
  // BASE has no table of organizations: that one is found in the server's schema.
  await owner.query(`set search_path = ${BASE}, ${SERVER}, public`);
  for (const { source, definition } of references)
    await owner.query(`alter table ${BASE}.${source} add ${definition}`);
}

/** Orders approved in the past: their reservations, history, events and, of the server, audit entries. */
async function insertPast(owner, schema, orgId) {
  await insertApprovable(owner, { schema, orgId, series: PAST_SERIES, first: 0, end: PAST_ORDERS });
  const product = hotProductOf(PAST_SERIES);
  const past = `${schema}.orders o join ${schema}.order_lines l using (org_id, order_id)
    where o.org_id = $1 and l.product_code = $2`;
  const write = (text) => owner.query(text, [orgId, product]);
  await write(
    `insert into ${schema}.reservations (org_id, order_id, line_no, batch_no, dispatch_id, product_code, warehouse,
      quantity, reserved_at)
    select org_id, order_id, 1, 'LOT-${HOT_BATCHES}', '', product_code, warehouse, quantity, now() from ${past}`,
  );
  await write(
    `update ${schema}.balances b set reserved = (select sum(quantity) from ${schema}.reservations r
      where r.org_id = b.org_id and r.product_code = b.product_code)
    where b.org_id = $1 and b.product_code = $2 and b.batch_no = 'LOT-${HOT_BATCHES}'`,
  );
  await write(
    `insert into ${schema}.order_status_changes (org_id, order_id, version, step, previous_status, current_status,
      changed_by, changed_at)
    select org_id, order_id, 2, 0, 'pending_approval', 'approved', 'bench', now() from ${past}`,
  );
  await write(
    `insert into ${schema}.events (org_id, event_id, event_type, at, entity_type, entity_id, entity_version,
      customer_code, body)
    select org_id, 'evt' || order_id, 'order.status_changed', now(), 'order', order_id, 20, customer_code, '{}'
    from ${past}`,
  );
  if (schema === SERVER)
    await write(
      `insert into ${schema}.audit_entries (org_id, entry_id, at, actor, credential_id, action, entity_type, entity_id)
      select org_id, 'aud' || order_id, now(), 'bench', 'bench', 'order.approve', 'order', order_id from ${past}`,
    );
  await write(
    `update ${schema}.orders o set status = 'approved', version = 2 where o.org_id = $1
      and exists (select from ${schema}.order_lines l where l.org_id = $1 and l.order_id = o.order_id
        and l.product_code = $2)`,
  );
}

/** Orders of one line for the hot product of a series, with the numbers from `first` to before `end`. */
export async function insertApprovable(owner, { schema, orgId, series, first, end }) {
  const numbers = 'generate_series($3::int, $4::int - 1) n';
  const values = [orgId, series, first, end];
  await owner.query('begin');
  await owner.query(
    `insert into ${schema}.orders (org_id, order_id, order_no, customer_code, warehouse, status, on_hold, currency,
      version, created_at, created_by, updated_at)
    select $1, ${sql.approvalId}, 'HOT-' || $2::int || '-' || n, 'C-' || n % ${CUSTOMERS}, $5, 'pending_approval',
      false, 'EUR', 1, now(), 'bench', now()
    from ${numbers}`,
    [...values, WAREHOUSE],
  );
  await owner.query(
    `insert into ${schema}.order_lines (org_id, order_id, line_no, product_code, quantity, unit_price)
    select $1, ${sql.approvalId}, 1, $5, ${sql.approvalQuantity}, 10 from ${numbers}`,
    [...values, hotProductOf(series)],
  );
  await owner.query(
    `insert into ${schema}.order_status_changes (org_id, order_id, version, step, current_status, changed_by,
      changed_at)
    select $1, ${sql.approvalId}, 1, 0, 'pending_approval', 'bench', now() from ${numbers}`,
    values,
  );
  await owner.query('commit');
}
