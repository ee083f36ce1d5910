import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  button,
  type ConsoleService,
  dialog,
  field,
  inFullTier,
  link,
  said,
  title,
  type Visit,
} from '../harness/index.js';

/** As a person types; faster keys are taken for those of a scanner. */
const TYPING = { delay: 70 };
/** More stops than any page has before its content. */
const STOPS_MAX = 90;

/** Presses Tab until the control has the focus; one that cannot be reached by keyboard fails here. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  const isFocused = () => control.evaluate((element) => element === document.activeElement);
  for (let stops = 0; !(await isFocused()); stops++) {
    expect(stops, `stops before ${control}`).toBeLessThan(STOPS_MAX);
    await page.keyboard.press('Tab');
  }
}

async function press(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

async function type(page: Page, label: string, text: string, within: Page | Locator = page): Promise<void> {
  await tabTo(page, field(within, label).first());
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text, TYPING);
}

async function choose(page: Page, label: string, typed: string, meant: string): Promise<void> {
  await type(page, label, typed);
  const option = page.getByRole('option', { name: meant });
  await option.waitFor();
  const isChosen = () => option.evaluate((element) => element.hasAttribute('data-combobox-selected'));
  for (let steps = 0; !(await isChosen()); steps++) {
    expect(steps, `options before ${meant}`).toBeLessThan(10);
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await expect.poll(() => field(page, label).first().inputValue()).toBe(meant);
}

/** By Ctrl+K, the name of a page or the number of a record, and Enter. */
async function open({ page, settle }: Visit, name: string, heading: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  const box = dialog(page).getByRole('combobox');
  await box.waitFor();
  await page.keyboard.type(name, TYPING);
  await expect.poll(() => box.inputValue()).toBe(name);
  await dialog(page).getByRole('option').filter({ hasText: name }).first().waitFor();
  await page.keyboard.press('Enter');
  await title(page, heading).waitFor();
  await settle();
}

async function sell(visit: Visit): Promise<void> {
  const { page } = visit;
  await visit.load('/');
  await open(visit, 'Create order', 'Create order');
  await type(page, 'Order no.', 'SO-KEYS');
  await choose(page, 'Customer', 'City', 'City hospital · HOSP-1');
  await choose(page, 'Warehouse', 'Main', 'Main · WH-1');
  await choose(page, 'Currency', 'EUR', 'EUR · Euro');
  await choose(page, 'Product', 'Keyed', 'Keyed catheter · KEYED-1');
  await type(page, 'Quantity', '2');
  await type(page, 'Unit price', '120.50');
  await press(page, button(page, 'Create order'));
  await said(page, 'Order SO-KEYS created.');
  await press(page, button(page, 'Approve order'));
  await press(page, button(dialog(page), 'Approve order'));
  await said(page, 'Order approved.');
}

async function pick(visit: Visit): Promise<void> {
  const { page } = visit;
  await visit.load('/');
  await open(visit, 'SO-KEYS', 'SO-KEYS');
  await press(page, button(page, 'Create dispatch'));
  await press(page, button(dialog(page), 'Create dispatch'));
  await title(page, 'Dispatch SO-KEYS-1').waitFor();
  await type(page, 'By hand, batch K1', '2');
  await press(page, button(page, 'Complete picking'));
  await said(page, 'Picking completed. Another person must re-check.');
}

async function deliver(visit: Visit): Promise<void> {
  const { page } = visit;
  await visit.load('/');
  await open(visit, 'Dispatches', 'Dispatches');
  await press(page, link(page, /SO-KEYS/));
  await title(page, 'Dispatch SO-KEYS-1').waitFor();
  await tabTo(page, page.getByRole('textbox', { name: /^Count of / }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('2', TYPING);
  await press(page, button(page, 'Pass re-check and dispatch'));
  await type(page, 'Carrier', 'Ward Express', dialog(page));
  await press(page, button(dialog(page), 'Pass re-check and dispatch'));
  await said(page, 'Re-check passed. The goods are dispatched.');
  await press(page, button(page, 'Confirm delivery'));
  await type(page, 'Received by', 'Sister Anna', dialog(page));
  await press(page, button(dialog(page), 'Confirm delivery'));
  await said(page, 'Delivery confirmed.');
}

export const testKeyboardAlone = (service: () => ConsoleService) =>
  inFullTier('an order goes from entry to delivery by keyboard alone', 180_000, async () => {
    const world = await service().beside();
    await world.must('PUT', '/v2/products/KEYED-1', { productName: 'Keyed catheter', tracking: 'batch' });
    await world.must('POST', '/v2/stock/adjustments', {
      ...{ productCode: 'KEYED-1', batchNo: 'K1', expiryDate: '2030-12-31', warehouse: 'WH-1' },
      ...{ quantityDelta: 9, reason: 'opening stock' },
    });
    for (const [role, work] of [
      ['sales', sell],
      ['warehouse', pick],
      ['quality', deliver],
    ] as const) {
      const visit = await world.enter(role);
      // The pickers ask for codes, too, when this machine is slow between typing and choosing.
      visit.expects(/^404 GET \/v2\/(partners|products)\//);
      await work(visit);
      await visit.leave();
    }
    const { items } = await world.must<{ items: object[] }>('GET', '/v2/orders?orderNo=SO-KEYS');
    expect(items).toMatchObject([{ status: 'delivered' }]);
  });
