import { beforeAll, describe, expect, it } from 'vitest';
import { type Files, rulesOf } from './rules.js';

const { judge } = rulesOf('house-rules', { name: 'checkHouse', isRepository: true });

async function findingsOf(files: Files): Promise<string[]> {
  const { lines } = await judge(files);
  return lines.filter((line) => line.includes('platform-words'));
}

const refused = [
  'export const canonicalGtin = 1;',
  'export interface Principal { customerCode: string }',
  'export const CUSTOMER_CODE = 1;',
  'export function lockProduct() {}',
  'export class Box { #webhooks = 1 }',
  'export const batchNo = 1;',
  'export const ORDER_NO = 1;',
];
const fileOf = (text: string) => `server/src/platform/thing-${refused.indexOf(text)}.ts`;

describe('in a tree with one file for each', () => {
  let findings: string[];
  beforeAll(async () => {
    findings = await findingsOf(Object.fromEntries(refused.map((text) => [fileOf(text), text])));
  });

  it.each(refused)('platform may not say %s', (text) => {
    expect(findings.filter((line) => line.startsWith(`${fileOf(text)}:`))).toHaveLength(1);
  });
});

it('technical words are not taken for those of the business, and slices and tests may use both', async () => {
  const technical =
    'export const batch = 1, readInIndexOrder = 2, serialize = 3, dispatch = 4, recalled = 5;';
  const business = 'export const customerCode = 1;';
  expect(
    await findingsOf({
      'server/src/platform/thing.ts': `${technical} // the customer of an order\nexport const text = 'product';`,
      'server/src/platform/thing.test.ts': business,
      'server/src/orders/order.ts': business,
    }),
  ).toEqual([]);
});
