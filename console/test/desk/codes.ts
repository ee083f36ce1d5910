import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { GTIN } from '../../../server/test/harness/index.js';
import { openDispatch } from '../harness/dispatch.js';
import { button, type ConsoleService, field, hasBrowser, inFullTier, type Visit } from '../harness/index.js';

/** The face of the text has a rule that draws the x between these digits as ×. */
const BATCH = 'g7x237';
const ORDER = 'SO-4x8';

let visit: Visit;
let dispatchId: string;

/** Opens a page: nothing on it may be drawn with other letters than it has. */
async function open(path: string): Promise<Page> {
  const { page } = visit;
  await visit.go(path);
  const substituted = await page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter(
        (element) =>
          element.matches('input, textarea') ||
          [...element.childNodes].some(
            (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
          ),
      )
      .filter((element) => {
        const { fontVariantLigatures, fontFeatureSettings } = getComputedStyle(element);
        return fontVariantLigatures !== 'none' || !fontFeatureSettings.includes('"calt" 0');
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  expect(substituted, path).toEqual([]);
  return page;
}

/** How an element is drawn as it is, and with every substitution of letters switched off for certain. */
async function drawings(target: Locator): Promise<[asIs: Buffer, plain: Buffer]> {
  await target.scrollIntoViewIfNeeded();
  const asIs = await target.screenshot({ animations: 'disabled', caret: 'hide' });
  await target.evaluate((element) => {
    for (const each of [element, ...element.querySelectorAll('*')])
      (each as HTMLElement).style.cssText +=
        'font-feature-settings: "calt" 0, "liga" 0, "clig" 0, "dlig" 0 !important';
  });
  return [asIs, await target.screenshot({ animations: 'disabled', caret: 'hide' })];
}

/** By default one page: all have their faces from the same sheet. */
export const testCodes = (service: () => ConsoleService) =>
  describe('codes are drawn character by character', () => {
    beforeAll(async () => {
      const world = await service().beside();
      dispatchId = await openDispatch(world, ORDER, BATCH, 2);
      if (hasBrowser) visit = await world.enter('admin');
    });
    afterAll(() => visit?.leave());

    inFullTier('no text on any of these pages is drawn with other letters than it has', 90_000, async () => {
      const code = new URLSearchParams({ code: `(01)${GTIN}(10)${BATCH}` });
      // The tests below look at more of them.
      for (const path of ['/events', `/trace?${code}`, '/inventory', '/orders/new', '/settings/audit'])
        await open(path);
    });

    inFullTier(
      'batches, orders and products are in a face whose characters are equally wide',
      90_000,
      async () => {
        const isMonospace = (target: Locator) =>
          target.evaluate((element) => {
            const context = document.createElement('canvas').getContext('2d');
            if (!context) throw new Error('nothing to draw on');
            context.font = `16px ${getComputedStyle(element).fontFamily}`;
            return context.measureText('iiii').width === context.measureText('MMMM').width;
          });
        const look = async (target: Locator, name: string) => {
          await target.waitFor();
          expect(await isMonospace(target), name).toBe(true);
          const [asIs, plain] = await drawings(target);
          expect(asIs.equals(plain), `${name} as drawn`).toBe(true);
        };
        const page = await open('/orders');
        await look(page.getByText(ORDER, { exact: true }), 'order number');
        await open(`/dispatches/${dispatchId}`);
        await look(page.getByText(BATCH, { exact: true }), 'batch to pick');
        await look(page.getByText(GTIN, { exact: true }).first(), 'product code');
        await open('/movements');
        const batches = page.getByText(BATCH, { exact: true }).filter({ visible: true });
        await look(batches.first(), 'batch of a movement');
        await open('/receipts/new');
        await button(page, 'Add line').click();
        for (const label of ['Receipt no.', 'Batch', 'Scan or enter a code'])
          expect(await isMonospace(field(page, label)), label).toBe(true);
      },
    );

    inFullTier('headings and messages, in the face of the text, keep an x an x', 60_000, async () => {
      const batch = new URLSearchParams({ productCode: GTIN, batchNo: BATCH });
      const page = await open(`/inventory/batch?${batch}`);
      const heading = page.getByRole('heading', { name: `Batch ${BATCH}`, level: 1 });
      const [asIs, plain] = await drawings(heading);
      expect(asIs.equals(plain)).toBe(true);
    });
  });
