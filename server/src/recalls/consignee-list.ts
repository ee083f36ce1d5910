import { writeCsv } from '@lotward/client/csv';
import { type CsvLanguage, headOf } from '../platform/http/index.js';
import { ANSWER_COUNTS, type RecallStanding } from './recall.js';
import { progressOf } from './recall.rules.js';

const COLUMNS = {
  recallNo: '召回编号',
  productCode: '产品编码',
  batches: '批号',
  customerCode: '客户编码',
  customerName: '客户名称',
  quantity: '发货数量',
  returnedQuantity: '已退回数量',
  acknowledgedAt: '确认时间',
  documents: '对应订单',
  onHand: '尚有库存',
  used: '已使用或已植入',
  returned: '已退回',
  destroyed: '已销毁',
  notFound: '去向不明',
  notAnswered: '未说明去向',
  answeredAt: '反馈时间',
  answeredBy: '反馈登记人',
  answerNote: '反馈备注',
  unansweredReason: '未反馈的原因',
} satisfies Record<string, string> & Record<(typeof ANSWER_COUNTS)[number], string>;
const SEPARATOR = '; ';

/** The consignees of a recall and their answers as CSV, one line each, sorted by code. */
export function consigneeList(
  { recallNo, productCode, consignees }: RecallStanding,
  language?: CsvLanguage,
): string {
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
  return writeCsv([headOf(COLUMNS, language), ...rows]);
}
