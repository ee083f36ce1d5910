import { expect, it } from 'vitest';
import { importColumnWords } from './import-column-words.js';
import { PARTNER_COLUMNS } from './partner-columns.js';
import { PRODUCT_COLUMNS } from './product-columns.js';

it.each(['en', 'zh-CN'] as const)('every column of a file is explained, and no other: %s', (language) => {
  const { products, partners } = importColumnWords[language];
  expect(Object.keys(products)).toEqual(PRODUCT_COLUMNS.map(({ name }) => name));
  expect(Object.keys(partners)).toEqual(PARTNER_COLUMNS.map(({ name }) => name));
});
