import { afterAll, beforeAll, describe, expect } from 'vitest';
import { GTIN } from '../../../server/test/harness/index.js';
import {
  button,
  type ConsoleService,
  type ConsoleWorld,
  dialog,
  expectSound,
  field,
  inFullTier,
  type Looks,
  said,
  title,
} from '../harness/index.js';

let world: ConsoleWorld;

const SOON_DAYS = 12;
const DAY_MS = 86_400_000;

const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const enterStock = (batchNo: string, days: number, quantityDelta: number) =>
  world.must('POST', '/v2/stock/adjustments', {
    ...{ productCode: GTIN, batchNo, expiryDate: dayIn(days), warehouse: 'WH-1', quantityDelta },
    reason: 'opening stock',
  });

export const testExpiry = (service: () => ConsoleService, looks: Looks = {}) =>
  describe('stock that expires', () => {
    let visit: Awaited<ReturnType<ConsoleWorld['enter']>>;
    beforeAll(async () => {
      world = await service().beside();
    });
    afterAll(() => visit?.leave());

    inFullTier(
      'a figure of the overview leads to its batches, which are put on hold together',
      60_000,
      async () => {
        await enterStock('SOON-1', SOON_DAYS, 5);
        await enterStock('SOON-2', SOON_DAYS + 1, 7);
        await enterStock('LATER-1', 400, 90);
        visit = await world.enter('warehouse', looks);
        const { page } = visit;
        await visit.go('/');
        await page.getByRole('link', { name: /^(≤ 30 days|30 天内)\s*12/ }).click();
        await title(page, 'Expiring stock').waitFor();
        const shown = page.getByRole('checkbox', { name: /SOON-\d$|LATER-\d$/ });
        await shown.first().waitFor();
        expect(await shown.count()).toBe(2);
        for (const box of await shown.all()) await box.check();
        await expectSound(visit, 'expiring-chosen');
        await button(page, 'Hold batches').click();
        await field(dialog(page), 'Reason').fill('too near its expiry');
        await button(dialog(page), 'Hold batches').click();
        await said(page, '2 batches put on hold.');
        const stock = await world.must<{ blockedQuantity: number; availableQuantity: number }>(
          'GET',
          `/v2/inventory?productCode=${GTIN}&warehouse=WH-1`,
        );
        expect(stock).toMatchObject({ blockedQuantity: 12, availableQuantity: 90 });
      },
    );
  });
