import { button, type ConsoleWorld, dialog, field, inBrowser } from '../harness/index.js';

/** The desk of the staff, and the goods they work with. */
interface Desk {
  newProduct(productCode: string, productName: string): Promise<string>;
  enterStock(productCode: string, batchNo: string, quantityDelta: number): Promise<unknown>;
  ship(productCode: string, batchNo: string, quantity: number): Promise<void>;
  seat(post: 'quality'): ReturnType<ConsoleWorld['enter']>;
  world(): ConsoleWorld;
}

export const testSettlingRecall = (desk: Desk) =>
  inBrowser(
    'a recall is answered for a customer, and closed once its stock is decided on',
    60_000,
    async () => {
      const product = await desk.newProduct('VALVE-2', 'Mitral valve');
      await desk.enterStock(product, 'V1', 6);
      await desk.ship(product, 'V1', 2);
      const { recallId } = await desk.world().must<{ recallId: string }>('POST', '/v2/recalls', {
        ...{ recallNo: 'RCL-2', productCode: product, class: 'II', reason: 'cracks', batchNos: ['V1'] },
      });
      const visit = await desk.seat('quality');
      const { page } = visit;
      await visit.go(`/recalls/${recallId}`);
      await page.getByRole('img', { name: /Not answered 2/ }).waitFor();
      await button(page, 'Record answer: City hospital').click();
      await field(dialog(page), 'Used').fill('2');
      await dialog(page).getByText('2 of 2 accounted for').waitFor();
      await button(dialog(page), 'Record answer').click();
      await page.getByRole('img', { name: /Used 2.*Not answered 0/ }).waitFor();
      await page.getByText('1 of 1 customers answered').waitFor();

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
      await page.getByText('Used or implanted').waitFor();
    },
  );
