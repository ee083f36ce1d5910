import { afterAll, beforeAll, describe, expect } from 'vitest';
import { sealAllAudits } from '../../../server/src/audit/index.js';
import { GTIN } from '../../../server/test/harness/index.js';
import {
  button,
  type ConsoleWorld,
  dialog,
  field,
  hasBrowser,
  inBrowser,
  inFullTier,
  said,
  type Visit,
} from '../harness/index.js';
import { barriersOn, englishOn, takeScreenshot } from '../harness/inspection.js';
import { testDeviation } from './deviation.js';

const PUMP_GTIN = '06901234567908';
const PATIENT = { timeout: 60_000 };

let world: ConsoleWorld;
type Person = Visit & { email: string };
let admin: Person;

/** Looks for barriers on the open page. A dialog is built alike in both languages, so one look is enough. */
async function inspect({ page, settle }: Visit, name: string) {
  await settle();
  await takeScreenshot(page, name);
  expect(await barriersOn(page)).toEqual([]);
}

/** Looks for English on the open page, which is in Chinese. */
async function inspectWords({ page, settle }: Visit, name: string) {
  await settle();
  await takeScreenshot(page, `${name}.zh-CN`);
  expect(await englishOn(page)).toEqual([]);
  expect(await barriersOn(page)).toEqual([]);
}

const enterStock = (productCode: string, batchNo: string, more: object = {}) =>
  world.must('POST', '/v2/stock/adjustments', {
    productCode,
    batchNo,
    expiryDate: '2030-12-31',
    warehouse: 'WH-1',
    quantityDelta: 4,
    reason: 'opening stock',
    ...more,
  });

const testCertificate = () =>
  describe('a certificate', () => {
    const certificatesOf = async (subjectCode: string) =>
      (
        await world.must<{ items: { certificateNo: string; validTo: string | null }[] }>(
          'GET',
          `/v2/certificates?subjectCode=${subjectCode}`,
        )
      ).items.sort((a, b) => a.certificateNo.localeCompare(b.certificateNo));

    const renew = async () => {
      const { certificateId } = await world.must<{ certificateId: string }>('POST', '/v2/certificates', {
        type: 'business_licence',
        subjectType: 'supplier',
        subjectCode: 'SUP-1',
        certificateNo: 'LIC-2024',
        issuer: 'City bureau',
        validFrom: '2024-12-01',
        validTo: '2026-11-30',
      });
      await admin.go(`/certificates/${certificateId}`);
      await button(admin.page, 'Renew certificate').click();
      await field(dialog(admin.page), 'Certificate no.').fill('LIC-2026');
      await button(dialog(admin.page), 'Renew certificate').click();
      await admin.settle();
    };
    const isRefused = () =>
      field(dialog(admin.page), 'Valid to').evaluate((input) => input.matches(':invalid'));

    inBrowser('never loses its expiry because a field was left empty', 60_000, async () => {
      await renew();
      expect(await certificatesOf('SUP-1')).toMatchObject([{ certificateNo: 'LIC-2024' }]);
      expect(await isRefused()).toBe(true);
    });

    inFullTier('has no expiry by a deliberate choice, which a correction shows', 60_000, async () => {
      const { page } = admin;
      await inspect(admin, 'certificate-renew');
      await dialog(page).getByRole('checkbox', { name: 'No expiry' }).check();
      expect(await field(dialog(page), 'Valid to').isDisabled()).toBe(true);
      await button(dialog(page), 'Renew certificate').click();
      await said(page, 'Certificate renewed: LIC-2026.');
      expect(await certificatesOf('SUP-1')).toMatchObject([
        { certificateNo: 'LIC-2024', validTo: '2026-11-30' },
        { certificateNo: 'LIC-2026', validFrom: '2026-12-01', validTo: null },
      ]);
      await button(page, 'Edit').click();
      expect(await dialog(page).getByRole('checkbox', { name: 'No expiry' }).isChecked()).toBe(true);
      await admin.go('/certificates');
      await button(page, 'Add certificate').click();
      expect(await isRefused()).toBe(true);
      await inspect(admin, 'certificate-enter');
    });
  });

