import { afterAll, beforeAll, describe, expect } from 'vitest';
import { GTIN } from '../../../server/test/harness/index.js';
import {
  button,
  type ConsoleService,
  type ConsoleWorld,
  choose,
  dialog,
  field,
  inBrowser,
  inFullTier,
  said,
} from '../harness/index.js';
import { testSettlingRecall } from './settled-recall.js';

const GS = '\u001d';
const STENT = 'Coronary stent 3.0×18';

/** As a label of the stent has it: device, expiry, batch. */
const labelOf = (batchNo: string) => `01${GTIN}1730123110${batchNo}${GS}`;

type Seated = Awaited<ReturnType<ConsoleWorld['enter']>>;
type Post = 'warehouse' | 'quality';

/** One organization for all journeys. The person of each role stays at one desk and goes from page to page. */
let world: ConsoleWorld;
const desks = new Map<Post, Seated>();

async function seat(post: Post): Promise<Seated> {
  const desk = desks.get(post) ?? (await world.enter(post));
  desks.set(post, desk);
  return desk;
}

interface Stock {
  availableQuantity: number;
  blockedQuantity: number;
  batches: { batchNo: string; quantity: number; expiryDate: string }[];
}
const stockOf = (productCode: string) =>
  world.must<Stock>('GET', `/v2/inventory?productCode=${productCode}&warehouse=WH-1`);

const enterStock = (productCode: string, batchNo: string, quantityDelta: number) =>
  world.must('POST', '/v2/stock/adjustments', {
    productCode,
    batchNo,
    expiryDate: '2030-12-31',
    warehouse: 'WH-1',
    quantityDelta,
    reason: 'opening stock',
  });

const newProduct = async (productCode: string, productName: string) => {
  await world.must('PUT', `/v2/products/${productCode}`, { productName, tracking: 'batch' });
  return productCode;
};

export const testStaff = (service: () => ConsoleService) =>
  describe('the staff', () => {
    beforeAll(async () => {
      world = await service().beside();
    });
    afterAll(async () => {
      for (const desk of desks.values()) await desk.leave();
    });
    testGoods();
    testWatching();
  });

const testReceiving = () =>
  inBrowser('what a scanner reads becomes a receipt, and stock once it is accepted', 60_000, async () => {
    const visit = await seat('warehouse');
    const { page } = visit;
    await visit.go('/receipts');
    await page.getByRole('link', { name: 'Create receipt' }).click();
    await field(page, 'Receipt no.').fill('RC-1');
    await choose(page, 'Supplier', 'Acme', 'Acme Devices · SUP-1');
    await choose(page, 'Warehouse', 'Main', 'Main · WH-1');
    // The focus is still in a field, which the scan leaves unchanged.
    for (const count of [1, 2, 3]) {
      await visit.scan(labelOf('S1'));
      await page.getByText(`${STENT} · S1: ${count} on this receipt.`).waitFor();
    }
    expect(await field(page, 'Warehouse').inputValue()).toBe('Main · WH-1');
    expect(await field(page, 'Batch').inputValue()).toBe('S1');
    expect(await field(page, 'Expiry date').inputValue()).toBe('2030-12-31');
    expect(await field(page, 'Quantity').inputValue()).toBe('3');
    await button(page, 'Create receipt').click();
    await said(page, 'Receipt RC-1 created.');
    expect(await stockOf(GTIN)).toMatchObject({ availableQuantity: 0 });

    await field(page, 'Rejected').fill('1');
    await field(page, 'Rejection reason').fill('box torn');
    await button(page, 'Record acceptance').click();
    // Summed up and asked for first, with the focus on the way back.
    await dialog(page).getByText('2 units accepted into stock, 1 unit rejected.').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Go back');
    expect(await stockOf(GTIN)).toMatchObject({ availableQuantity: 0 });
    await button(dialog(page), 'Record acceptance').click();
    await said(page, 'Acceptance recorded.');
    expect(await stockOf(GTIN)).toMatchObject({
      availableQuantity: 2,
      batches: [{ batchNo: 'S1', quantity: 2, expiryDate: '2030-12-31' }],
    });
    await page.getByRole('link', { name: 'S1' }).click();
    await page.getByRole('heading', { name: 'Batch S1', level: 1 }).waitFor();
  });

