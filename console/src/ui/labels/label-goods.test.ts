import { expect, it } from 'vitest';
import { codeOfGoods, LABELS_MAX, parseLabelGoods } from './label-goods.js';

const goods = {
  ...{ productCode: '06901234567892', productName: 'Stent', batchNo: 'B1' },
  ...{ expiryDate: '2028-01-31', serialNo: null },
};
const TODAY = '2026-11-15';

it('a batch has the code of its GTIN, expiry date and number, a unit its serial number as well', () => {
  expect(codeOfGoods(goods, '06901234567892', TODAY)).toBe('(01)06901234567892(17)280131(10)B1');
  expect(codeOfGoods({ ...goods, serialNo: 'S7' }, '06901234567892', TODAY)).toContain('(21)S7');
  const bare = { ...goods, batchNo: '', expiryDate: null };
  expect(codeOfGoods(bare, '06901234567892', TODAY)).toBe('(01)06901234567892');
});

it('a product without a GTIN has no label', () => {
  expect([codeOfGoods(goods, null, TODAY), codeOfGoods(goods, '+A99B1', TODAY)]).toEqual([null, null]);
});

it('what another version kept is left out, and no more is read than can be printed', () => {
  expect(parseLabelGoods(null)).toEqual([]);
  expect(parseLabelGoods(JSON.stringify([goods, { productCode: 1 }, null]))).toEqual([goods]);
  expect(parseLabelGoods(JSON.stringify({}))).toEqual([]);
  const many = Array.from({ length: LABELS_MAX + 1 }, () => goods);
  expect(parseLabelGoods(JSON.stringify(many))).toHaveLength(LABELS_MAX);
});
