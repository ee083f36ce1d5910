import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { fullTier, GTIN } from '../../../server/test/harness/index.js';
import {
  button,
  type ConsoleService,
  type ConsoleWorld,
  control,
  dialog,
  expectSound,
  field,
  hasBrowser,
  inFullTier,
  type Looks,
  link,
  said,
  text,
  type Visit,
} from '../harness/index.js';
import { barriersOn, overflowOf, takeScreenshot } from '../harness/inspection.js';

let world: ConsoleWorld;
let visit: Visit;

const PARTNERS = 600;
const LABELLED = 100;

const enterOrder = (orderNo: string, quantity: number) =>
  world.must('POST', '/v2/orders', {
    ...{ orderNo, customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR' },
    lines: [{ lineNo: 1, productCode: GTIN, quantity, unitPrice: '1' }],
  });

const rows = () => visit.page.locator('tbody tr.list-row');
const namesOf = () => visit.page.locator('.row-link').allInnerTexts();
const parameters = () => Object.fromEntries(new URL(visit.page.url()).searchParams);

const testView = () =>
  inFullTier(
    'a view of a list is its address: reload, Back and a saved view show it again',
    90_000,
    async () => {
      const { page } = visit;
      await visit.go('/orders');
      await page.getByRole('searchbox').fill('so-LI');
      // Both were made in one instant: which of them is newer is not known.
      await expect.poll(async () => (await namesOf()).sort()).toEqual(['SO-LIST-1', 'SO-LIST-2']);
      await button(page, 'Order no.').click();
      await expect.poll(parameters).toEqual({ q: 'so-LI', sort: 'orderNo' });
      await button(page, 'Order no.').click();
      await expect.poll(namesOf).toEqual(['SO-LIST-2', 'SO-LIST-1']);
      await button(page, 'Order no.').click();
      await expect.poll(namesOf).toEqual(['SO-LIST-1', 'SO-LIST-2']);
      // On a phone, filters that are not set are folded.
      const filters = button(page, 'Filters');
      if (await filters.isVisible()) await filters.click();
      await button(page, 'Status').click();
      await control(page, 'radio', 'Pending approval').click();
      await expect.poll(parameters).toEqual({ q: 'so-LI', sort: 'orderNo', status: 'pending_approval' });
      await button(page, 'Views').click();
      await field(page, 'Name of the view').fill('My list');
      await button(page, 'Save this view').click();
      await page.reload();
      await expect.poll(namesOf).toEqual(['SO-LIST-1', 'SO-LIST-2']);
      await expectSound(visit, 'list-view');

      await button(page, 'Remove filter: Status').click();
      await expect.poll(parameters).toEqual({ q: 'so-LI', sort: 'orderNo' });
      await rows().first().click();
      await page.getByRole('heading', { name: 'SO-LIST-1', level: 1 }).waitFor();
      await page.goBack();
      await expect.poll(namesOf).toEqual(['SO-LIST-1', 'SO-LIST-2']);
      await visit.go('/orders');
      await button(page, 'Views').click();
      await link(page, 'My list').click();
      await expect.poll(parameters).toEqual({ q: 'so-LI', sort: 'orderNo', status: 'pending_approval' });
    },
  );

const testBulk = () =>
  inFullTier('of many orders approved at once, each shows its own outcome', 90_000, async () => {
    const { page } = visit;
    visit.expects(/^4\d\d POST \/v2\/orders\/.*approve$/);
    await visit.go('/orders?q=so-list&sort=orderNo');
    await control(page, 'checkbox', 'Select all loaded rows').check();
    await expectSound(visit, 'list-chosen');
    await button(page, 'Approve order (2)').click();
    await button(dialog(page), 'Approve order (2)').click();
    await text(dialog(page), '1 failed, 1 done').waitFor();
    const outcomes = await dialog(page).locator('tbody tr').allInnerTexts();
    expect(outcomes[0]).toMatch(/^SO-LIST-2\s+(Failed: |失败：)/);
    expect(outcomes[1]).toMatch(/^SO-LIST-1\s+(Done|完成)/);
    await expectSound(visit, 'list-bulk');
    await button(dialog(page), 'Close').last().click();
    const row = page.getByRole('row').filter({ hasText: 'SO-LIST-1' });
    await text(row, 'Approved').filter({ visible: true }).waitFor();
  });

const testScrolling = () =>
  inFullTier('a long list is read on as one scrolls, and draws only what is near', 120_000, async () => {
    const { page } = visit;
    await visit.go('/partners?q=scrolled');
    await page.getByText(`${PARTNERS} partners`).waitFor();
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 20_000);
          return page.getByText('Scrolled 599', { exact: true }).count();
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    expect(await rows().count()).toBeLessThan(120);
    const heights = await page.evaluate(() => [innerHeight, document.documentElement.scrollHeight]);
    expect(heights[1]).toBeGreaterThan(PARTNERS * 30);
    await page.getByText('Scrolled 599', { exact: true }).click();
    await page.getByRole('heading', { name: /Scrolled 599/, level: 1 }).waitFor();
  });

