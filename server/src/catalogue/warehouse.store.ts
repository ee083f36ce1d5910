import {
  Filter,
  type ListPage,
  listRows,
  noteChange,
  organizationRow,
  statement,
  type Tx,
  violatedConstraint,
} from '../platform/database/index.js';
import type { Warehouse } from './warehouse.js';

const columns = `w.code, w.name, w.kind, w.customer_code as "customerCode", w.gln, w.address, w.version, w.updated_at as "updatedAt",
  coalesce((select json_agg(json_build_object('code', z.code, 'name', z.name) order by z.position)
    from warehouse_zones z where z.org_id = $1 and z.warehouse = w.code), '[]') as zones`;
const one = statement(`select ${columns} from warehouses w where w.org_id = $1 and w.code = $2`);
// `for update`: arriving stock references the row and waits, so an empty warehouse stays empty while its customer changes.
const waitFor = statement('select 1 from warehouses where org_id = $1 and code = $2 for update');
const lock = statement(
  `select ${columns} from warehouses w where w.org_id = $1 and w.code = $2 for update of w`,
);
const known = statement('select code from warehouses where org_id = $1 and code = any($2)');
const upsert = statement(`
  insert into warehouses (org_id, code, name, created_at, updated_at, kind, customer_code, gln, address)
  values ($1, $2, $3, $4, $4, $6, $7, $8, $9)
  on conflict (org_id, code) do update set name = excluded.name, ${noteChange('warehouses', 'excluded.updated_at')}, kind = excluded.kind,
    customer_code = excluded.customer_code, gln = excluded.gln, address = excluded.address where $5
  returning 1`);
const removeZones = statement(
  'delete from warehouse_zones where org_id = $1 and warehouse = $2 and code <> all($3)',
);
const upsertZones = statement(`
  insert into warehouse_zones (org_id, warehouse, code, name, position)
  select g.org_id, $2, z.code, z.name, z.position from ${organizationRow('g')}, unnest($3::text[], $4::text[], $5::integer[]) as z(code, name, position)
  on conflict (org_id, warehouse, code) do update set name = excluded.name, position = excluded.position
  returning 1`);

export async function findWarehouse(tx: Tx, code: string): Promise<Warehouse | null> {
  const [row] = await tx.query<Warehouse>(one, [tx.orgId, code]);
  return row ?? null;
}

/** Locks before it reads: a statement that waited for the lock would return the zones from before the wait. */
export async function lockWarehouse(tx: Tx, code: string): Promise<Warehouse | null> {
  tx.send(waitFor, [tx.orgId, code]);
  const [row] = await tx.query<Warehouse>(lock, [tx.orgId, code]);
  return row ?? null;
}

export async function listWarehouses(
  tx: Tx,
  filter: { q?: string | undefined },
  page: ListPage,
): Promise<Warehouse[]> {
  const list = new Filter('w.org_id = $1', [tx.orgId, page.limit]);
  const order = list.page(page, { id: 'w.code', direction: 'asc', updatedAt: 'w.updated_at' });
  // An organization has few warehouses, so the text is compared with each.
  list.and(`strpos(lower(concat_ws(' ', w.code, w.name)), lower(?)) > 0`, filter.q);
  return listRows<Warehouse>(tx, page, list, {
    rows: `select ${columns} from warehouses w where ${list.where} order by ${order} limit $2`,
    counted: `select from warehouses w where ${list.where} limit $2`,
  });
}

/** Returns the codes that no warehouse has. */
export async function unknownWarehouses(tx: Tx, codes: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ code: string }>(known, [tx.orgId, codes]);
  return codes.filter((code) => !rows.some((row) => row.code === code));
}

/** Writes a whole warehouse, unless it exists although it is not `known`, or a removed zone is in use. */
export async function saveWarehouse(
  tx: Tx,
  warehouse: Warehouse,
  known: boolean,
): Promise<'saved' | 'exists' | 'zone_in_use'> {
  const { code, name, zones, kind, customerCode, gln, address } = warehouse;
  const written = await tx.query(upsert, [
    tx.orgId,
    code,
    name,
    warehouse.updatedAt,
    known,
    kind,
    customerCode,
    gln,
    address,
  ]);
  if (written.length === 0) return 'exists';
  const codes = zones.map((zone) => zone.code);
  if (!(await dropOtherZones(tx, code, codes))) return 'zone_in_use';
  tx.send(upsertZones, [tx.orgId, code, codes, zones.map((zone) => zone.name), zones.map((_, i) => i)]);
  return 'saved';
}

async function dropOtherZones(tx: Tx, code: string, kept: readonly string[]): Promise<boolean> {
  try {
    await tx.query(removeZones, [tx.orgId, code, kept]);
    return true;
  } catch (error) {
    if (violatedConstraint(error) === 'monitoring_points_org_id_warehouse_zone_fkey') return false;
    throw error;
  }
}
