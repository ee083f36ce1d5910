import { afterAll, beforeAll, describe, expect } from 'vitest';
import { GTIN } from '../../../server/test/harness/index.js';
import { openDispatch } from '../harness/dispatch.js';
import {
  button,
  type ConsoleService,
  type ConsoleWorld,
  choose,
  dialog,
  expectSound,
  field,
  hasBrowser,
  inBrowser,
  type Looks,
  said,
  text,
  title,
  type Visit,
} from '../harness/index.js';

const STENT = 'Coronary stent 3.0×18';

let world: ConsoleWorld;
let visit: Visit;

const testOrder = () =>
  inBrowser('an order is entered, shows its stock and licences, and is approved', 90_000, async () => {
    const { page } = visit;
    // The pickers ask for codes, too, when this machine is slow between typing and choosing.
    visit.expects(/^404 GET \/v2\/(partners|products)\//);
    await visit.go('/orders/new');
    await field(page, 'Order no.').fill('SO-LOOK');
    await choose(page, 'Customer', 'City', 'City hospital · HOSP-1');
    await choose(page, 'Warehouse', 'Main', 'Main · WH-1');
    await choose(page, 'Currency', 'EUR', 'EUR · ');
    await choose(page, 'Product', 'Coronary', `${STENT} · ${GTIN}`);
    await field(page, 'Quantity').fill('2');
    await field(page, 'Unit price').fill('120.50');
    await expectSound(visit, 'order-new');
    await button(page, 'Create order').click();
    await said(page, 'Order SO-LOOK created.');
    await text(page, 'This order cannot be approved now.').waitFor();
    await expectSound(visit, 'order-short');
    await world.must('POST', '/v2/stock/adjustments', {
      ...{ productCode: GTIN, batchNo: 'L1', expiryDate: '2030-12-31', warehouse: 'WH-1' },
      ...{ quantityDelta: 5, reason: 'opening stock' },
    });
    await page.reload();
    await text(page, 'Ready to approve: stock and licences are sufficient now.').waitFor();
    await expectSound(visit, 'order-ready');
    await button(page, 'Approve order').click();
    await button(dialog(page), 'Approve order').click();
    await said(page, 'Order approved.');
    const { items } = await world.must<{ items: object[] }>('GET', '/v2/orders?orderNo=SO-LOOK');
    expect(items).toMatchObject([{ status: 'approved' }]);
  });

const testTrace = () =>
  inBrowser('a scanned code is traced: its parts, its holders, its way', 60_000, async () => {
    const { page } = visit;
    const dispatchId = await openDispatch(world, 'SO-WAY', 'T1', 2);
    const { apiKey } = await world.org.newKey({ owner: 'picker@test.example' });
    const picks = [{ lineNo: 1, batchNo: 'T1', quantity: 2 }];
    await world.must('POST', `/v2/dispatches/${dispatchId}/picks`, { picks }, apiKey);
    await world.must('POST', `/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' });
    await visit.go('/trace');
    await visit.scan(`01${GTIN}1730123110T1`);
    for (const heading of ['Code contents', 'Current holders', 'Custody over time', 'History'])
      await text(page.getByRole('heading'), heading).first().waitFor();
    await page.getByText('City hospital').filter({ visible: true }).first().waitFor();
    await expectSound(visit, 'trace');
  });

const testAlert = () =>
  inBrowser('an alert shows its curve, and is acknowledged', 60_000, async () => {
    const { page } = visit;
    await world.must('PUT', '/v2/environment/points/LOOK-1', {
      ...{ name: 'Cold room', warehouse: 'WH-1', temperature: { min: 2, max: 8 } },
    });
    const minutesAgo = (minutes: number) =>
      new Date(world.db.clock.now().getTime() - minutes * 60_000).toISOString();
    const readings = [5, 6, 11.5].map((temperature, i) => ({
      ...{ pointId: 'LOOK-1', at: minutesAgo(30 - 10 * i), temperature },
    }));
    const { alerts } = await world.must<{ alerts: string[] }>('POST', '/v2/environment/readings', {
      readings,
    });
    await visit.go(`/environment/alerts/${alerts[0]}`);
    await page.getByRole('main').getByRole('img').first().waitFor();
    await expectSound(visit, 'alert');
    await button(page, 'Acknowledge alert').click();
    await field(dialog(page), 'Action taken').fill('Door closed');
    await button(dialog(page), 'Acknowledge alert').click();
    await said(page, 'Alert acknowledged.');
    await page.getByText('Door closed').first().waitFor();
  });

const testDraft = () =>
  inBrowser('half a form survives closing and a reload', 60_000, async () => {
    const { page } = visit;
    await visit.go('/partners');
    await button(page, 'Create partner').click();
    await field(dialog(page), 'Name').first().fill('Half a partner');
    await page.keyboard.press('Escape');
    await text(page, 'Close without saving?').waitFor();
    await expectSound(visit, 'close-unsaved');
    await button(page, 'Keep draft').click();
    await dialog(page).waitFor({ state: 'hidden' });
    await page.reload();
    await visit.settle();
    await button(page, 'Create partner').click();
    await page
      .getByText(/Draft restored|已恢复草稿/)
      .first()
      .waitFor();
    expect(await field(dialog(page), 'Name').first().inputValue()).toBe('Half a partner');
    await visit.go('/orders/new');
    await field(page, 'Order no.').fill('SO-HALF');
    await visit.go('/orders');
    await visit.load('/orders/new');
    await page
      .getByText(/Draft restored|已恢复草稿/)
      .first()
      .waitFor();
    expect(await field(page, 'Order no.').inputValue()).toBe('SO-HALF');
    await expectSound(visit, 'draft-restored');
  });

const testHome = (looks: Looks) =>
  inBrowser(
    'home leads an administrator from step to step, and a warehouse to its tasks',
    60_000,
    async () => {
      await visit.go('/');
      await text(visit.page, 'Set up your organization').waitFor();
      await text(visit.page, '4 of 8 steps done').waitFor();
      await expectSound(visit, 'home-set-up');
      await visit.page.getByRole('link', { name: /File certificates|登记证照|录入证照/ }).click();
      await title(visit.page, 'Certificates').waitFor();

      await world.must('POST', '/v2/receipts', {
        ...{ receiptNo: 'RC-HOME', supplierCode: 'SUP-1', warehouse: 'WH-1' },
        lines: [{ lineNo: 1, productCode: GTIN, batchNo: 'H1', expiryDate: '2030-12-31', quantity: 5 }],
      });
      const picker = await world.enter('warehouse', looks);
      await picker.go('/');
      await picker.page.getByRole('link', { name: /RC-HOME/ }).waitFor();
      expect(await text(picker.page, 'Set up your organization').count()).toBe(0);
      await expectSound(picker, 'home-tasks');
      await picker.leave();
    },
  );

/** Goods and their documents, in these looks. */
export const testGoodsIn = (service: () => ConsoleService, looks: Looks) =>
  describe('the goods', () => {
    beforeAll(async () => {
      world = await service().beside();
      if (hasBrowser) visit = await world.enter('admin', looks);
    });
    afterAll(() => visit?.leave());
    testHome(looks);
    testDraft();
    testOrder();
    testTrace();
    testAlert();
  });
