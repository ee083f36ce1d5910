import { recordAudit } from '../audit/index.js';
import { hasSameContent, type Tx } from '../platform/database/index.js';
import { refuseAny } from '../platform/errors/index.js';
import { refuseCatalogue } from './catalogue.errors.js';
import { requireGln } from './partner.rules.js';
import { shareLockPartner } from './partner.store.js';
import { partnerIssues } from './references.rules.js';
import { hasStockInWarehouse } from './stock-presence.js';
import type { Warehouse } from './warehouse.js';
import { lockWarehouse, saveWarehouse } from './warehouse.store.js';

export interface WarehouseToPut {
  code: string;
  name: string;
  zones?: readonly { code: string; name: string }[] | undefined;
  kind?: Warehouse['kind'] | undefined;
  customerCode?: string | null | undefined;
  gln?: string | null | undefined;
  address?: string | null | undefined;
}

/** Creates or replaces a warehouse, unless its content is unchanged. */
export async function putWarehouse(tx: Tx, input: WarehouseToPut): Promise<Warehouse> {
  const described = describeWarehouse(input);
  const { code, customerCode } = described;
  if (customerCode !== null) {
    const customer = await shareLockPartner(tx, customerCode);
    refuseAny(partnerIssues('/customerCode', customerCode, 'customer', customer));
  }
  const before = await lockWarehouse(tx, code);
  const after: Warehouse = { ...described, version: (before?.version ?? 0) + 1, updatedAt: tx.now };
  if (before && hasSameContent(before, after)) return before;
  if (before && isElsewhere(before, after) && (await hasStockInWarehouse(tx, code)))
    throw refuseCatalogue('warehouse_not_empty', before.kind === after.kind ? '/customerCode' : '/kind');
  const saved = await saveWarehouse(tx, after, before !== null);
  if (saved === 'zone_in_use') throw refuseCatalogue('zone_in_use', '/zones');
  // Another transaction created the warehouse after the check, so a second pass replaces it.
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

function describeWarehouse(input: WarehouseToPut): Omit<Warehouse, 'version' | 'updatedAt'> {
  // `*` means "all warehouses" in the inventory query.
  if (input.code === '*') throw refuseCatalogue('reserved_code', '/code');
  const zones = [...(input.zones ?? [])];
  if (new Set(zones.map((zone) => zone.code)).size !== zones.length) {
    throw refuseCatalogue('duplicate_zone', '/zones');
  }
  const kind = input.kind ?? 'own';
  const customerCode = input.customerCode ?? null;
  if ((kind === 'consignment') !== (customerCode !== null))
    throw refuseCatalogue('consignment_customer', '/customerCode');
  const gln = input.gln ?? null;
  requireGln(gln, '/gln');
  const { code, name, address = null } = input;
  return { code, name, kind, customerCode, gln, address, zones };
}

/** A change of kind or customer would move the stock to another site without a transfer in the ledger. */
const isElsewhere = (before: Warehouse, after: Warehouse): boolean =>
  before.kind !== after.kind || before.customerCode !== after.customerCode;