const newReceipt = async (receiptNo: string, expiryDate = '2030-12-31') => {
  const lines = ['A1', 'A2'].map((batchNo, i) => ({
    lineNo: i + 1,
    productCode: GTIN,
    batchNo: `${receiptNo}-${batchNo}`,
    expiryDate,
    quantity: 5,
  }));
  const body = { receiptNo, kind: 'purchase', supplierCode: 'SUP-1', warehouse: 'WH-2', lines };
  return (await world.must<{ receiptId: string }>('POST', '/v2/receipts', body)).receiptId;
};
const statusOf = async (receiptId: string) =>
  (await world.must<{ status: string }>('GET', `/v2/receipts/${receiptId}`)).status;

const testAcceptance = () =>
  describe('the acceptance of a receipt', () => {
    inFullTier('is summed up and asked for before it is recorded, by keyboard too', 60_000, async () => {
      const receiptId = await newReceipt('ASK-1');
      const visit = admin;
      const { page } = visit;
      await visit.go(`/receipts/${receiptId}`);
      const first = page.getByRole('group', { name: 'Line 1' });
      await field(first, 'Rejected').fill('2');
      await field(first, 'Rejection reason').fill('box torn');
      await button(page, 'Record acceptance').click();
      await visit.settle();
      expect(await statusOf(receiptId)).toBe('pending_acceptance');
      await dialog(page).getByText('8 units accepted into stock, 2 units rejected.').waitFor();
      await dialog(page)
        .getByText(/Coronary stent 3\.0×18 · ASK-1-A1/)
        .waitFor();
      await dialog(page).getByText('box torn').waitFor();
      await inspect(visit, 'acceptance');

      // The focus is on the way back: neither Enter nor Escape records anything.
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Go back');
      await page.keyboard.press('Enter');
      await dialog(page).waitFor({ state: 'hidden' });
      await button(page, 'Record acceptance').press('Enter');
      await dialog(page).waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'hidden' });
      expect(await statusOf(receiptId)).toBe('pending_acceptance');

      await button(page, 'Record acceptance').press('Enter');
      await button(dialog(page), 'Record acceptance').press('Enter');
      await said(page, 'Acceptance recorded.');
      expect(await statusOf(receiptId)).toBe('partially_accepted');
    });
  });

const testConfirmation = () =>
  describe('a confirmation before an irreversible action', () => {
    inFullTier('has its focus on the way back', 60_000, async () => {
      const { keyId } = await world.org.newKey();
      const { page } = admin;
      await admin.go(`/settings/api/keys/${keyId}`);
      await button(page, 'Revoke key').click();
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
      await page.keyboard.press('Enter');
      await dialog(page).waitFor({ state: 'hidden' });
      expect(await world.must('GET', `/v2/settings/keys/${keyId}`)).toMatchObject({ status: 'active' });
    });
  });

const testRecallFromTrace = () =>
  describe('a recall that begins at a trace', () => {
    const startFrom = async (visit: Visit, code: string) => {
      await visit.go(`/trace?${new URLSearchParams({ code })}`);
      await visit.page.getByRole('link', { name: 'Start recall' }).click();
      await visit.page.getByRole('heading', { name: 'Start recall', level: 1 }).waitFor();
      await button(visit.page, 'Next').click();
    };

    inFullTier('names the batch that was traced', 60_000, async () => {
      await enterStock(GTIN, 'TR-1');
      await enterStock(GTIN, 'TR-2');
      const visit = admin;
      await startFrom(visit, `(01)${GTIN}(10)TR-1`);
      await visit.settle();
      const chosen = (batchNo: string) =>
        visit.page.getByRole('checkbox', { name: new RegExp(`^${batchNo}:`) }).isChecked();
      expect([await chosen('TR-1'), await chosen('TR-2')]).toEqual([true, false]);
      await inspect(visit, 'recall-of-batch');
    });

    inFullTier(
      'names the serialized unit that was traced, and its batch for a recall of all of it',
      60_000,
      async () => {
        await world.must('PUT', `/v2/products/${PUMP_GTIN}`, { productName: 'Pump', tracking: 'serial' });
        await enterStock(PUMP_GTIN, 'PB-1', { quantityDelta: 1, serials: ['SN-77'] });
        await enterStock(PUMP_GTIN, 'PB-2', { quantityDelta: 1, serials: ['SN-78'] });
        const visit = admin;
        await startFrom(visit, `(01)${PUMP_GTIN}(10)PB-1(21)SN-77`);
        const { page } = visit;
        expect(await page.getByRole('radio', { name: 'Serial numbers' }).isChecked()).toBe(true);
        await page.getByText('SN-77', { exact: true }).waitFor();
        await page.getByText('Batches', { exact: true }).click();
        await visit.settle();
        expect(await page.getByRole('checkbox', { name: /^PB-1:/ }).isChecked()).toBe(true);
        expect(await page.getByRole('checkbox', { name: /^PB-2:/ }).isChecked()).toBe(false);
      },
    );
  });

