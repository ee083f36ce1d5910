import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { GTIN } from '../../../server/test/harness/index.js';
import {
  button,
  type ConsoleService,
  type ConsoleWorld,
  dialog,
  expectSound,
  hasBrowser,
  inFullTier,
  type Looks,
  readSheet,
  said,
  text,
  type Visit,
} from '../harness/index.js';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };
const codeOf = (serial: string) => `01${GTIN}1730123110H1\u001d21${serial}`;

let world: ConsoleWorld;
let picker: Visit;
let checker: Visit;

/** A dispatch of three stents and two gloves. */
async function twoLines(orderNo: string): Promise<string> {
  const stock = { warehouse: 'WH-1', quantityDelta: 5, reason: 'opening stock' };
  await world.must('POST', '/v2/stock/adjustments', {
    ...{ productCode: GTIN, batchNo: 'H1', expiryDate: '2030-12-31' },
    ...stock,
  });
  await world.must('POST', '/v2/stock/adjustments', { productCode: 'GLOVE-1', ...stock });
  const { orderId } = await world.must<{ orderId: string }>('POST', '/v2/orders', {
    ...{ orderNo, customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR' },
    lines: [
      { lineNo: 1, productCode: GTIN, batchNo: 'H1', quantity: 3, unitPrice: '1.125' },
      { lineNo: 2, productCode: 'GLOVE-1', quantity: 2, unitPrice: '1' },
    ],
  });
  await world.must('POST', `/v2/orders/${orderId}/approve`, {});
  const { dispatchId } = await world.must<{ dispatchId: string }>('POST', '/v2/dispatches', { orderId });
  return dispatchId;
}

const lineShown = (page: Page, name: string) => page.getByRole('heading', { name, level: 3 }).waitFor();

const testPicking = () =>
  inFullTier(
    'one line at a time: the next comes by itself, and the second person counts what was picked',
    120_000,
    async () => {
      const path = `/dispatches/${await twoLines('SO-HAND')}`;
      const { page } = picker;
      await page.setViewportSize(PHONE);
      await picker.go(path);
      await lineShown(page, 'Coronary stent 3.0×18');
      await page
        .getByText(/Dec 31, 2030|2030年12月31日/)
        .first()
        .waitFor();
      await expectSound(picker, 'handheld-picking');
      await picker.scan(codeOf('A1'));
      await page.getByText(/^(To pick 3 · Scanned 1|应拣 3 · 已扫 1)$/).waitFor();
      await button(page, 'All 2').click();
      await lineShown(page, 'Gloves');
      await button(page, 'One more of batch No batch').click();
      await button(page, 'One more of batch No batch').click();
      await button(page, 'Complete picking').click();
      await said(page, 'Picking completed. Another person must re-check.');

      await checker.page.setViewportSize(PHONE);
      await checker.go(path);
      await button(checker.page, 'One more of batch H1').click();
      await text(
        checker.page,
        'Your count differs from the picked quantity. Count again, or fail the re-check.',
      ).waitFor();
      expect(await button(checker.page, 'Pass re-check and dispatch').isDisabled()).toBe(true);
      await expectSound(checker, 'handheld-recheck');
      await button(checker.page, 'All 2').click();
      await lineShown(checker.page, 'Gloves');
      await button(checker.page, 'All 2').click();
      await text(checker.page, '5 of 5 counted').waitFor();
      await button(checker.page, 'Pass re-check and dispatch').click();
      await button(dialog(checker.page), 'Pass re-check and dispatch').click();
      await said(checker.page, 'Re-check passed. The goods are dispatched.');
      for (const each of [page, checker.page]) await each.setViewportSize(DESK);
    },
  );

const testPickList = () =>
  inFullTier(
    'the pick list on paper has storage conditions, batch, expiry and quantity',
    60_000,
    async () => {
      const dispatchId = await twoLines('SO-PAPER');
      await picker.go(`/dispatches/${dispatchId}/pick-list`);
      const { facts, tables } = await readSheet(picker.page);
      expect(facts['Dispatch no.']).toBe('SO-PAPER-1');
      expect(tables[0]?.rows.map((row) => row.slice(0, 4))).toEqual([
        [`Coronary stent 3.0×18\n${GTIN}`, '–', 'H1\nExpiry: 2030-12-31', '3'],
        ['Gloves\nGLOVE-1', '–', '–', '2'],
      ]);
      // Goods leave with a delivery note only once their re-check has passed.
      await picker.go(`/dispatches/${dispatchId}/note`);
      await text(picker.page, 'No delivery note yet').waitFor();
      expect(await button(picker.page, 'Print').count()).toBe(0);
    },
  );

/** The last frame around the screen. */
const outcome = (page: Page) => page.locator('.scan-flash').getAttribute('data-outcome');

const testSignals = () =>
  inFullTier('a scan is signalled as taken, refused or doubtful; muting is remembered', 60_000, async () => {
    const dispatchId = await twoLines('SO-SOUND');
    const { page } = picker;
    // Before anything is scanned: the keys of a scanner have times ahead of those pressed by hand.
    await picker.go(`/dispatches/${dispatchId}`);
    await button(page, 'Mute scan sounds').click();
    await picker.load(`/dispatches/${dispatchId}`);
    await button(page, 'Turn on scan sounds').click();
    await picker.scan(codeOf('S1'));
    await expect.poll(() => outcome(page)).toBe('taken');
    await picker.scan(codeOf('S2').replace('H1', 'H9'));
    await expect.poll(() => outcome(page)).toBe('doubtful');
    // The question is part of the draft.
    await picker.load(`/dispatches/${dispatchId}`);
    await dialog(page).getByText('This warehouse has no stock of batch H9.').waitFor();
    await button(dialog(page), 'Cancel').click();
    await dialog(page).waitFor({ state: 'hidden' });
    await picker.scan('(01)1234567');
    await expect.poll(() => outcome(page)).toBe('refused');
  });

/** In the page: a camera that sees one label. What it sees is drawn by the service, and read by the real decoder. */
async function showLabel(code: string): Promise<void> {
  const image = new Image();
  image.src = `/labels/udi.svg?code=${encodeURIComponent(code)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 640, height: 480 });
  const context = canvas.getContext('2d');
  const draw = () => {
    if (!context) return;
    context.fillStyle = 'white';
    context.fillRect(0, 0, 640, 480);
    context.drawImage(image, 120, 40, 400, (400 * image.height) / image.width);
    requestAnimationFrame(draw);
  };
  draw();
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
}

const testCamera = () =>
  inFullTier('the camera of a phone reads a code once, under the policy of the page', 90_000, async () => {
    const dispatchId = await twoLines('SO-CAMERA');
    const { page } = picker;
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await picker.load(`/dispatches/${dispatchId}`);
    await page.evaluate(showLabel, `(01)${GTIN}(17)301231(10)H1(21)CAM`);
    await button(page, 'Scan with the camera').click();
    await dialog(page).getByText('Coronary stent 3.0×18 · H1 counted.').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await page.getByText('1 of 3 picked').waitFor();
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: false });
    await devtools.detach();
  });

function seatBoth(service: () => ConsoleService, looks: Looks): void {
  beforeAll(async () => {
    world = await service().beside();
    if (!hasBrowser) return;
    picker = await world.enter('warehouse', looks);
    checker = await world.enter('quality', looks);
  });
  afterAll(async () => {
    await picker?.leave();
    await checker?.leave();
  });
}

/** Picking and re-check in other looks. */
export const testHandheldIn = (service: () => ConsoleService, looks: Looks) =>
  describe('a handheld device', () => {
    seatBoth(service, looks);
    testPicking();
  });

export const testHandheld = (service: () => ConsoleService) =>
  describe('a handheld device', () => {
    seatBoth(service, {});
    testSignals();
    testPicking();
    testPickList();
    testCamera();
  });
