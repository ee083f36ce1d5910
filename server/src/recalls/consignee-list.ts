import { writeCsv } from '@lotward/client/csv';
import { ANSWER_COUNTS, type RecallStanding } from './recall.js';
import { progressOf } from './recall.rules.js';

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
  ...ANSWER_COUNTS,
  'notAnswered',
  'answeredAt',
  'answeredBy',
  'answerNote',
  'unansweredReason',
];
const SEPARATOR = '; ';

/** The consignees of a recall and their answers as CSV, one line each, sorted by code. */
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
    ...ANSWER_COUNTS.map((name) => each.answer?.[name] ?? ''),
    progressOf([each]).notAnswered,
    each.answer?.answeredAt.toISOString() ?? '',
    each.answer?.answeredBy ?? '',
    each.answer?.note ?? '',
    each.unansweredReason ?? '',
  ]);
  return writeCsv([HEADER, ...rows]);
}
