import { expect, it } from 'vitest';
import { reasonInChinese, reasonInEnglish } from './written-reason.js';

it.each([
  ['recall RC-2002', '召回 RC-2002'],
  ['unmatched return RT-701: 医院无法说明来源', '无销售记录退货 RT-701：医院无法说明来源'],
  ['return RT-12', '退货 RT-12'],
  ['opening stock', '期初库存'],
  ['temperature of 9.2 °C at 2号冷库 (alert alt_1)', '2号冷库温度 9.2 °C（报警 alt_1）'],
  ['temperature of 9.2 to 11 °C at Cold room (alert alt_1)', 'Cold room温度 9.2 至 11 °C（报警 alt_1）'],
  ['humidity of 80 % at 2号冷库 (alert alt_1)', '2号冷库湿度 80 %（报警 alt_1）'],
  ['recall of the pump by its maker', 'recall of the pump by its maker'],
  ['外包装破损', '外包装破损'],
])('of a reason, only the words of the service are translated: %s', (reason, shown) => {
  expect(reasonInChinese(reason)).toBe(shown);
});

it('begins reasons of the service with a capital letter, and leaves those of people as they wrote them', () => {
  expect(reasonInEnglish('recall RC-2002')).toBe('Recall RC-2002');
  expect(reasonInEnglish('pouch pierced')).toBe('pouch pierced');
});
