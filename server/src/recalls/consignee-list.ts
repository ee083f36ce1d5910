import { writeCsv } from '@lotward/client/csv';
import type { RecallStanding } from './recall.js';

const HEADER = [
  'recallNo',
  'productCode',
  'batches',
  'customerCode',
  'customerName',
  'quantity',
  'returnedQuantity',
  'acknowledgedAt',
  'documents',
];
const SEPARATOR = '; ';

/** The consignees of a recall as CSV, one line each, sorted by code. */
export function consigneeList({ recallNo, productCode, consignees }: RecallStanding): string {
  const rows = consignees.map((each) => [
    recallNo,
    productCode,
    each.batchNos.join(SEPARATOR),
    each.customerCode,
    each.customerName,
    each.quantity,
    each.returnedQuantity,
    each.acknowledgedAt?.toISOString() ?? '',
    each.documents.map(({ id, no }) => (no === null ? id : `${no} (${id})`)).join(SEPARATOR),
  ]);
  return writeCsv([HEADER, ...rows]);
}
