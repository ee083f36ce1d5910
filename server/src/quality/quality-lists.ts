import { writeCsv } from '@lotward/client/csv';
import type { Disposition } from './disposition.js';
import type { NonconformityRecord } from './nonconformity.js';
import { refuseQuality } from './quality.errors.js';

const PAGE = 1_000;
const ROWS_MAX = 50_000;

/** All rows of a list, page by page, so that no statement and no transaction is long. */
export async function readAllPages<T>(
  readPage: (after: string | null, limit: number) => Promise<readonly T[]>,
  key: (row: T) => string,
): Promise<T[]> {
  const rows: T[] = [];
  for (let after: string | null = null; ; ) {
    const page = await readPage(after, PAGE);
    rows.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return rows;
    if (rows.length >= ROWS_MAX) throw refuseQuality('too_many_rows', null, `more than ${ROWS_MAX} rows`);
    after = key(last);
  }
}

const SEPARATOR = '; ';
const instant = (at: Date | null) => at?.toISOString() ?? '';

const ENTRY_COLUMNS = [
  'ncId',
  'createdAt',
  'createdBy',
  'source',
  'sourceNo',
  'productCode',
  'productName',
  'batchNo',
  'expiryDate',
  'serials',
  'quantity',
  'warehouse',
  'supplierCode',
  'customerCode',
  'reason',
  'status',
  'executedQuantity',
  'releasedQuantity',
  'adjustedQuantity',
  'dispositionIds',
  'closedAt',
];

/** The register of nonconforming goods as CSV, one row per entry. */
export function nonconformityList(entries: readonly NonconformityRecord[]): string {
  const rows = entries.map((entry) => [
    entry.ncId,
    instant(entry.createdAt),
    entry.createdBy,
    entry.source.kind,
    entry.source.no ?? '',
    entry.productCode,
    entry.productName,
    entry.batchNo,
    entry.expiryDate ?? '',
    entry.serials.join(SEPARATOR),
    entry.quantity,
    entry.warehouse,
    entry.supplierCode ?? '',
    entry.customerCode ?? '',
    entry.reason,
    entry.status,
    entry.executedQuantity,
    entry.releasedQuantity,
    entry.adjustedQuantity,
    entry.dispositionIds.join(SEPARATOR),
    instant(entry.closedAt),
  ]);
  return writeCsv([ENTRY_COLUMNS, ...rows]);
}

const DISPOSITION_COLUMNS = [
  'dispositionId',
  'kind',
  'status',
  'reason',
  'lineNo',
  'productCode',
  'productName',
  'batchNo',
  'expiryDate',
  'serials',
  'quantity',
  'warehouse',
  'holdId',
  'ncId',
  'supplierCode',
  'proposedBy',
  'proposedAt',
  'approvedBy',
  'approvedAt',
  'rejectedBy',
  'rejectedAt',
  'executedBy',
  'executedAt',
  'witness',
  'carrier',
  'trackingNo',
];

/** Dispositions as CSV, one row per line. */
export function dispositionList(dispositions: readonly Disposition[]): string {
  const rows = dispositions.flatMap((disposition) =>
    disposition.lines.map((line) => [
      disposition.dispositionId,
      disposition.kind,
      disposition.status,
      disposition.reason,
      line.lineNo,
      line.productCode,
      line.productName,
      line.batchNo,
      line.expiryDate ?? '',
      line.serials.join(SEPARATOR),
      line.quantity,
      line.warehouse,
      line.holdId ?? '',
      line.ncId ?? '',
      disposition.supplierCode ?? '',
      disposition.proposedBy,
      instant(disposition.proposedAt),
      disposition.approvedBy ?? '',
      instant(disposition.approvedAt),
      disposition.rejectedBy ?? '',
      instant(disposition.rejectedAt),
      disposition.executedBy ?? '',
      instant(disposition.executedAt),
      disposition.witness ?? '',
      disposition.carrier ?? '',
      disposition.trackingNo ?? '',
    ]),
  );
  return writeCsv([DISPOSITION_COLUMNS, ...rows]);
}
