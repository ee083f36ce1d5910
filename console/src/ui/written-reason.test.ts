import { expect, it } from 'vitest';
import { reasonInChinese } from './written-reason.js';

it.each([
  ['recall RC-2002', '召回 RC-2002'],
  ['unmatched return RT-701: 医院无法说明来源', '无销售记录退货 RT-701: 医院无法说明来源'],
  ['recall of the pump by its maker', 'recall of the pump by its maker'],
  ['外包装破损', '外包装破损'],
])('of a reason, only the words of the service are translated: %s', (reason, shown) => {
  expect(reasonInChinese(reason)).toBe(shown);
});
