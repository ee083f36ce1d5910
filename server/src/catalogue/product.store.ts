import { type Matches, noteSearchable } from '../indexing/index.js';
import {
  batchedByOrganization,
  batchStatement,
  bulkRows,
  Filter,
  type ListPage,
  listRows,
  noteChange,
  organizationRow,
  type Pool,
  queryBatch,
  statement,
  type Tx,
  violatedConstraint,
} from '../platform/database/index.js';
import { isId } from '../platform/ids/index.js';
import { refuseCatalogue } from './catalogue.errors.js';
import type { Packaging, Product } from './product.js';

interface ProductRow extends Omit<Product, 'storage' | 'packaging' | 'udiDi'> {
  temperatureMin: string | null;
  temperatureMax: string | null;
  humidityMin: string | null;
  humidityMax: string | null;
  identifiers: { udiDi: string; level: string | null; quantity: number }[] | null;
}

/** `org`: the parameter with the organization or, where one statement serves several, its column. */
const columnsIn = (
  org: string,
) => `p.product_id as id, p.product_code as "productCode", p.product_name as "productName", p.specification,
  p.model, p.manufacturer, p.category, p.risk_class as "riskClass", p.registration_no as "registrationNo", p.unit,
  p.temperature_min as "temperatureMin", p.temperature_max as "temperatureMax", p.humidity_min as "humidityMin",
  p.humidity_max as "humidityMax", p.sterile, p.implantable, p.tracking, p.shelf_life_days as "shelfLifeDays",
  p.safety_stock as "safetyStock", p.near_expiry_days as "nearExpiryDays", p.supplier_code as "supplierCode",
  p.status, p.version, p.updated_at as "updatedAt",
  (select json_agg(json_build_object('udiDi', d.udi_di, 'level', d.level, 'quantity', d.quantity) order by d.position)
   from device_identifiers d where d.org_id = ${org} and d.product_code = p.product_code) as identifiers`;
const columns = columnsIn('$1');

function toProduct(row: ProductRow): Product {
  const { temperatureMin, temperatureMax, humidityMin, humidityMax, identifiers, ...rest } = row;
  const number = (text: string | null) => (text === null ? null : Number(text));
  const known = identifiers ?? [];
  return {
    ...rest,
    udiDi: known.find((identifier) => identifier.level === null)?.udiDi ?? null,
    packaging: known.filter((identifier): identifier is Packaging => identifier.level !== null),
    storage: {
      temperatureMin: number(temperatureMin),
      temperatureMax: number(temperatureMax),
      humidityMin: number(humidityMin),
      humidityMax: number(humidityMax),
    },
  };
}

const byCodes = batchStatement(
  2,
  ({ org }) => `
  select p.org_id as org, ${columnsIn(org('p.org_id'))} from unnest($1::text[], $2::text[]) as q(org_id, code)
  join products p on p.org_id = ${org('q.org_id')} and p.product_code = q.code`,
);
const byIds = batchStatement(
  2,
  ({ org }) => `
  select p.org_id as org, ${columnsIn(org('p.org_id'))} from unnest($1::text[], $2::text[]) as q(org_id, id)
  join products p on p.org_id = ${org('q.org_id')} and p.product_id = q.id`,
);

export interface ProductKey {
  orgId: string;
  /** An id or a product code. */
  idOrCode: string;
}

/** Reads products by id or code. Concurrent requests are combined into one query for ids and one for codes. */
export function productReader(reader: Pool): (key: ProductKey) => Promise<Product | null> {
  const read = (sql: typeof byCodes, field: 'id' | 'productCode') =>
    batchedByOrganization<ProductKey, Product | null>(
      reader,
      async (keys) => {
        const rows = await queryBatch<ProductRow & { org: string }, ProductKey>(reader, sql, keys, (own) => [
          own.map((k) => k.orgId),
          own.map((k) => k.idOrCode),
        ]);
        const found = new Map(rows.map(({ org, ...row }) => [`${org} ${row[field]}`, toProduct(row)]));
        return keys.map((key) => found.get(`${key.orgId} ${key.idOrCode}`) ?? null);
      },
      { keysMax: 200, inFlightMax: 2 },
    );
  const readByCode = read(byCodes, 'productCode');
  const readById = read(byIds, 'id');
  return (key) => (isId('prd', key.idOrCode) ? readById(key) : readByCode(key));
}

export interface ProductFilter {
  /** Limited to those found by text. */
  matches?: Matches<'product'> | undefined;
  productCodes?: readonly string[] | undefined;
  productCode?: string | undefined;
  name?: string | undefined;
  category?: string | undefined;
  manufacturer?: string | undefined;
  riskClass?: readonly string[] | undefined;
  status?: readonly string[] | undefined;
}