const testSelling = () =>
  inBrowser(
    'an order is entered, approved, picked by one, re-checked by another and delivered',
    90_000,
    async () => {
      const product = await newProduct('CATHETER-1', 'Balloon catheter');
      await enterStock(product, 'C1', 10);
      const sales = await world.enter('sales');
      await sales.go('/orders/new');
      await field(sales.page, 'Order no.').fill('SO-1');
      await choose(sales.page, 'Customer', 'City', 'City hospital · HOSP-1');
      await choose(sales.page, 'Warehouse', 'Main', 'Main · WH-1');
      await choose(sales.page, 'Currency', 'EUR', 'EUR · Euro');
      await choose(sales.page, 'Product', 'Balloon', 'Balloon catheter · CATHETER-1');
      await field(sales.page, 'Quantity').fill('2');
      await field(sales.page, 'Unit price').fill('120.50');
      await button(sales.page, 'Create order').click();
      await said(sales.page, 'Order SO-1 created.');
      await sales.page.getByText('Ready to approve').waitFor();
      await button(sales.page, 'Approve order').click();
      await button(dialog(sales.page), 'Approve order').click();
      await said(sales.page, 'Order approved.');
      // Who sells does not pick.
      expect(await button(sales.page, 'Create dispatch').count()).toBe(0);
      const order = new URL(sales.page.url()).pathname;
      await sales.leave();

      const picker = await seat('warehouse');
      await picker.go(order);
      await button(picker.page, 'Create dispatch').click();
      await button(dialog(picker.page), 'Create dispatch').click();
      await picker.page.getByRole('heading', { name: 'Dispatch SO-1-1', level: 1 }).waitFor();
      await field(picker.page, 'By hand, batch C1').fill('2');
      await picker.page.getByText('2 of 2 picked').waitFor();
      await button(picker.page, 'Complete picking').click();
      await said(picker.page, 'Picking completed. Another person must re-check.');
      // Nobody checks their own work, and learns it before they count anything.
      await picker.page.getByText('You picked this dispatch.').waitFor();
      expect(await button(picker.page, 'Pass re-check and dispatch').count()).toBe(0);
      const pass = async (page: typeof picker.page) => {
        // Goods that nobody counted do not pass.
        expect(await button(page, 'Pass re-check and dispatch').isDisabled()).toBe(true);
        await page.getByRole('textbox', { name: /^Count of / }).fill('2');
        await button(page, 'Pass re-check and dispatch').click();
        await field(dialog(page), 'Carrier').fill('Ward Express');
        await button(dialog(page), 'Pass re-check and dispatch').click();
      };
      const dispatch = new URL(picker.page.url()).pathname;

      const checker = await seat('quality');
      await checker.go(dispatch);
      await pass(checker.page);
      await said(checker.page, 'Re-check passed. The goods are dispatched.');
      // The picker's page is notified by the server.
      await picker.page.keyboard.press('Escape');
      await picker.page.getByText('Ward Express').waitFor();

      await button(checker.page, 'Confirm delivery').click();
      await field(dialog(checker.page), 'Received by').fill('Sister Anna');
      await button(dialog(checker.page), 'Confirm delivery').click();
      await said(checker.page, 'Delivery confirmed.');
      await checker.page.getByRole('link', { name: 'Delivery note' }).click();
      await checker.page.getByRole('heading', { name: /SO-1/, level: 1 }).waitFor();
      await checker.page.getByText('Ward Express').waitFor();
      const { items } = await world.must<{ items: { status: string }[] }>('GET', '/v2/orders?orderNo=SO-1');
      expect(items).toMatchObject([{ status: 'delivered' }]);
      expect(await stockOf(product)).toMatchObject({ availableQuantity: 8 });
    },
  );

const testCancelling = () =>
  inFullTier('a receipt sent twice is cancelled', 60_000, async () => {
    const product = await newProduct('GRAFT-2', 'Vascular graft');
    const { receiptId } = await world.must<{ receiptId: string }>('POST', '/v2/receipts', {
      ...{ receiptNo: 'RC-TWICE', supplierCode: 'SUP-1', warehouse: 'WH-1', purchaseOrderNo: 'PO-4711' },
      lines: [{ lineNo: 1, productCode: product, batchNo: 'G1', expiryDate: '2030-12-31', quantity: 5 }],
    });
    const desk = await seat('warehouse');
    await desk.go(`/receipts/${receiptId}`);
    await desk.page.getByText('PO-4711').waitFor();
    await button(desk.page, 'Cancel receipt').click();
    await field(dialog(desk.page), 'Reason').fill('sent twice');
    await button(dialog(desk.page), 'Cancel receipt').click();
    await said(desk.page, 'Receipt cancelled.');
    await desk.page.getByText('sent twice').waitFor();
    expect(await button(desk.page, 'Record acceptance').count()).toBe(0);
  });

