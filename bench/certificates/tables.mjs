/*
 * Two registers of certificates, each of one organization: one in which dates are unrelated to ids, and one in which
 * ids rise with dates, as when every certificate is entered on the day it is issued.
 */
import pg from 'pg';
import { newDatabase } from '../inventory/tables.mjs';

const TYPES = ['registration', 'licence', 'import permit', 'declaration', 'iso 13485'];
const SUPPLIERS = 1_000;
const CUSTOMERS = 10;
/** Certificates of one product. */
const PER_PRODUCT = 100;

export const subjectOf = (n, products) => `P-${n % products}`;
export const numberOf = (n) => `NO-${n}`;

/** Days from today to the last day of certificate `i`; null: it does not expire. */
const LAST_DAY = {
  scattered: 'case when i % 20 = 0 then null else (hashint4(i) & 2047) - 500 end',
  rising: '((i::bigint * 3000 / $2) - 1500)::integer',
};

export async function fillRegister(server, certificates) {
  const made = await newDatabase(server, 'bench_certificates', ['certificates:read']);
  const products = Math.ceil(certificates / PER_PRODUCT);
  const [scattered, rising, ...others] = made.organizations;
  const client = new pg.Client({ connectionString: made.url });
  await client.connect();
  try {
    // As the owner and without foreign-key checks, for speed: the rows satisfy them.
    await client.query("set search_path = lotward, public; set session_replication_role = 'replica'");
    await client.query("set synchronous_commit = off; set maintenance_work_mem = '256MB'");
    const rebuild = await withoutIndexes(client);
    const fill = (organization, order, count) => fillOne(client, organization.orgId, order, count, products);
    await fill(scattered, 'scattered', certificates);
    await fill(rising, 'rising', certificates);
    for (const other of others) await fill(other, 'scattered', 1_000);
    await rebuild();
    await client.query('vacuum (analyze) certificates, products, partners, organizations, api_keys');
  } finally {
    await client.end();
  }
  return { ...made, products, certificates, scattered, rising };
}

/** Drops the indexes, which are faster to build from all rows at once. The primary key stays. */
async function withoutIndexes(client) {
  const { rows } = await client.query(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'certificates'::regclass and not indisprimary`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return async () => {
    for (const { definition } of rows) await client.query(definition);
  };
}

async function fillOne(client, orgId, order, certificates, products) {
  await client.query(
    `insert into products (org_id, product_code, product_id, product_name, sterile, implantable, tracking, safety_stock,
       near_expiry_days, status, created_at, updated_at)
     select $1, 'P-' || n, 'prd_' || n, 'Product ' || n, true, false, 'batch', 0, 90, 'active', now(), now()
     from generate_series(0, $2::integer - 1) n`,
    [orgId, products],
  );
  await client.query(
    `insert into partners (org_id, code, name, roles, status, created_at, updated_at)
     select $1, 'S-' || n, 'Partner ' || n, '{supplier,customer}', 'active', now(), now()
     from generate_series(0, ${SUPPLIERS - 1}) n`,
    [orgId],
  );
  await client.query(
    `insert into certificates (org_id, certificate_id, certificate_no, type, subject_type, subject_code, issuer, valid_from,
       valid_to, state, superseded_by, version, created_at, created_by, updated_at)
     select $1, 'crt_' || lpad(i::text, 26, '0'), 'NO-' || i, ($3::text[])[1 + i % ${TYPES.length}],
       case when i % 100 = 1 then 'supplier' when i <= ${CUSTOMERS} then 'customer' else 'product' end,
       case when i % 100 = 1 or i <= ${CUSTOMERS} then 'S-' || i % ${SUPPLIERS} else 'P-' || i % $4::integer end,
       'Office', current_date + coalesce(days, 0) - 1000, current_date + days, state,
       case when state = 'superseded' then 'crt_' || lpad('1', 26, '0') end, 1, now(), 'bench', now()
     from (select i, ${LAST_DAY[order]} as days,
         case when i % 50 = 7 then 'suspended' when i % 50 = 8 then 'revoked' when i % 20 = 9 then 'superseded' else 'active' end
           as state
       from generate_series(1, $2::integer) i) c`,
    [orgId, certificates, TYPES, products],
  );
}
