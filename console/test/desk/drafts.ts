import { afterAll, beforeAll, describe, expect } from 'vitest';
import { GTIN } from '../../../server/test/harness/index.js';
import { openDispatch } from '../harness/dispatch.js';
import {
  button,
  type ConsoleService,
  type ConsoleWorld,
  choose,
  dialog,
  field,
  hasBrowser,
  inBrowser,
  inFullTier,
  said,
  type Visit,
} from '../harness/index.js';
import { barriersOn, takeScreenshot } from '../harness/inspection.js';

const GS = '\u001d';
const STENT = 'Coronary stent 3.0×18';
const codeOf = (batchNo: string): string => `01${GTIN}1730123110${batchNo}${GS}`;

let world: ConsoleWorld;
/** The visit of the person whose entries they are. */
let visit: Visit;

async function reload({ page, settle }: Visit): Promise<void> {
  await page.reload();
  await settle();
}

const testReceipt = () =>
  inBrowser('a receipt, after leaving the page and reloading it, until it is entered', 90_000, async () => {
    const { page } = visit;
    // The search asks for codes, too, when this machine is slow between typing and choosing.
    visit.expects(/^404 GET \/v2\/(partners|products)\//);
    await visit.go('/receipts/new');
    await field(page, 'Receipt no.').fill('RC-D1');
    await choose(page, 'Supplier', 'Acme', 'Acme Devices · SUP-1');
    await choose(page, 'Warehouse', 'Main', 'Main · WH-1');
    for (const count of [1, 2]) {
      await visit.scan(codeOf('D1'));
      await page.getByText(`${STENT} · D1: ${count} on this receipt.`).waitFor();
    }
    await page.getByRole('link', { name: 'Inventory' }).click();
    await page.getByRole('heading', { name: 'Inventory', level: 1 }).waitFor();
    await visit.go('/receipts/new');
    await page.getByText('Draft restored').waitFor();
    expect(await field(page, 'Quantity').inputValue()).toBe('2');
    await reload(visit);
    expect(await field(page, 'Receipt no.').inputValue()).toBe('RC-D1');
    await visit.scan(codeOf('D1'));
    await page.getByText(`${STENT} · D1: 3 on this receipt.`).waitFor();
    await button(page, 'Create receipt').click();
    await said(page, 'Receipt RC-D1 created.');
    await page.getByRole('heading', { name: /RC-D1/, level: 1 }).waitFor();
    await visit.go('/receipts/new');
    expect(await field(page, 'Receipt no.').inputValue()).toBe('');
    expect(await page.getByText('Draft restored').count()).toBe(0);
  });

const testOrder = () =>
  inFullTier('an order, which can be discarded', 60_000, async () => {
    const { page } = visit;
    await visit.go('/orders/new');
    await visit.scan(codeOf('ANY'));
    await page.getByText(`${STENT}: 1 on this order.`).waitFor();
    await visit.go('/orders');
    await visit.go('/orders/new');
    await page.getByText('Draft restored').waitFor();
    expect(await field(page, 'Quantity').inputValue()).toBe('1');
    await button(page, 'Discard draft').click();
    expect(await field(page, 'Quantity').inputValue()).toBe('');
    await reload(visit);
    expect(await field(page, 'Quantity').inputValue()).toBe('');
  });

const testWindow = () =>
  inBrowser('a form in a window, which asks before it closes', 60_000, async () => {
    const { page } = visit;
    const enter = async (text: string) => {
      await button(page, 'Create partner').click();
      await field(dialog(page), 'Name').fill(text);
      await page.keyboard.press('Escape');
      await page.getByText('Close without saving?').waitFor();
    };
    await visit.go('/partners');
    await enter('Half a partner');
    // The focus is on the button that changes nothing.
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe('Continue editing');
    await page.keyboard.press('Enter');
    await page.getByText('Close without saving?').waitFor({ state: 'hidden' });
    expect(await field(dialog(page), 'Name').inputValue()).toBe('Half a partner');
    await page.mouse.click(5, 5);
    await page.getByText('Close without saving?').waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takeScreenshot(page, 'close-unsaved');
    await button(page, 'Keep draft').click();
    await dialog(page).waitFor({ state: 'hidden' });

    await reload(visit);
    await button(page, 'Create partner').click();
    await page.getByText('Draft restored').waitFor();
    await takeScreenshot(page, 'draft-restored');
    expect(await field(dialog(page), 'Name').inputValue()).toBe('Half a partner');
    await button(page, 'Continue').click();
    await page.getByText('Draft restored').waitFor({ state: 'hidden' });
    await button(dialog(page), 'Cancel').click();
    await dialog(page).waitFor({ state: 'hidden' });
    await enter('Another');
    await button(page, 'Discard entries').click();
    await dialog(page).waitFor({ state: 'hidden' });
    await button(page, 'Create partner').click();
    expect(await field(dialog(page), 'Name').inputValue()).toBe('');
    // Nothing was entered: Esc closes it.
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
  });

const testPicks = () =>
  inFullTier('picks and the scans of a re-check, for the person who made them', 90_000, async () => {
    const dispatchId = await openDispatch(world, 'SO-DRAFT', 'P1', 3);
    const picker = visit;
    const checker = await world.enter('warehouse');
    const path = `/dispatches/${dispatchId}`;
    await picker.go(path);
    for (const count of [1, 2]) {
      await picker.scan(codeOf('P1'));
      await picker.page.getByText(`${count} of 3 picked`).waitFor();
    }
    await field(picker.page, 'By hand, batch P1').fill('1');
    await picker.go('/dispatches');
    await picker.go(path);
    await picker.page.getByText('Draft restored').waitFor();
    await picker.page.getByText('3 of 3 picked').waitFor();
    await picker.page.getByText('To pick 3 · Scanned 2').waitFor();
    await checker.go(path);
    await checker.page.getByText('0 of 3 picked').waitFor();
    await button(picker.page, 'Complete picking').click();
    await said(picker.page, 'Picking completed. Another person must re-check.');
    expect(await picker.page.getByText('Draft restored').count()).toBe(0);

    await checker.page.getByRole('heading', { name: 'Re-check' }).waitFor();
    await checker.scan(codeOf('P1'));
    await checker.page.getByText('1 of 3 counted').waitFor();
    await reload(checker);
    await checker.page.getByText('1 of 3 counted').waitFor();
    await checker.page.getByText('Draft restored').waitFor();
    await checker.leave();
  });

const testOtherBatch = () =>
  inFullTier(
    'a pick of another batch, regardless of what is pressed or clicked beside its window',
    60_000,
    async () => {
      const dispatchId = await openDispatch(world, 'SO-ESC', 'E1', 2);
      await world.must('POST', '/v2/stock/adjustments', {
        productCode: GTIN,
        batchNo: 'E2',
        expiryDate: '2030-12-31',
        warehouse: 'WH-1',
        quantityDelta: 2,
        reason: 'opening stock',
      });
      const { page } = visit;
      await visit.go(`/dispatches/${dispatchId}`);
      await visit.scan(codeOf('E2'));
      await field(dialog(page), 'Reason').fill('E1 is behind the shelf');
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 5);
      expect(await field(dialog(page), 'Reason').inputValue()).toBe('E1 is behind the shelf');
      await button(dialog(page), 'Pick batch').click();
      await page.getByText('1 of 2 picked').waitFor();

      await button(page, 'Other batch').click();
      await field(dialog(page), 'Batch').fill('E2');
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 5);
      expect(await field(dialog(page), 'Batch').inputValue()).toBe('E2');
      await button(dialog(page), 'Keep draft').click();
      await dialog(page).waitFor({ state: 'hidden' });
      await reload(visit);
      await button(page, 'Other batch').click();
      expect(await field(dialog(page), 'Batch').inputValue()).toBe('E2');
      await button(dialog(page), 'Cancel').click();
      await dialog(page).waitFor({ state: 'hidden' });
      // Nothing was entered yet: Esc closes it.
      await button(page, 'Other batch').click();
      await field(dialog(page), 'Batch').waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'hidden' });
    },
  );