const testCorrecting = () =>
  inFullTier('a mistyped expiry date is corrected by quality, and by nobody else', 60_000, async () => {
    const product = await newProduct('GRAFT-1', 'Vascular graft');
    await enterStock(product, 'G1', 5);
    const batch = '/inventory/batch?productCode=GRAFT-1&batchNo=G1';
    const desk = await seat('warehouse');
    await desk.go(batch);
    await button(desk.page, 'Adjust stock').waitFor();
    expect(await button(desk.page, 'Correct dates').count()).toBe(0);

    const quality = await seat('quality');
    await quality.go(batch);
    await button(quality.page, 'Correct dates').click();
    await field(dialog(quality.page), 'Expiry date').fill('2031-01-31');
    await field(dialog(quality.page), 'Reason').fill('typing error');
    await button(dialog(quality.page), 'Correct dates').click();
    await said(quality.page, 'Dates corrected.');
    await quality.page.getByText('Expiry date 2030-12-31 → 2031-01-31').waitFor();
    expect(await stockOf(product)).toMatchObject({
      batches: [{ batchNo: 'G1', expiryDate: '2031-01-31' }],
    });
  });

const testTracing = () =>
  inBrowser('a scanned UDI is explained part by part and traced to who holds it', 60_000, async () => {
    await enterStock(GTIN, 'T1', 4);
    const visit = await seat('warehouse');
    const { page } = visit;
    await visit.go('/trace');
    await visit.scan(labelOf('T1'));
    const code = page.getByRole('heading', { name: 'Code contents' });
    await code.waitFor();
    const table = page.getByRole('table').first();
    await table.getByText(GTIN, { exact: true }).waitFor();
    await table.getByText('T1', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Current holders' }).waitFor();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.getByText('Added by adjustment').filter({ visible: true }).waitFor();
    await page.getByRole('cell', { name: 'Main' }).first().waitFor();

    const { pathname, search } = new URL(page.url());
    visit.expects(/^404 GET \/v2\/udi$/);
    await field(page, 'UDI code, serial or batch number').fill('(01)06901234567908(10)NONE');
    await button(page, 'Trace code').click();
    await page.getByText('Code not found').waitFor();
    // A link preserves the code.
    await visit.go(pathname + search);
    await page.getByText('Added by adjustment').filter({ visible: true }).waitFor();
  });

const testRecalling = () =>
  inBrowser(
    'a recall blocks stock and lists the customers to notify, and nothing happens before its last step',
    60_000,
    async () => {
      const product = await newProduct('VALVE-1', 'Heart valve');
      await enterStock(product, 'V1', 6);
      await enterStock(product, 'V2', 5);
      await ship(product, 'V1', 2);
      const visit = await seat('quality');
      const { page } = visit;
      await visit.go('/recalls');
      await page.getByRole('link', { name: 'Start recall' }).click();
      await choose(page, 'Product', 'Heart', 'Heart valve · VALVE-1');
      await button(page, 'Next').click();
      await page.getByRole('checkbox', { name: /^V1:/ }).check();
      await button(page, 'Next').click();
      await page.getByRole('heading', { name: 'Stock to be put on hold' }).waitFor();
      await button(page, 'Next').click();
      await field(page, 'Recall no.').fill('RCL-1');
      await page.getByRole('radio', { name: /^II:/ }).check();
      await field(page, 'Reason').fill('Cracks in the leaflets');
      await button(page, 'Next').click();
      expect(await stockOf(product)).toMatchObject({ availableQuantity: 9, blockedQuantity: 0 });
      await page.getByRole('checkbox', { name: /^I have checked/ }).check();
      await button(page, 'Start recall').click();
      await page.getByText(/Units put on hold: 4; .*customers to notify: 1\./).waitFor();
      expect(await stockOf(product)).toMatchObject({ availableQuantity: 5, blockedQuantity: 4 });

      await page.getByRole('heading', { name: 'RCL-1', level: 1 }).waitFor();
      await page.getByText('0 of 1 customer acknowledged').first().waitFor();
      await button(page, 'Record acknowledgement: City hospital').click();
      await field(dialog(page), 'Note').fill('Put aside by the theatre');
      await button(dialog(page), 'Record acknowledgement').click();
      await page.getByText('1 of 1 customer acknowledged').first().waitFor();
    },
  );

const testGoods = () =>
  describe('goods', () => {
    testReceiving();
    testSelling();
    testCancelling();
    testCorrecting();
    testTracing();
    testRecalling();
    testSettlingRecall({ newProduct, enterStock, ship, seat, world: () => world });
  });

const testWatching = () =>
  describe('watching', () => {
    inFullTier('a certificate that runs out is renewed, and the new one follows on it', 60_000, async () => {
      await world.must('POST', '/v2/certificates', {
        type: 'business_licence',
        subjectType: 'supplier',
        subjectCode: 'SUP-1',
        certificateNo: 'LIC-2024',
        issuer: 'City bureau',
        validFrom: '2024-12-01',
        validTo: '2026-11-30',
      });
      const visit = await seat('quality');
      const { page } = visit;
      await visit.go('/certificates');
      const row = page.getByRole('row').filter({ hasText: 'LIC-2024' });
      await row.getByText('Expiring').waitFor();
      await row.getByRole('link', { name: 'LIC-2024' }).click();
      await button(page, 'Renew certificate').click();
      await field(dialog(page), 'Certificate no.').fill('LIC-2026');
      await field(dialog(page), 'Valid to').fill('2028-11-30');
      await dialog(page)
        .locator('input[type=file]')
        .setInputFiles({
          name: 'licence.pdf',
          mimeType: 'application/pdf',
          buffer: Buffer.from('%PDF-1.7\n%%EOF\n'),
        });
      await expect
        .poll(() => field(dialog(page), /^Fingerprint/).inputValue(), { timeout: 60_000 })
        .toMatch(/[0-9a-f]{64}$/);
      await button(dialog(page), 'Renew certificate').click();
      await said(page, 'Certificate renewed: LIC-2026.');
      await page.getByRole('heading', { name: 'LIC-2026', level: 1 }).waitFor();
      const { items } = await world.must<{ items: { certificateNo: string; certificateId: string }[] }>(
        'GET',
        '/v2/certificates?subjectCode=SUP-1',
      );
      const renewed = items.find(({ certificateNo }) => certificateNo === 'LIC-2026')?.certificateId;
      expect(await world.must('GET', `/v2/certificates/${renewed}`)).toMatchObject({
        file: { fileName: 'licence.pdf', contentType: 'application/pdf' },
      });
      expect(items.sort((a, b) => a.certificateNo.localeCompare(b.certificateNo))).toMatchObject([
        { certificateNo: 'LIC-2024' },
        { certificateNo: 'LIC-2026', validFrom: '2026-12-01', validTo: '2028-11-30' },
      ]);
    });

    inFullTier(
      'an alert appears by itself, and is acknowledged with what is done about it',
      60_000,
      async () => {
        await world.must('PUT', '/v2/environment/points/COLD-1', {
          name: 'Cold room, door',
          warehouse: 'WH-1',
          temperature: { min: 2, max: 8 },
        });
        const visit = await seat('quality');
        const { page } = visit;
        await visit.go('/environment/alerts');
        await page.getByText('No alerts', { exact: true }).waitFor();
        const at = world.db.clock.now().toISOString();
        await world.must('POST', '/v2/environment/readings', {
          readings: [{ pointId: 'COLD-1', at, temperature: 11.5 }],
        });
        await page.getByRole('row').filter({ hasText: 'Cold room, door' }).getByRole('link').click();
        await page.getByRole('heading', { name: 'Temperature: Cold room, door', level: 1 }).waitFor();
        await page.getByText('Not acknowledged').waitFor();
        await button(page, 'Acknowledge alert').click();
        await field(dialog(page), 'Action taken').fill('Door closed, seal ordered');
        await button(dialog(page), 'Acknowledge alert').click();
        await said(page, 'Alert acknowledged.');
        await page.getByText('Door closed, seal ordered').waitFor();
        await page.getByText(visit.email).waitFor();
        expect(await button(page, 'Acknowledge alert').count()).toBe(0);
      },
    );
  });

/** Sells and ships units of a batch, by two people, without looking at it. */
async function ship(productCode: string, batchNo: string, quantity: number): Promise<void> {
  const { apiKey: picker } = await world.org.newKey({ owner: 'picker@test.example' });
  const line = { lineNo: 1, productCode, batchNo, quantity, unitPrice: '1' };
  const sale = { warehouse: 'WH-1', currency: 'EUR', customerCode: 'HOSP-1', lines: [line] };
  const { orderId } = await world.must<{ orderId: string }>('POST', '/v2/orders', {
    orderNo: `SHIP-${productCode}`,
    ...sale,
  });
  await world.must('POST', `/v2/orders/${orderId}/approve`, {});
  const { dispatchId } = await world.must<{ dispatchId: string }>('POST', '/v2/dispatches', { orderId });
  const picks = [{ lineNo: 1, batchNo, quantity }];
  await world.must('POST', `/v2/dispatches/${dispatchId}/picks`, { picks }, picker);
  await world.must('POST', `/v2/dispatches/${dispatchId}/recheck`, { result: 'pass' });
}
