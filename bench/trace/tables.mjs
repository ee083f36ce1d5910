/*
 * Fills ledgers of a given size, as the owner and without foreign-key checks, for speed: the rows satisfy them.
 */
import pg from 'pg';
import { productCode } from '../inventory/records.mjs';
import { newDatabase } from '../inventory/tables.mjs';
import { CODES_PER_PRODUCT, QUANTITY, ROWS_PER_PRODUCT } from './records.mjs';

export async function fillLedger(server, name, rows) {
  const made = await newDatabase(server, name, ['udi:read']);
  const products = Math.ceil(rows / ROWS_PER_PRODUCT);
  const client = new pg.Client({ connectionString: made.url });
  await client.connect();
  try {
    await client.query("set search_path = lotward, public; set session_replication_role = 'replica'");
    await client.query("set synchronous_commit = off; set maintenance_work_mem = '512MB'");
    const rebuild = await withoutIndexes(client);
    const orgIds = made.organizations.map(({ orgId }) => orgId);
    await fillGoods(client, orgIds, products);
    await fillMovements(client);
    await rebuild();
    await client.query(
      'vacuum (analyze) movements, movement_serials, serials, batches, balances, products, device_identifiers, partners, warehouses, holds',
    );
  } finally {
    await client.end();
  }
  return { ...made, codes: products * CODES_PER_PRODUCT };
}

/** Drops the indexes, which are faster to build from all rows at once. Keys owned by a constraint stay. */
async function withoutIndexes(client) {
  const { rows } = await client.query(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid in ('movements'::regclass, 'movement_serials'::regclass) and not indisprimary`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return async () => {
    for (const { definition } of rows) await client.query(definition);
  };
}

async function fillGoods(client, orgIds, products) {
  const numbers = Array.from({ length: products }, (_, n) => n);
  await client.query('create temporary table numbered (n int, org_id text, code text)');
  await client.query('insert into numbered select * from unnest($1::int[], $2::text[], $3::text[])', [
    numbers,
    numbers.map((n) => orgIds[n % orgIds.length]),
    numbers.map(productCode),
  ]);
  await client.query(
    `insert into warehouses (org_id, code, name, created_at, updated_at)
     select o, 'WH-1', 'Main', now(), now() from unnest($1::text[]) o`,
    [orgIds],
  );
  await client.query(
    `insert into partners (org_id, code, name, roles, status, created_at, updated_at)
     select o, 'P-' || n, 'Partner ' || n, '{supplier,customer}', 'active', now(), now()
     from unnest($1::text[]) o, generate_series(0, 99) n`,
    [orgIds],
  );
  await client.query(
    `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
       near_expiry_days, status, created_at, updated_at, movements_made)
     select org_id, code, 'prd_' || n, 'Product ' || n, true, false, case when n % 2 = 1 then 'serial' else 'batch' end, 0, 90,
       'active', now(), now(), ${ROWS_PER_PRODUCT} from numbered`,
  );
  await client.query(
    `insert into device_identifiers (org_id, udi_di, product_code, level, quantity, position)
     select org_id, code, code, null, 1, 0 from numbered`,
  );
  await client.query(
    `insert into batches (org_id, product_code, batch_no, expiry_date, created_at)
     select org_id, code, 'B-' || own, date '2030-01-01', now()
     from numbered, generate_series(0, case when n % 2 = 1 then 0 else ${CODES_PER_PRODUCT - 1} end) own`,
  );
  await client.query(
    `insert into serials (org_id, product_code, serial_no, batch_no, warehouse)
     select org_id, code, 'S-' || own, 'B-0', null from numbered, generate_series(0, ${CODES_PER_PRODUCT - 1}) own
     where n % 2 = 1`,
  );
}

/** Inserts step by step over all goods of a product, so that the rows of one unit are scattered, as in reality. */
async function fillMovements(client) {
  await client.query(
    `insert into movements (org_id, movement_id, position, kind, product_code, warehouse, batch_no, quantity, quantity_delta,
       document_type, document_id, document_no, document_line, counterparty_type, counterparty_code, occurred_at, recorded_at,
       actor, credential_id)
     select org_id, 'mov_' || lpad((n::bigint * ${ROWS_PER_PRODUCT} + step * ${CODES_PER_PRODUCT} + own)::text, 26, '0'),
       step * ${CODES_PER_PRODUCT} + own + 1, (array['receipt', 'hold', 'release', 'dispatch', 'delivery'])[step + 1], code, 'WH-1',
       case when n % 2 = 1 then 'B-0' else 'B-' || own end, q, (array[q, 0, 0, -q, 0])[step + 1],
       (array['receipt', 'hold', 'hold', 'dispatch', 'dispatch'])[step + 1], 'doc_' || n || '-' || own || '-' || (array[0, 1, 1, 2, 2])[step + 1],
       null, 1, (array['supplier', null, null, 'customer', 'customer'])[step + 1],
       case when step in (1, 2) then null else 'P-' || (n + own) % 100 end,
       timestamptz '2026-01-01' + make_interval(days => step), timestamptz '2026-01-01' + make_interval(days => step),
       'bench@bench.example', 'key'
     from (select *, case when n % 2 = 1 then 1 else ${QUANTITY} end as q from numbered) x,
       generate_series(0, 4) step, generate_series(0, ${CODES_PER_PRODUCT - 1}) own`,
  );
  await client.query(
    `insert into movement_serials (org_id, product_code, serial_no, movement_id)
     select org_id, code, 'S-' || own, 'mov_' || lpad((n::bigint * ${ROWS_PER_PRODUCT} + step * ${CODES_PER_PRODUCT} + own)::text, 26, '0')
     from numbered, generate_series(0, 4) step, generate_series(0, ${CODES_PER_PRODUCT - 1}) own where n % 2 = 1`,
  );
}
