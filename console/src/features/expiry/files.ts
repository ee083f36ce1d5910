import { type CsvCell, writeCsv } from '@lotward/client/csv';
import type { Language } from '../../app/language.js';
import { saveFile } from '../../ui/save-file.js';
import type { ExpiringBatch } from './bulk.js';

type Columns = readonly (readonly [name: ColumnName, write: (batch: ExpiringBatch) => CsvCell])[];
type ColumnName = keyof typeof CHINESE;

/** In English, the columns have the field names of the API. */
const CHINESE = {
  productCode: '产品编码',
  productName: '产品名称',
  batchNo: '批号',
  expiryDate: '有效期至',
  daysLeft: '剩余天数',
  availableQuantity: '可用数量',
  unit: '单位',
  totalQuantity: '总数量',
  reservedQuantity: '已预留数量',
  blockedQuantity: '冻结或过期数量',
  warehouses: '仓库',
  shippedLast90Days: '近 90 天发货',
  openOrders: '未发订单',
  expectedUse: '预计用量',
  surplus: '到期预计余量',
  unitPrice: '单价',
  currency: '币种',
};

/** For customers: what they can buy, without demand or prices. */
const OFFER: Columns = [
  ['productCode', (batch) => batch.productCode],
  ['productName', (batch) => batch.productName],
  ['batchNo', (batch) => batch.batchNo],
  ['expiryDate', (batch) => batch.expiryDate],
  ['daysLeft', (batch) => batch.daysLeft],
  ['availableQuantity', (batch) => batch.availableQuantity],
  ['unit', (batch) => batch.unit],
];

const EVERYTHING: Columns = [
  ...OFFER.slice(0, -2),
  ['totalQuantity', (batch) => batch.totalQuantity],
  ['availableQuantity', (batch) => batch.availableQuantity],
  ['reservedQuantity', (batch) => batch.reservedQuantity],
  ['blockedQuantity', (batch) => batch.blockedQuantity],
  [
    'warehouses',
    (batch) => batch.byWarehouse.map((each) => `${each.warehouse}: ${each.totalQuantity}`).join(', '),
  ],
  ['shippedLast90Days', (batch) => batch.demand.shippedQuantity],
  ['openOrders', (batch) => batch.demand.openQuantity],
  ['expectedUse', (batch) => batch.demand.expectedUse],
  ['surplus', (batch) => batch.demand.surplus],
  ['unitPrice', (batch) => batch.price?.unitPrice ?? null],
  ['currency', (batch) => batch.price?.currency ?? null],
];

function save(name: string, columns: Columns, batches: readonly ExpiringBatch[], language: Language): number {
  const rows = batches.map((batch) => columns.map(([, write]) => write(batch)));
  const head = columns.map(([column]) => (language === 'zh-CN' ? CHINESE[column] : column));
  saveFile(name, writeCsv([head, ...rows]));
  return rows.length;
}

export const saveBatches = (batches: readonly ExpiringBatch[], language: Language): number =>
  save('expiring-stock.csv', EVERYTHING, batches, language);

/** Batches that can still be sold. */
export const saveOffer = (batches: readonly ExpiringBatch[], language: Language): number =>
  save(
    'clearance-list.csv',
    OFFER,
    batches.filter(({ daysLeft, availableQuantity }) => daysLeft >= 0 && availableQuantity > 0),
    language,
  );