const testPicksOfOthers = () =>
  inFullTier(
    'picks saved by somebody else meanwhile are kept, and a draft is fitted to them',
    60_000,
    async () => {
      const dispatchId = await openDispatch(world, 'SO-BOTH', 'B1', 3);
      const { page } = visit;
      await visit.go(`/dispatches/${dispatchId}`);
      for (const count of [1, 2]) {
        await visit.scan(codeOf('B1'));
        await page.getByText(`${count} of 3 picked`).waitFor();
      }
      await page.goto('about:blank');
      await world.must('POST', `/v2/dispatches/${dispatchId}/picks`, {
        picks: [{ lineNo: 1, batchNo: 'B1', quantity: 2 }],
      });
      await visit.load(`/dispatches/${dispatchId}`);
      await page.getByText('3 of 3 picked').waitFor();
      expect(await field(page, 'By hand, batch B1').inputValue()).toBe('2');
      await page.getByText('To pick 3 · Scanned 1').waitFor();
    },
  );

/** By default a receipt: all documents keep their entries by the same means. */
export const testDrafts = (service: () => ConsoleService) =>
  describe('unsaved entries are restored', () => {
    beforeAll(async () => {
      world = await service().beside();
      if (hasBrowser) visit = await world.enter('admin');
    });
    afterAll(() => visit?.leave());

    // First: the keys of a scanner have times of their own, ahead of those that are pressed by hand.
    testWindow();
    testReceipt();
    testOrder();
    testPicks();
    testOtherBatch();
    testPicksOfOthers();
  });