const changeThirdEntry = () =>
  world.db.sql("update audit_entries set actor = 'x@y.example' where org_id = $1 and position = 3", [
    world.orgId,
  ]);

const testAuditLog = () =>
  describe('the audit log', () => {
    inFullTier('is recomputed entry by entry, and a changed one is named', 60_000, async () => {
      await sealAllAudits(world.db.database);
      const visit = admin;
      const { page } = visit;
      await visit.go('/settings/audit');
      await button(page, 'Verify log').click();
      const { position, hash } = await world.must<{ position: number; hash: string }>(
        'GET',
        '/v2/audit/head',
      );
      await expect
        .poll(() => dialog(page).innerText(), PATIENT)
        .toContain(`${position} entries verified. The chain is intact.`);
      await dialog(page).getByText(hash).first().waitFor();
      await inspect(visit, 'audit-intact');

      await changeThirdEntry();
      await button(dialog(page), 'Verify again').click();
      await expect.poll(() => dialog(page).innerText(), PATIENT).toContain('Entry 3 has been changed.');
      await inspect(visit, 'audit-broken');
    });
  });

const testCurrency = () =>
  describe('an order', () => {
    inFullTier('is entered in any currency of today, found by code or name', 60_000, async () => {
      const { page } = admin;
      await admin.go('/orders/new');
      await field(page, 'Currency').fill('SEK');
      await admin.settle();
      expect(await page.getByRole('option', { name: /SEK/ }).count()).toBe(1);
      await field(page, 'Currency').fill('zloty');
      await page.getByRole('option', { name: /^PLN/ }).click();
      expect(await field(page, 'Currency').inputValue()).toMatch(/PLN/);
      await inspect(admin, 'order-currency');
    });
  });

const MISSING: Readonly<Record<string, readonly [string, string]>> = {
  '/receipts/rcp_none': ['Receipt not found', '未找到该收货单'],
  '/dispatches/dsp_none': ['Dispatch not found', '未找到该发货单'],
  '/recalls/rcl_none': ['Recall not found', '未找到该召回'],
  '/certificates/cer_none': ['Certificate not found', '未找到该证照'],
  '/environment/points/NONE': ['Monitoring point not found', '未找到该监测点'],
  '/environment/alerts/alr_none': ['Alert not found', '未找到该报警'],
  '/webhooks/wh_none': ['Webhook not found', '未找到该 Webhook'],
  '/products/NONE': ['Product not found', '未找到该产品'],
  '/settings/api/keys/key_none': ['API key not found', '未找到该 API 密钥'],
  '/partners/NONE': ['Partner not found', '未找到该往来单位'],
  '/settings/api/clients/cli_none': ['OAuth client not found', '未找到该 OAuth 客户端'],
  '/inventory?productCode=NONE': ['Product not found', '未找到该产品'],
  '/orders/ord_none': ['Order not found', '未找到该订单'],
};

/** A record that does not exist is named on its page; the last one, an order, has a link back to the list. */
async function lookForMissing(visit: Visit, language: 0 | 1, look: typeof inspect): Promise<void> {
  const { page } = visit;
  visit.expects(/^404 GET /);
  for (const path of Object.keys(MISSING)) {
    await visit.go(path);
    await page.getByText(MISSING[path]?.[language] ?? '', { exact: true }).waitFor();
    // Above the page a notification of the step before may still be shown.
    expect(await page.getByRole('main').getByRole('alert').count(), path).toBe(0);
  }
  await look(visit, 'order-missing');
  await page.getByRole('link', { name: ['Back to list', '返回列表'][language] ?? '' }).click();
  await page.getByRole('heading', { name: ['Orders', '订单'][language] ?? '', level: 1 }).waitFor();
}