const testLabels = () =>
  inFullTier(
    'the labels of a hundred batches are printed at once, and saved as one file',
    180_000,
    async () => {
      const { page } = visit;
      await visit.go(`/inventory?productCode=${GTIN}&warehouse=WH-2`);
      await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
      await page.getByText(`${LABELLED} selected`).waitFor();
      expect([...(await barriersOn(page)), ...(await overflowOf(page))]).toEqual([]);
      await page.getByRole('link', { name: 'Print labels' }).click();
      await page.getByText(`${LABELLED} labels`).waitFor({ timeout: 90_000 });
      const images = page.getByRole('img', { name: /^Label for/ });
      expect(await images.count()).toBe(LABELLED);
      const widths = await images.evaluateAll((all) =>
        all.map((one) => (one as HTMLImageElement).naturalWidth),
      );
      expect(widths.every((width) => width > 0)).toBe(true);
      await takeScreenshot(page, 'labels-chosen');
      await page.reload();
      await page.getByText(`${LABELLED} labels`).waitFor({ timeout: 90_000 });
      await field(page, 'Label size').click();
      await page.getByRole('option', { name: '50 × 25 mm' }).click();
      const download = page.waitForEvent('download', { timeout: 120_000 });
      await button(page, 'Download ZPL').click();
      const saved = readFileSync(await (await download).path(), 'utf8');
      expect(saved.match(/\^XA/g)).toHaveLength(LABELLED);
      expect(saved).toContain('LBL-099');
    },
  );

const testHistories = () =>
  inFullTier('movements and events are found by the document they are about', 60_000, async () => {
    const { page } = visit;
    await visit.go('/movements');
    await page.getByRole('searchbox').fill('lbl-042');
    await expect.poll(() => rows().count()).toBe(1);
    await expect.poll(parameters).toEqual({ q: 'lbl-042' });
    await visit.go('/events?q=SO-LIST-1');
    await page.getByText('SO-LIST-1').filter({ visible: true }).first().waitFor();
    expect(await page.getByText('SO-LIST-2').count()).toBe(0);
  });

/** The file has a row for each record that the filters let through, with the same column names in every language. */
const testExport = () =>
  inFullTier('a list is exported as its filters show it', 60_000, async () => {
    const { page } = visit;
    await visit.go('/products?q=stent');
    const download = page.waitForEvent('download');
    await button(page, 'Export CSV').click();
    const saved = readFileSync(await (await download).path(), 'utf8');
    await said(page, '1 row exported.');
    expect(saved.split('\n')[0]).toContain('productCode');
    expect(saved.trim().split('\n')).toHaveLength(2);
    expect(saved).toContain(GTIN);
  });

/** Finding, filters, sorting, saved views, many at once and export, in other looks. */
export const testListsIn = (service: () => ConsoleService, looks: Looks) =>
  describe('a list', () => {
    beforeAll(async () => {
      world = await service().beside();
      const stock = { productCode: GTIN, warehouse: 'WH-1', batchNo: 'LIST', expiryDate: '2031-01-01' };
      await world.must('POST', '/v2/stock/adjustments', { ...stock, quantityDelta: 5, reason: 'opening' });
      await enterOrder('SO-LIST-1', 1);
      await enterOrder('SO-LIST-2', 1_000_000);
      if (hasBrowser) visit = await world.enter('admin', looks);
    });
    afterAll(() => visit?.leave());
    testView();
    testBulk();
    testExport();
  });

export const testLists = (service: () => ConsoleService) =>
  describe('a list', () => {
    beforeAll(async () => {
      if (!fullTier) return;
      world = await service().beside();
      const stock = { productCode: GTIN, warehouse: 'WH-1', batchNo: 'LIST', expiryDate: '2031-01-01' };
      await world.must('POST', '/v2/stock/adjustments', { ...stock, quantityDelta: 5, reason: 'opening' });
      for (let n = 0; n < LABELLED; n++) {
        const batchNo = `LBL-${String(n).padStart(3, '0')}`;
        const labelled = { ...stock, warehouse: 'WH-2', batchNo, quantityDelta: 1, reason: 'opening' };
        await world.must('POST', '/v2/stock/adjustments', labelled);
      }
      await enterOrder('SO-LIST-1', 1);
      await enterOrder('SO-LIST-2', 1_000_000);
      const numbers = Array.from({ length: PARTNERS }, (_, n) => String(n).padStart(3, '0'));
      for (const n of numbers)
        await world.must('PUT', `/v2/partners/SCR-${n}`, { name: `Scrolled ${n}`, roles: ['customer'] });
      if (hasBrowser) visit = await world.enter('admin');
    }, 180_000);
    afterAll(() => visit?.leave());
    testView();
    testBulk();
    testScrolling();
    testLabels();
    testHistories();
    testExport();
  });
