import { deviceIdentifierRows, productRows, type Tracking } from '../catalogue/index.js';
import { organizationRow, statement, type Tx } from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import type { ScanEvidence, ScanPurpose } from './scan.js';

// A device identifier leads to its product. So does a product code that is one, even if the catalogue lists another.
const identified = statement(`
  select q.udi_di as "udiDi", p.product_code as "productCode", p.tracking, coalesce(d.quantity, 1) as "packageUnits"
  from unnest($2::text[]) as q(udi_di)
  left join ${deviceIdentifierRows('$1')} d on d.udi_di = q.udi_di
  join ${productRows('$1')} p on p.product_code = coalesce(d.product_code, q.udi_di)`);
const insertScans = statement(`
  insert into scans (org_id, scan_id, purpose, document_id, line_no, code, product_code, batch_no, serial_no, quantity, scanned_at,
    scanned_by)
  select g.org_id, s."scanId", $2, $3, s."lineNo", s.code, s."productCode", s."batchNo", s."serialNo", s.quantity, $5, $6
  from ${organizationRow('g')}, jsonb_to_recordset($4::jsonb) as s("scanId" text, "lineNo" integer, code text, "productCode" text, "batchNo" text,
    "serialNo" text, quantity integer)
  returning 1`);

export interface IdentifiedProduct {
  productCode: string;
  tracking: Tracking;
  packageUnits: number;
}

export async function readIdentifiedProducts(
  tx: Tx,
  deviceIdentifiers: readonly string[],
): Promise<Map<string, IdentifiedProduct>> {
  const rows = await tx.query<IdentifiedProduct & { udiDi: string }>(identified, [
    tx.orgId,
    [...new Set(deviceIdentifiers)],
  ]);
  return new Map(rows.map(({ udiDi, ...product }) => [udiDi, product]));
}

/** Stores scans in the given order. They are never changed or removed. */
export async function recordScans(
  tx: Tx,
  purpose: ScanPurpose,
  documentId: string,
  scans: readonly ScanEvidence[],
): Promise<void> {
  if (scans.length === 0) return;
  // Ids created at the same moment have no order of their own.
  const ids = scans.map(() => newId('scn', tx.now)).sort();
  const rows = scans.map((scan, i) => ({ ...scan, scanId: ids[i] }));
  tx.send(insertScans, [tx.orgId, purpose, documentId, JSON.stringify(rows), tx.now, tx.actor]);
}
