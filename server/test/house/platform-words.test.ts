import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/house-rules.mjs', import.meta.url));

function findingsOf(files: Record<string, string>): string[] {
  const root = mkdtempSync(path.join(tmpdir(), 'lotward-house-'));
  spawnSync('git', ['init', '--quiet'], { cwd: root });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  const run = spawnSync(process.execPath, [script, '--root', root], { encoding: 'utf8' });
  rmSync(root, { recursive: true });
  return run.stdout.split('\n').filter((line) => line.includes('platform-words'));
}

it.each([
  'export const canonicalGtin = 1;',
  'export interface Principal { customerCode: string }',
  'export const CUSTOMER_CODE = 1;',
  'export function lockProduct() {}',
  'export class Box { #webhooks = 1 }',
  'export const batchNo = 1;',
  'export const ORDER_NO = 1;',
])('platform may not say %s', (text) => {
  expect(findingsOf({ 'server/src/platform/thing.ts': text })).toHaveLength(1);
});

it('technical words are not taken for those of the business, and slices and tests may use both', () => {
  const technical =
    'export const batch = 1, readInIndexOrder = 2, serialize = 3, dispatch = 4, recalled = 5;';
  const business = 'export const customerCode = 1;';
  expect(
    findingsOf({
      'server/src/platform/thing.ts': `${technical} // the customer of an order\nexport const text = 'product';`,
      'server/src/platform/thing.test.ts': business,
      'server/src/orders/order.ts': business,
    }),
  ).toEqual([]);
});
