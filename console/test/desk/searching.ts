import { afterAll, beforeAll, describe, expect } from 'vitest';
import { fullTier, GTIN } from '../../../server/test/harness/index.js';
import {
  button,
  type ConsoleService,
  type ConsoleWorld,
  dialog,
  expectSound,
  hasBrowser,
  inBrowser,
  inFullTier,
  type Looks,
  speak,
  text,
  title,
  type Visit,
} from '../harness/index.js';
import { barriersOn, englishOn, overflowOf, takeScreenshot } from '../harness/inspection.js';

let world: ConsoleWorld;
let visit: Visit;

const enterOrder = (orderNo: string) =>
  world.must('POST', '/v2/orders', {
    ...{ orderNo, customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR' },
    lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1' }],
  });

const combobox = () => dialog(visit.page).getByRole('combobox');
const options = () => dialog(visit.page).getByRole('option');

const LOOKS = [
  ['dark', 390],
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
] as const;

/** By default in one of its looks. */
async function look(name: string): Promise<void> {
  const { page } = visit;
  for (const [theme, width] of fullTier ? LOOKS : LOOKS.slice(0, 1)) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 844 });
    await visit.settle();
    await takeScreenshot(page, `search-${name}.${theme}.${width}`);
    expect([...(await barriersOn(page)), ...(await overflowOf(page))]).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
}

const testKeyboard = () =>
  inBrowser('a record is found by part of its number and opened by the keyboard alone', 90_000, async () => {
    const { page } = visit;
    await visit.go('/inventory');
    await page.getByRole('link', { name: 'Inventory' }).focus();
    await page.keyboard.press('Control+k');
    // Before the window is narrowed, which hides the link and with it the place the focus returns to.
    await combobox().waitFor();
    await look('empty');
    await page.keyboard.type('00417');
    await options().filter({ hasText: 'SO-2026-00417' }).waitFor();
    await look('found');
    // The focus returns to where it was.
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Inventory');

    await page.keyboard.press('Control+k');
    // Enter at once, before there are results.
    await page.keyboard.type('2026-00417');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /SO-2026-00417/, level: 1 }).waitFor();
    expect(await dialog(page).count()).toBe(0);

    // The record opened last is offered again; a page by its name.
    await page.keyboard.press('Control+k');
    await options().first().filter({ hasText: 'SO-2026-00417' }).waitFor();
    await combobox().fill('webh');
    await options().filter({ hasText: 'Webhooks' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await combobox().fill('nothing like it');
    await page.getByText('No results').waitFor();
    await page.keyboard.press('Escape');
  });

const testScan = () =>
  inFullTier('a scan into the search opens the product', 60_000, async () => {
    await visit.go('/orders');
    await button(visit.page, /^(Search|搜索)/).click();
    await combobox().waitFor();
    await visit.scan(`01${GTIN}`);
    await visit.page.getByRole('heading', { name: /Coronary stent/, level: 1 }).waitFor();
  });

const testScanAnywhere = () =>
  inFullTier('a scan on a page without a use for it opens the batch', 60_000, async () => {
    await world.must('POST', '/v2/stock/adjustments', {
      ...{ productCode: GTIN, batchNo: 'SEEN', expiryDate: '2030-12-31', warehouse: 'WH-1' },
      ...{ quantityDelta: 1, reason: 'opening stock' },
    });
    await visit.go('/partners');
    await visit.scan(`01${GTIN}1730123110SEEN`);
    await title(visit.page, 'Batch SEEN').waitFor();
  });

const testFound = () =>
  inFullTier('a record is found by part of its number, a page by its name', 60_000, async () => {
    const { page } = visit;
    await visit.go('/partners');
    await page.keyboard.press('Control+k');
    await combobox().fill('00417');
    await options().filter({ hasText: 'SO-2026-00417' }).waitFor();
    await expectSound(visit, 'search-found');
    await page.keyboard.press('Enter');
    await title(page, 'SO-2026-00417').waitFor();
    await page.keyboard.press('Control+k');
    await combobox().fill('nothing like it');
    await text(page, 'No results').waitFor();
    await expectSound(visit, 'search-none');
    await combobox().fill('webh');
    await options().filter({ hasText: 'Webhook' }).first().waitFor();
    await page.keyboard.press('Enter');
    await title(page, 'Webhooks').waitFor();
  });

const testChinese = () =>
  inFullTier('it is in Chinese, and finds a Chinese name by two characters', 60_000, async () => {
    const { page } = visit;
    await speak(visit, 'Language', '简体中文');
    await page.keyboard.press('Control+k');
    await combobox().fill('协和');
    await options().filter({ hasText: '北京协和医院' }).waitFor();
    await look('chinese');
    expect(await englishOn(page)).toEqual([]);
    // By the clock of the scanner, which is ahead: this Enter must not look like the second half of its end of line.
    await visit.keyboard.type('\n');
    await page.getByRole('heading', { name: /北京协和医院/, level: 1 }).waitFor();
  });

function furnish(service: () => ConsoleService, looks: Looks): void {
  beforeAll(async () => {
    world = await service().beside();
    await world.must('PUT', '/v2/partners/HOSP-9', { name: '北京协和医院', roles: ['customer'] });
    for (const orderNo of ['SO-2026-00417', 'SO-2026-00418']) await enterOrder(orderNo);
    if (hasBrowser) visit = await world.enter('admin', looks);
  }, 120_000);
  afterAll(() => visit?.leave());
}

/** In other looks. */
export const testSearchingIn = (service: () => ConsoleService, looks: Looks) =>
  describe('the search', () => {
    furnish(service, looks);
    testFound();
    testScan();
    testScanAnywhere();
  });

export const testSearching = (service: () => ConsoleService) =>
  describe('the search', () => {
    furnish(service, {});
    testKeyboard();
    testScan();
    testChinese();
  });
