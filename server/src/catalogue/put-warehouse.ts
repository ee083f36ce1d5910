import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseCatalogue } from './catalogue.errors.js';
import type { Warehouse } from './warehouse.js';
import { lockWarehouse, saveWarehouse } from './warehouse.store.js';

export interface WarehouseToPut {
  code: string;
  name: string;
  zones?: readonly { code: string; name: string }[] | undefined;
}

export async function putWarehouse(tx: Tx, input: WarehouseToPut): Promise<Warehouse> {
  // `*` is how the inventory query says "all warehouses".
  if (input.code === '*') throw refuseCatalogue('reserved_code', '/code');
  const zones = [...(input.zones ?? [])];
  if (new Set(zones.map((zone) => zone.code)).size !== zones.length) {
    throw refuseCatalogue('duplicate_zone', '/zones');
  }
  const before = await lockWarehouse(tx, input.code);
  const after: Warehouse = { code: input.code, name: input.name, zones, updatedAt: tx.now };
  const saved = await saveWarehouse(tx, after, before !== null);
  if (saved === 'zone_in_use') throw refuseCatalogue('zone_in_use', '/zones');
  // Another writer made it since we looked: there is a warehouse to replace now, so look again.
  if (saved === 'exists') return putWarehouse(tx, input);
  await recordAudit(tx, {
    action: 'warehouse.put',
    entityType: 'warehouse',
    entityId: after.code,
    before,
    after,
  });
  return after;
}
