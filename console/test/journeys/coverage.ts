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
import { barriersAgainOn, barriersOn, englishOn, takeScreenshot } from '../harness/inspection.js';

type Person = Visit & { email: string };
interface Certificate {
  certificateId: string;
  coverage: object[] | null;
}

let world: ConsoleWorld;
let admin: Person;
let certificateId: string;
let orderId: string;

/** A customer, products and a certificate of their own: nothing else is refused because of them. */
async function furnish(): Promise<void> {
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
}

async function enterCoverage(): Promise<void> {
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
  expect(await barriersAgainOn(page)).toEqual([]);
  await button(dialog(page), 'Save changes').click();
  await said(page, 'Certificate HL-C saved.');
}

async function lookInChinese(visit: Person): Promise<void> {
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
  const refusal = '客户 CLINIC-C 的 licence HL-C，产品 MESH-C（第三类，分类 6846，植入）。';
  await dialog(page).getByRole('alert').getByText(refusal).waitFor();
  await inspect('coverage-refused');
}

/** The products that a certificate covers, and the refusal where it does not cover one. */
export const testCoverage = (desk: () => { world: ConsoleWorld; visit: Person }) =>
  describe('the coverage of a certificate', () => {
    let chinese: Person | undefined;
    beforeAll(() => {
      ({ world, visit: admin } = desk());
    });
    afterAll(() => chinese?.leave());

    inBrowser('is entered by classes, categories and exclusions, and shown in words', 60_000, async () => {
      await furnish();
      await enterCoverage();
      const { coverage } = await world.must<Certificate>('GET', `/v2/certificates/${certificateId}`);
      expect(coverage).toEqual([
        { riskClasses: ['II', 'III'], categories: ['6846', '02*'], excludes: ['implantable'] },
      ]);
      const words = 'Class II, III; categories 6846, beginning with 02; except implants';
      await admin.page.getByText(words).first().waitFor();
      await takeScreenshot(admin.page, 'coverage-shown');
    });

    inFullTier(
      'is named at a refused approval, with each product that it does not include',
      60_000,
      async () => {
        const { page } = admin;
        await admin.go(`/orders/${orderId}`);
        admin.expects(/^400 POST \/v2\/orders\/.*\/approve$/);
        await button(page, 'Approve order').click();
        await button(dialog(page), 'Approve order').click();
        const alert = dialog(page).getByRole('alert');
        for (const product of ['MESH-C', 'LENS-C'])
          await alert
            .getByText(`Customer CLINIC-C: licence HL-C does not cover product ${product}`)
            .waitFor();
        await takeScreenshot(page, 'coverage-refused');
      },
    );

    inFullTier('is shown, edited and named in a refusal without a word of English', 90_000, async () => {
      chinese = await world.enter('admin', { language: 'zh-CN' });
      await lookInChinese(chinese);
    });
  });
