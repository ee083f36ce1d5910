import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  button,
  type ConsoleWorld,
  dialog,
  field,
  inBrowser,
  inFullTier,
  said,
  type Visit,
} from '../harness/index.js';
import { barriersOn, englishOn, takeScreenshot } from '../harness/inspection.js';

type Person = Visit & { email: string };
interface Certificate {
  certificateId: string;
  coverage: object[] | null;
}

/** The products that a certificate covers, and what is said when it does not cover one. */
export function testCoverage(desk: () => { world: ConsoleWorld; visit: Person }): void {
  let world: ConsoleWorld;
  let admin: Person;
  let certificateId: string;
  let orderId: string;

  /** A customer, a product and a certificate of their own: nothing else is refused because of them. */
  const furnish = async () => {
    await world.must('PUT', '/v2/partners/CLINIC-C', { name: 'Clinic', roles: ['customer'] });
    for (const [code, category] of Object.entries({ 'MESH-C': '6846', 'LENS-C': '6822' })) {
      const traits = { riskClass: 'III', category, implantable: true };
      await world.must('PUT', `/v2/products/${code}`, { productName: code, ...traits });
    }
    ({ certificateId } = await world.must<Certificate>('POST', '/v2/certificates', {
      ...{ type: 'licence', subjectType: 'customer', subjectCode: 'CLINIC-C', certificateNo: 'HL-C' },
      ...{ issuer: 'City bureau', validFrom: '2024-12-01', validTo: null },
    }));
    ({ orderId } = await world.must<{ orderId: string }>('POST', '/v2/orders', {
      ...{ orderNo: 'COVER-1', customerCode: 'CLINIC-C', warehouse: 'WH-1', currency: 'EUR' },
      lines: ['MESH-C', 'LENS-C'].map((productCode, i) => ({
        ...{ lineNo: i + 1, productCode, quantity: 1, unitPrice: '1' },
      })),
    }));
  };
  const stored = async () =>
    (await world.must<Certificate>('GET', `/v2/certificates/${certificateId}`)).coverage;

  describe('the coverage of a certificate', () => {
    beforeAll(() => {
      ({ world, visit: admin } = desk());
    });

    inBrowser('is entered by classes, categories and exclusions, and shown in words', 60_000, async () => {
      await furnish();
      const { page } = admin;
      await admin.go(`/certificates/${certificateId}`);
      await page.getByText('All products', { exact: true }).waitFor();
      await button(page, 'Edit').click();
      await button(dialog(page), 'Add entry').click();
      const entry = dialog(page).getByRole('group', { name: 'Entry 1' });
      admin.expects(/^400 PUT \/v2\/certificates\//);
      await button(dialog(page), 'Save changes').click();
      await entry.getByText('Choose a risk class, a category or an exclusion').waitFor();
      for (const name of ['Class II', 'Class III', /^Implantable/])
        await entry.getByRole('checkbox', { name, exact: true }).check();
      await field(entry, 'Categories').fill('6846, 02*');
      await field(entry, 'Categories').press('Tab');
      await admin.settle();
      await takeScreenshot(page, 'coverage-form');
      expect(await barriersOn(page)).toEqual([]);
      await button(dialog(page), 'Save changes').click();
      await said(page, 'Certificate HL-C saved.');
      expect(await stored()).toEqual([
        { riskClasses: ['II', 'III'], categories: ['6846', '02*'], excludes: ['implantable'] },
      ]);
      await page
        .getByText('Class II, III; categories 6846, beginning with 02; except implantable')
        .first()
        .waitFor();
      await takeScreenshot(page, 'coverage-shown');
    });

    inBrowser(
      'tells at a refused approval which certificate does not cover which products',
      60_000,
      async () => {
        const { page } = admin;
        await admin.go(`/orders/${orderId}`);
        admin.expects(/^400 POST \/v2\/orders\/.*\/approve$/);
        await button(page, 'Approve order').click();
        await button(dialog(page), 'Approve order').click();
        const alert = dialog(page).getByRole('alert');
        await alert.getByText('Customer CLINIC-C: licence HL-C does not cover product MESH-C').waitFor();
        await alert.getByText('Customer CLINIC-C: licence HL-C does not cover product LENS-C').waitFor();
        await takeScreenshot(page, 'coverage-refused');
      },
    );

    describe('in Chinese', () => {
      let chinese: Person | undefined;
      afterAll(() => chinese?.leave());

      inFullTier('is shown, edited and named in a refusal without a word of English', 90_000, async () => {
        const visit = await world.enter('admin', { language: 'zh-CN' });
        chinese = visit;
        const { page } = visit;
        const inspect = async (name: string) => {
          await visit.settle();
          await takeScreenshot(page, `${name}.zh-CN`);
          expect(await englishOn(page)).toEqual([]);
          expect(await barriersOn(page)).toEqual([]);
        };
        await visit.go(`/certificates/${certificateId}`);
        await page.getByText('第二类、第三类；分类 6846、02 开头；不含植入类').first().waitFor();
        await inspect('coverage-shown');
        await button(page, '编辑').click();
        await dialog(page).getByRole('group', { name: '第 1 条' }).waitFor();
        await inspect('coverage-form');
        await visit.go(`/orders/${orderId}`);
        visit.expects(/^400 POST \/v2\/orders\/.*\/approve$/);
        await button(page, '通过审核').click();
        await button(dialog(page), '通过审核').click();
        const refusal = '客户 CLINIC-C 的 licence HL-C 不涵盖产品 MESH-C（第三类，分类 6846，植入）。';
        await dialog(page).getByRole('alert').getByText(refusal).waitFor();
        await inspect('coverage-refused');
      });
    });
  });
}