const TRIGRAM = 3;
const matching = 'select * from products where org_id = $1 and search_name like search_pattern($3) offset 0';

/** Lists as the reader role: under row-level security the name index would not be used. */
export async function listProducts(
  reader: Pool,
  orgId: string,
  filter: ProductFilter,
  page: ListPage,
): Promise<Product[]> {
  // With enough letters for the trigram index, the index is read first in a subquery that `offset 0` keeps separate.
  // Otherwise the planner scans all products in code order until the limit is reached.
  const named = [...(filter.name ?? '')].length >= TRIGRAM;
  const source = named ? `(${matching})` : 'products';
  const list = new Filter('p.org_id = $1', named ? [orgId, page.limit, filter.name] : [orgId, page.limit]);
  const order = list.page(page, {
    ...{ id: 'p.product_code', direction: 'asc', updatedAt: 'p.updated_at' },
    sorts: { productCode: 'p.product_code', productName: 'p.product_name' },
  });
  list.either([{ 'p.product_code': filter.matches?.product }]);
  list.and(`p.product_code = ?`, filter.productCode);
  list.and(`p.product_code = any(?)`, filter.productCodes);
  list.and(`p.search_name like search_pattern(?)`, named ? undefined : filter.name);
  list.and(`p.category = ?`, filter.category);
  list.and(`p.manufacturer = ?`, filter.manufacturer);
  list.anyOf('p.risk_class', filter.riskClass);
  list.anyOf('p.status', filter.status);
  const rows = await listRows<ProductRow>(reader, page, list, {
    rows: `select ${columns} from ${source} p where ${list.where} order by ${order} limit $2`,
    counted: `select from ${source} p where ${list.where} limit $2`,
  });
  return rows.map(toProduct);
}

// Looks up each product by its key, in the order in which all writers lock products. With `any($2)` the planner may scan all products of
// the organization instead, as it did during an import: the statistics know nothing of rows that its transaction has added.
const eachByCode = (selected: string, locking: string) => `
  select p.* from (select u.code from unnest($2::text[]) as u(code) order by u.code collate "C") k
  cross join lateral (
    select ${selected} from products p where p.org_id = $1 and p.product_code = k.code offset 0 ${locking}) p`;
const waitForCodes = statement(eachByCode('1', 'for no key update'));
const lockByCodes = statement(eachByCode(columns, 'for no key update of p'));
const codeOfId = statement('select product_code as code from products where org_id = $1 and product_id = $2');
const productColumns = bulkRows({
  product_code: 'text',
  product_id: 'text',
  product_name: 'text',
  specification: 'text',
  model: 'text',
  manufacturer: 'text',
  category: 'text',
  risk_class: 'text',
  registration_no: 'text',
  unit: 'text',
  temperature_min: 'numeric',
  temperature_max: 'numeric',
  humidity_min: 'numeric',
  humidity_max: 'numeric',
  sterile: 'boolean',
  implantable: 'boolean',
  tracking: 'text',
  shelf_life_days: 'integer',
  safety_stock: 'integer',
  near_expiry_days: 'integer',
  supplier_code: 'text',
  status: 'text',
});
const upsert = statement(`
  insert into products (org_id, created_at, updated_at, ${productColumns.names()})
  select g.org_id, $2, $2, ${productColumns.names('p')} from ${organizationRow('g')}, ${productColumns.from('p', 4)}
  on conflict (org_id, product_code) do update set product_name = excluded.product_name,
    specification = excluded.specification, model = excluded.model, manufacturer = excluded.manufacturer,
    category = excluded.category, risk_class = excluded.risk_class, registration_no = excluded.registration_no,
    unit = excluded.unit, temperature_min = excluded.temperature_min, temperature_max = excluded.temperature_max,
    humidity_min = excluded.humidity_min, humidity_max = excluded.humidity_max, sterile = excluded.sterile,
    implantable = excluded.implantable, tracking = excluded.tracking, shelf_life_days = excluded.shelf_life_days,
    safety_stock = excluded.safety_stock, near_expiry_days = excluded.near_expiry_days,
    supplier_code = excluded.supplier_code, status = excluded.status,
    ${noteChange('products', 'excluded.updated_at')}
    where products.product_code = any($3)
  returning product_code as code`);
const removeIdentifiers = statement(
  'delete from device_identifiers where org_id = $1 and product_code = any($2)',
);
const identifierColumns = bulkRows({
  udi_di: 'text',
  product_code: 'text',
  level: 'text',
  quantity: 'integer',
  position: 'integer',
});
const insertIdentifiers = statement(`
  insert into device_identifiers (org_id, ${identifierColumns.names()})
  select g.org_id, ${identifierColumns.names('i')} from ${organizationRow('g')}, ${identifierColumns.from('i', 2)}
  returning 1`);