const testMissing = () =>
  describe('a record that does not exist', () => {
    inFullTier('is named on its page, with a link back to the list', 120_000, async () => {
      await lookForMissing(admin, 0, inspect);
    });
  });

const testQualityRechecks = (quality: () => Person) =>
  inFullTier('the role quality re-checks what somebody else picked', 60_000, async () => {
    await enterStock(GTIN, 'Q-1');
    const line = { lineNo: 1, productCode: GTIN, batchNo: 'Q-1', quantity: 2, unitPrice: '1' };
    const { orderId } = await world.must<{ orderId: string }>('POST', '/v2/orders', {
      orderNo: 'SO-Q',
      warehouse: 'WH-1',
      currency: 'EUR',
      customerCode: 'HOSP-1',
      lines: [line],
    });
    await world.must('POST', `/v2/orders/${orderId}/approve`, {});
    const { dispatchId } = await world.must<{ dispatchId: string }>('POST', '/v2/dispatches', { orderId });
    const picks = [{ lineNo: 1, batchNo: 'Q-1', quantity: 2 }];
    await world.must('POST', `/v2/dispatches/${dispatchId}/picks`, { picks });
    const { page, go, email } = quality();
    await go(`/dispatches/${dispatchId}`);
    expect(await button(page, '复核通过并发货').count()).toBe(1);
    await page.getByRole('textbox', { name: /的复核数量$/ }).fill('2');
    await button(page, '复核通过并发货').click();
    await button(dialog(page), '复核通过并发货').click();
    await said(page, '复核通过，货品已发出。');
    expect(await world.must('GET', `/v2/dispatches/${dispatchId}`)).toMatchObject({
      status: 'dispatched',
      recheckedBy: email,
    });
  });

const testInChinese = () =>
  describe('in Chinese', () => {
    let chinese: Person;
    beforeAll(async () => {
      if (!hasBrowser) return;
      chinese = await world.enter('quality', { language: 'zh-CN' });
    });
    afterAll(() => chinese?.leave());

    inFullTier(
      'an acceptance is asked for, and what was refused is said where it was entered',
      60_000,
      async () => {
        // The batch is known with another expiry date.
        await enterStock(GTIN, 'ASK-2-A1');
        const receiptId = await newReceipt('ASK-2', '2031-12-31');
        const { page } = chinese;
        await chinese.go(`/receipts/${receiptId}`);
        await button(page, '提交验收').click();
        await dialog(page).getByText('合格入库共 10 件，不合格共 0 件。').waitFor();
        await inspectWords(chinese, 'acceptance');
        chinese.expects(/^400 POST \/v2\/receipts\/.*\/acceptance$/);
        await button(dialog(page), '提交验收').click();
        await page.getByRole('alert').filter({ hasText: '该批次已登记了不同的有效期' }).waitFor();
        expect(await statusOf(receiptId)).toBe('pending_acceptance');
      },
    );

    testQualityRechecks(() => chinese);

    inFullTier('a certificate is entered without a word of English', 60_000, async () => {
      await chinese.go('/certificates');
      await button(chinese.page, '录入证照').click();
      await dialog(chinese.page).waitFor();
      await inspectWords(chinese, 'certificate-enter');
    });

    inFullTier('the changed entry of the audit log is named', 60_000, async () => {
      await sealAllAudits(world.db.database);
      await changeThirdEntry();
      await chinese.go('/settings/audit');
      await button(chinese.page, '校验日志').click();
      await chinese.page.getByText('第 3 条记录与封存时不一致。').waitFor();
      await inspectWords(chinese, 'audit-broken');
    });

    inFullTier('a record that does not exist is named on its page', 120_000, async () => {
      const visit = await world.enter('admin', { language: 'zh-CN' });
      await lookForMissing(visit, 1, inspectWords);
      await visit.leave();
    });
  });

/** The actions that somebody could regret. */
export function testSafeguards(desk: () => { world: ConsoleWorld; visit: Person }): void {
  beforeAll(() => {
    ({ world, visit: admin } = desk());
  });
  testCertificate();
  testAcceptance();
  testDeviation(desk);
  testConfirmation();
  testRecallFromTrace();
  testAuditLog();
  testCurrency();
  testMissing();
  testInChinese();
}
