import { writeCsv } from '@lotward/client/csv';
import { type CsvLanguage, headOf, termOf } from '../platform/http/index.js';
import type { Disposition } from './disposition.js';
import type { NonconformityRecord } from './nonconformity.js';
import { refuseQuality } from './quality.errors.js';

const PAGE = 1_000;
const ROWS_MAX = 50_000;

/** All rows of a list, page by page, so that no statement or transaction takes long. */
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

/** Goods have the same columns in both lists. */
const GOODS_COLUMNS = {
  productCode: '产品编码',
  productName: '产品名称',
  batchNo: '批号',
  expiryDate: '有效期至',
  serials: '序列号',
  quantity: '数量',
  warehouse: '仓库',
};
const cellsOfGoods = (goods: NonconformityRecord | Disposition['lines'][number]) => [
  goods.productCode,
  goods.productName,
  goods.batchNo,
  goods.expiryDate ?? '',
  goods.serials.join(SEPARATOR),
  goods.quantity,
  goods.warehouse,
];

const ENTRY_COLUMNS = {
  ncId: '记录编号',
  createdAt: '登记时间',
  createdBy: '登记人',
  source: '来源',
  sourceNo: '来源单号',
  ...GOODS_COLUMNS,
  supplierCode: '供应商编码',
  customerCode: '客户编码',
  reason: '原因',
  status: '状态',
  executedQuantity: '已执行处置数量',
  releasedQuantity: '解除冻结数量',
  adjustedQuantity: '盘亏核销数量',
  dispositionIds: '处置记录编号',
  closedAt: '关闭时间',
};
const SOURCES = { receipt: '验收不合格', return: '无销售记录退货', manual: '手工登记' };
const ENTRY_STATUSES = { open: '待处置', decided: '处置中', closed: '已关闭' };

/** The register of nonconforming goods as CSV, one row per entry. */
export function nonconformityList(entries: readonly NonconformityRecord[], language?: CsvLanguage): string {
  const rows = entries.map((entry) => [
    entry.ncId,
    instant(entry.createdAt),
    entry.createdBy,
    termOf(entry.source.kind, SOURCES, language),
    entry.source.no ?? '',
    ...cellsOfGoods(entry),
    entry.supplierCode ?? '',
    entry.customerCode ?? '',
    entry.reason,
    termOf(entry.status, ENTRY_STATUSES, language),
    entry.executedQuantity,
    entry.releasedQuantity,
    entry.adjustedQuantity,
    entry.dispositionIds.join(SEPARATOR),
    instant(entry.closedAt),
  ]);
  return writeCsv([headOf(ENTRY_COLUMNS, language), ...rows]);
}

const DISPOSITION_COLUMNS = {
  dispositionId: '处置记录编号',
  kind: '处置方式',
  status: '状态',
  reason: '处置原因',
  lineNo: '行号',
  ...GOODS_COLUMNS,
  holdId: '冻结记录',
  ncId: '不合格品记录',
  supplierCode: '供应商编码',
  proposedBy: '提出人',
  proposedAt: '提出时间',
  approvedBy: '批准人',
  approvedAt: '批准时间',
  rejectedBy: '驳回人',
  rejectedAt: '驳回时间',
  executedBy: '执行人',
  executedAt: '执行时间',
  witness: '监销人',
  carrier: '承运商',
  trackingNo: '运单号',
  dispositionNo: '处置单号',
};
const KINDS = {
  release: '复查合格放行',
  rework: '整改合格放行',
  return_to_supplier: '退回供应商',
  destroy: '销毁',
};
const DISPOSITION_STATUSES = {
  proposed: '待批准',
  approved: '待执行',
  executed: '已执行',
  rejected: '已驳回',
};

/** Dispositions as CSV, one row per line. */
export function dispositionList(dispositions: readonly Disposition[], language?: CsvLanguage): string {
  const rows = dispositions.flatMap((disposition) =>
    disposition.lines.map((line) => [
      disposition.dispositionId,
      termOf(disposition.kind, KINDS, language),
      termOf(disposition.status, DISPOSITION_STATUSES, language),
      disposition.reason,
      line.lineNo,
      ...cellsOfGoods(line),
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
      disposition.dispositionNo,
    ]),
  );
  return writeCsv([headOf(DISPOSITION_COLUMNS, language), ...rows]);
}