const takenIdentifiers = statement(`
  select udi_di as "udiDi" from device_identifiers where org_id = $1 and udi_di = any($2) order by udi_di limit 1`);

/** Locks before it reads: a statement that waited for the lock would return the identifiers from before the wait. */
export async function lockProducts(tx: Tx, codes: readonly string[]): Promise<Map<string, Product>> {
  tx.send(waitForCodes, [tx.orgId, codes]);
  const rows = await tx.query<ProductRow>(lockByCodes, [tx.orgId, codes]);
  return new Map(rows.map((row) => [row.productCode, toProduct(row)]));
}

export async function findCodeOfProduct(tx: Tx, id: string): Promise<string | null> {
  const [row] = await tx.query<{ code: string }>(codeOfId, [tx.orgId, id]);
  return row?.code ?? null;
}

/** Writes whole products and returns the codes written. Existing products that are not in `known` are skipped. */
export async function saveProducts(
  tx: Tx,
  products: readonly Product[],
  known: ReadonlyMap<string, Product>,
): Promise<Set<string>> {
  const rows = await tx.query<{ code: string }>(upsert, [
    tx.orgId,
    tx.now,
    [...known.keys()],
    ...productColumns.values(products, toRow),
  ]);
  const written = new Set(rows.map((row) => row.code));
  // A new product has none.
  const replaced = [...written].filter((code) => known.has(code));
  if (replaced.length > 0) tx.send(removeIdentifiers, [tx.orgId, replaced]);
  noteSearchable(tx, 'product', [...written]);
  await saveIdentifiers(
    tx,
    products.filter((product) => written.has(product.productCode)),
  );
  return written;
}

const toRow = (product: Product) => ({
  product_code: product.productCode,
  product_id: product.id,
  product_name: product.productName,
  specification: product.specification,
  model: product.model,
  manufacturer: product.manufacturer,
  category: product.category,
  risk_class: product.riskClass,
  registration_no: product.registrationNo,
  unit: product.unit,
  temperature_min: numeric(product.storage.temperatureMin),
  temperature_max: numeric(product.storage.temperatureMax),
  humidity_min: numeric(product.storage.humidityMin),
  humidity_max: numeric(product.storage.humidityMax),
  sterile: product.sterile,
  implantable: product.implantable,
  tracking: product.tracking,
  shelf_life_days: product.shelfLifeDays,
  safety_stock: product.safetyStock,
  near_expiry_days: product.nearExpiryDays,
  supplier_code: product.supplierCode,
  status: product.status,
});

const numeric = (value: number | null): string | null => (value === null ? null : String(value));

async function saveIdentifiers(tx: Tx, products: readonly Product[]): Promise<void> {
  const identifiers = products.flatMap(({ productCode: code, udiDi, packaging }) => [
    ...(udiDi === null ? [] : [{ udiDi, code, level: null, quantity: 1, position: 0, path: '/udiDi' }]),
    ...packaging.map((each, i) => ({ ...each, code, position: i + 1, path: `/packaging/${i}/udiDi` })),
  ]);
  if (identifiers.length === 0) return;
  const codes = identifiers.map((i) => i.udiDi);
  const [taken] = await tx.query<{ udiDi: string }>(takenIdentifiers, [tx.orgId, codes]);
  if (taken) {
    const named = identifiers.find((i) => i.udiDi === taken.udiDi);
    throw refuseCatalogue('udi_di_taken', named?.path ?? '/udiDi', `${taken.udiDi} is taken`);
  }
  try {
    await tx.query(insertIdentifiers, [
      tx.orgId,
      ...identifierColumns.values(identifiers, (i) => ({
        udi_di: i.udiDi,
        product_code: i.code,
        level: i.level,
        quantity: i.quantity,
        position: i.position,
      })),
    ]);
  } catch (error) {
    // Another transaction took the identifier after the check, or two of these products share it.
    if (violatedConstraint(error) === 'device_identifiers_pkey')
      throw refuseCatalogue('udi_di_taken', '/udiDi');
    throw error;
  }
}

const nextCodes = statement(`
  select product_code as code from products where org_id = $1 and product_code > $2 order by product_code limit $3`);

/** Product codes after `after`, in order. */
export async function readProductCodes(tx: Tx, after: string, limit: number): Promise<string[]> {
  return (await tx.query<{ code: string }>(nextCodes, [tx.orgId, after, limit])).map((row) => row.code);
}

const existing = statement(
  'select product_code as code from products where org_id = $1 and product_code = any($2)',
);

/** Returns the codes that no product has. */
export async function unknownProducts(tx: Tx, codes: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ code: string }>(existing, [tx.orgId, codes]);
  const known = new Set(rows.map((row) => row.code));
  return codes.filter((code) => !known.has(code));
}
