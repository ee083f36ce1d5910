import { expect } from 'vitest';
import { button, type ConsoleWorld, dialog, field, inFullTier, readSheet } from '../harness/index.js';

/** The desk of the staff, and the goods they work with. */
interface Desk {
  newProduct(productCode: string, productName: string): Promise<string>;
  enterStock(productCode: string, batchNo: string, quantityDelta: number): Promise<unknown>;
  ship(productCode: string, batchNo: string, quantity: number): Promise<void>;
  seat(post: 'quality'): ReturnType<ConsoleWorld['enter']>;
  world(): ConsoleWorld;
}

interface StoredRecall {
  recallNo: string;
  productCode: string;
  productName: string;
  openedAt: string;
  openedBy: string;
  reason: string;
  consignees: {
    customerCode: string;
    customerName: string;
    quantity: number;
    batchNos: string[];
    documents: { no: string }[];
  }[];
}
interface Party {
  contact: { address: string | null; name: string | null; phone: string | null } | null;
}

/** The notice to the only consignee, field by field, from the stored records. */
async function noticeOf(world: ConsoleWorld, recallId: string) {
  const recall = await world.must<StoredRecall>('GET', `/v2/recalls/${recallId}`);
  const [consignee] = recall.consignees;
  if (!consignee) throw new Error('the recall has no consignee');
  const { contact } = await world.must<Party>('GET', `/v2/partners/${consignee.customerCode}`);
  const product = await world.must<{ registrationNo: string; manufacturer: string }>(
    'GET',
    `/v2/products/${recall.productCode}`,
  );
  const { customerName, customerCode, quantity } = consignee;
  const addressee = [customerName, customerCode, contact?.address, contact?.name, contact?.phone];
  return {
    facts: {
      From: `${world.org.organization.name}\nContact for this recall: ${recall.openedBy}`,
      To: addressee.filter(Boolean).join('\n'),
      'Recall no.': recall.recallNo,
      Class: 'II',
      'Notice date': recall.openedAt,
      Product: recall.productName,
      'Product code': recall.productCode,
      Specification: '–',
      'Registration no.': product.registrationNo,
      Manufacturer: product.manufacturer,
      Scope: '1 batch',
      Batches: consignee.batchNos.join(', '),
      'Quantity delivered to you': String(quantity),
      'Delivered with orders': consignee.documents.map(({ no }) => no).join(', '),
      'Reason for the recall': recall.reason,
    },
    tables: [
      {
        label: 'Answer of the customer',
        names: ['Goods', 'Units'],
        rows: [
          ...['Still in stock', 'Used or implanted', 'Returned', 'Destroyed', 'Not found'].map((fate) => [
            fate,
            '',
          ]),
          ['Total', String(quantity)],
        ],
      },
    ],
  };
}

export const testSettlingRecall = (desk: Desk) =>
  inFullTier(
    'a recall is answered for a customer, and closed once its stock is decided on',
    60_000,
    async () => {
      const product = await desk.newProduct('VALVE-2', 'Mitral valve');
      await desk.world().must('PUT', `/v2/products/${product}`, {
        ...{ productName: 'Mitral valve', tracking: 'batch', manufacturer: 'Acme Devices' },
        registrationNo: 'REG-2020-7',
      });
      await desk.world().must('PUT', '/v2/partners/HOSP-1', {
        ...{ name: 'City hospital', roles: ['customer'] },
        contact: { name: 'Stores', phone: '+86 21 5555', address: '1 Main Street' },
      });
      await desk.enterStock(product, 'V1', 6);
      await desk.ship(product, 'V1', 2);
      const { recallId } = await desk.world().must<{ recallId: string }>('POST', '/v2/recalls', {
        ...{ recallNo: 'RCL-2', productCode: product, class: 'II', reason: 'cracks', batchNos: ['V1'] },
      });
      const visit = await desk.seat('quality');
      const { page } = visit;
      await visit.go(`/recalls/${recallId}`);
      await page.getByRole('img', { name: /Not answered 2/ }).waitFor();
      await button(page, 'More actions: City hospital').click();
      await page.getByRole('menuitem', { name: 'Record answer' }).click();
      await field(dialog(page), 'Used or implanted').fill('2');
      await dialog(page).getByText('2 of 2 accounted for').waitFor();
      await button(dialog(page), 'Record answer').click();
      await page.getByRole('img', { name: /Used or implanted 2.*Not answered 0/ }).waitFor();
      await page.getByText('1 of 1 customer answered').waitFor();

      visit.expects(/^400 POST \/v2\/recalls/);
      await button(page, 'Close recall').click();
      await dialog(page).getByText('4 of batch V1 in WH-1').waitFor();
      await field(dialog(page), 'Reason').fill('all found');
      await button(dialog(page), 'Close recall').click();
      await dialog(page).getByText('on hold without a disposition').waitFor();
      await desk.enterStock(product, 'V1', -4);
      await button(dialog(page), 'Close recall').click();
      await page.getByText('Recall closed.').waitFor();

      await page.getByRole('link', { name: 'Recall notice: City hospital' }).click();
      await page.getByRole('heading', { name: 'Recall notice RCL-2' }).waitFor();
      // The address was entered after this desk had seen the customer.
      await page.reload();
      await page.getByRole('heading', { name: 'Recall notice RCL-2' }).waitFor();
      await visit.settle();
      expect(await readSheet(page)).toEqual(await noticeOf(desk.world(), recallId));
    },
  );
