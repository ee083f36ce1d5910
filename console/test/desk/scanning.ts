import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { GTIN, sized } from '../../../server/test/harness/index.js';
import { openDispatch } from '../harness/dispatch.js';
import {
  button,
  type ConsoleService,
  type ConsoleWorld,
  dialog,
  field,
  hasBrowser,
  inBrowser,
  inFullTier,
  said,
  type Typing,
  type Visit,
} from '../harness/index.js';

const GS = '\u001d';
const STENT = 'Coronary stent 3.0×18';
const CODES_PER_FIELD = sized(2, 200);

/** As labels of the stent have it: with and without the identifier of the symbology, each with a serial of its own. */
const codeOf = (n: number): string =>
  `${['', ']d2', ']C1'][n % 3]}01${GTIN}1730123110S1${GS}21g7x${String(n).padStart(4, '0')}`;

/**
 * Scanners differ in speed, separator and suffix. Two in a row have both sorts of speed, too fast for a person and not,
 * and both suffixes; the next ones combine them otherwise.
 */
const GAPS_MS = [1, 100, 30, 50, 4, 100, 12, 50];
const SEPARATORS = ['ctrl+]', 'F8', 'U+001D'] as const;
const scannerOf = (n: number): Typing => ({
  gapMs: GAPS_MS[n % 8] ?? 4,
  separator: SEPARATORS[(n + Math.floor(n / 3)) % 3] ?? 'F8',
  terminator: (n + Math.floor(n / 2)) % 2 === 0 ? 'Enter' : 'Tab',
});
const FAST: Typing = { gapMs: 4 };
const SLOW: Typing = { gapMs: 100, terminator: 'Tab' };

/** One person at one window does all of it: opening one takes longer than the scans. */
let world: ConsoleWorld;
let visit: Visit;

/** Every kind of field there is, among them those no page of the console has today. */
const FIELDS = `
  <form><input aria-label="kind password" type="password" value="as it was"></form>
  <form id="kinds">
    <input aria-label="kind text" value="as it was">
    <input aria-label="kind search" type="search" value="as it was">
    <input aria-label="kind number" type="number" value="7">
    <input aria-label="kind e-mail" type="email" value="a@b.example">
    <input aria-label="kind date" type="date" value="2030-12-31">
    <input aria-label="kind empty date" type="date">
    <input aria-label="kind local time" type="datetime-local" value="2030-12-31T10:20">
    <input aria-label="kind checkbox" type="checkbox">
    <input aria-label="kind radio" type="radio" name="r" value="1">
    <select aria-label="kind select"><option>zero</option><option selected>two</option><option>0106</option><option>g7</option></select>
    <textarea aria-label="kind textarea">as it was</textarea>
    <button aria-label="kind button">Send</button>
    <a aria-label="kind link" href="#followed">Link</a>
  </form>`;
const ALL_KINDS = [...FIELDS.matchAll(/aria-label="(kind [^"]+)"/g)].map(([, name]) => name ?? '');
/** By default one that takes the keys and one that takes Enter; how keys become a code is tested without a browser. */
const USUAL = ['kind text', 'kind button'];

const removeFields = (page: Page) => page.evaluate(() => document.querySelector('#fields')?.remove());

/** A new receipt, with these fields above it as if nobody had been in them, and a log of what happens to them. */
async function openFields(): Promise<Page> {
  const { page } = visit;
  await removeFields(page);
  if (new URL(page.url()).pathname !== '/receipts/new') await visit.go('/receipts/new');
  await page.evaluate((html) => {
    const fields = document.createElement('div');
    fields.id = 'fields';
    fields.innerHTML = html;
    document.querySelector('main')?.prepend(fields);
    const log: string[] = [];
    Object.assign(window, { happened: log });
    const form = fields.querySelector('#kinds');
    for (const type of ['click', 'submit'])
      form?.addEventListener(type, (event) => {
        event.preventDefault();
        log.push(`${type} ${(event.target as Element).getAttribute('aria-label') ?? 'form'}`);
      });
  }, FIELDS);
  return page;
}

/** The value of the field, its selection, and whether it has the focus. */
const stateOf = (target: Locator): Promise<unknown> =>
  target.evaluate((element) => {
    const { value, checked, selectionStart, selectionEnd } = element as HTMLInputElement;
    const { activeElement } = document;
    return {
      value,
      checked,
      caret: [selectionStart, selectionEnd],
      isFocused: activeElement === element,
    };
  });

const happened = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { happened: string[] }).happened);

/** How many of the batch are on the receipt already. */
async function countOn(page: Page): Promise<number> {
  const line = await field(page, 'Batch').evaluateAll((batches) =>
    batches.findIndex((batch) => (batch as HTMLInputElement).value === 'S1'),
  );
  return line === -1 ? 0 : Number(await field(page, 'Quantity').nth(line).inputValue());
}

const counted = (page: Page, count: number): Promise<void> =>
  page.getByText(`${STENT} · S1: ${count} on this receipt.`).waitFor();

/** A receipt with a line entered by hand; a scan goes to the next line. */
async function beginReceipt(): Promise<Page> {
  const { page } = visit;
  await removeFields(page);
  // Not from itself: a page that is left and opened again asks what to do with its draft.
  if (new URL(page.url()).pathname === '/receipts/new') await visit.go('/receipts');
  await visit.go('/receipts/new');
  const discard = button(page, 'Discard draft');
  if (await discard.isVisible()) await discard.click();
  await field(page, 'Receipt no.').fill('RC-7');
  await button(page, 'Add line').click();
  await field(page, 'Batch').fill('HAND');
  await field(page, 'Quantity').fill('12');
  return page;
}

export const testScanning = (service: () => ConsoleService) =>
  describe('scanning', () => {
    beforeAll(async () => {
      world = await service().beside();
      if (hasBrowser) visit = await world.enter('warehouse');
    });
    afterAll(() => visit?.leave());
    testTyping();
    testCapture();
    testFeedback();
  });

const testTyping = () =>
  describe('what a person types arrives as typed', () => {
    const gapMs = (at: number) => [60, 150, 72, 95, 118, 64][at % 6] ?? 90;

    const text = 'Box torn, 2 of 12 (see g7x237) +49 30 1';
    const typed = async (page: Page, kind: string, text: string) => {
      const target = page.getByLabel(kind, { exact: true });
      await target.focus();
      await target.evaluate((element) => {
        if (element instanceof HTMLSelectElement) return;
        (element as HTMLInputElement).value = '';
      });
      await visit.keyboard.type(text, { gapMs });
      return target.inputValue();
    };

    inBrowser('at 60 to 150 ms between keys, in a field of text, which Enter sends', 60_000, async () => {
      const page = await openFields();
      expect(await typed(page, 'kind text', `${text}\n`)).toBe(text);
      expect(await happened(page)).toEqual(['click kind button']);
      expect(await page.getByText('on this receipt.').count()).toBe(0);
    });

    inFullTier('at 60 to 150 ms between keys, in every kind of field', 60_000, async () => {
      const page = await openFields();
      for (const kind of ['kind text', 'kind password', 'kind search', 'kind textarea'])
        expect(await typed(page, kind, text), kind).toBe(text);
      expect(await typed(page, 'kind number', '1234567890123')).toBe('1234567890123');
      expect(await typed(page, 'kind e-mail', 'sister.anna@hospital.example')).toBe(
        'sister.anna@hospital.example',
      );
      expect(await typed(page, 'kind date', '12312030')).toBe('2030-12-31');
      expect(await typed(page, 'kind select', 'g')).toBe('g7');
      expect(await typed(page, 'kind textarea', 'one\ntwo\nthree of many')).toBe('one\ntwo\nthree of many');
      await page.getByLabel('kind checkbox', { exact: true }).focus();
      await visit.keyboard.type(' ', { gapMs });
      expect(await happened(page)).toContain('click kind checkbox');
      await page.getByLabel('kind button', { exact: true }).focus();
      await visit.keyboard.type('\n', { gapMs });
      expect(await happened(page)).toContain('click kind button');
      await page.getByLabel('kind text', { exact: true }).focus();
      await visit.keyboard.type('\t', { gapMs });
      expect(await stateOf(page.getByLabel('kind search', { exact: true }))).toMatchObject({
        isFocused: true,
      });
      // Nothing has been scanned yet.
      expect(await page.getByText('on this receipt.').count()).toBe(0);
    });

    inFullTier('ended by Enter, with a key kept down, and pasted', 60_000, async () => {
      const page = await openFields();
      const target = page.getByLabel('kind text', { exact: true });
      await target.fill('');
      await visit.keyboard.type('WH-2 06901234567892\n', { gapMs });
      expect(await target.inputValue()).toBe('WH-2 06901234567892');
      expect(await happened(page)).toEqual(['click kind button']);
      await target.fill('');
      await visit.keyboard.hold('0', 12);
      expect(await target.inputValue()).toBe('0'.repeat(12));
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('ControlOrMeta+c');
      await page.keyboard.press('ControlOrMeta+v');
      await page.keyboard.press('ControlOrMeta+v');
      expect(await target.inputValue()).toBe('0'.repeat(24));
    });

    testPrograms(gapMs);
  });

/** Keys that come faster than anybody types, and are none of a scanner. */
function testPrograms(gapMs: (at: number) => number): void {
  inFullTier('by a program that types for them, at its caret', 60_000, async () => {
    const page = await openFields();
    const remark = field(page, 'Remark');
    await remark.fill('from  today');
    await remark.evaluate((element) => (element as HTMLInputElement).setSelectionRange(5, 5));
    await visit.keyboard.type('Acme Devices', { gapMs: 2 });
    await expect.poll(() => remark.inputValue()).toBe('from Acme Devices today');
    await visit.keyboard.type('!', { gapMs });
    expect(await remark.inputValue()).toBe('from Acme Devices! today');
  });

  inFullTier('in clumps, as a remote desktop sends what they type', 60_000, async () => {
    const page = await openFields();
    const remark = field(page, 'Remark');
    await remark.fill('');
    // Some at once, some at the speed of the person, and some at once again.
    const clumps = (at: number) => (at < 6 || at > 9 ? 2 : 80);
    await visit.keyboard.type('Acme Devices, North', { gapMs: clumps });
    await expect.poll(() => remark.inputValue()).toBe('Acme Devices, North');
  });
}

const testCapture = () =>
  describe('a scan is captured before any field keeps it', () => {
    for (const [place, kind] of ALL_KINDS.entries())
      (USUAL.includes(kind) ? inBrowser : inFullTier)(
        `with the focus in ${kind.replace('kind ', '')}`,
        600_000,
        async () => {
          const page = await openFields();
          const countBefore = await countOn(page);
          const target = page.getByLabel(kind, { exact: true });
          await target.focus();
          const before = await stateOf(target);
          for (let i = 0; i < CODES_PER_FIELD; i++) {
            const n = place * CODES_PER_FIELD + i;
            await visit.keyboard.scan(codeOf(n), scannerOf(n));
            expect.soft(await stateOf(target), `after ${JSON.stringify(scannerOf(n))}`).toEqual(before);
          }
          await counted(page, countBefore + CODES_PER_FIELD);
          expect(await happened(page)).toEqual([]);
          expect(new URL(page.url()).hash).toBe('');
        },
      );

    inFullTier('with a Chinese input method switched on', 60_000, async () => {
      const page = await openFields();
      let count = await countOn(page);
      for (const kind of ['kind text', 'kind number', 'kind search', 'kind textarea']) {
        const target = page.getByLabel(kind, { exact: true });
        await target.focus();
        const before = await stateOf(target);
        for (const gapMs of [3, 100]) {
          await visit.keyboard.scan(codeOf(count), { gapMs, ime: true });
          await counted(page, ++count);
          expect.soft(await stateOf(target), `${kind} ${gapMs} ms`).toEqual(before);
        }
      }
    });

    inFullTier('and Enter sent twice, as CR and LF, sends no form', 60_000, async () => {
      const page = await openFields();
      await page.getByLabel('kind text', { exact: true }).focus();
      await visit.keyboard.scan(`${codeOf(0).replace(GS, '')}\n`);
      // Without its separator the code ends in a long batch number.
      await page.getByText(/· S121g7x0000: \d+ on this receipt\.$/).waitFor();
      expect(await happened(page)).toEqual([]);
    });

    inFullTier('with the focus in the fields of a new receipt', 90_000, async () => {
      const page = await beginReceipt();
      // Among them suggestions, a number that is formatted, a field that reads codes itself, and the button that sends all.
      const fields = [
        field(page, 'Quantity').first(),
        field(page, 'Supplier'),
        field(page, 'Scan or enter a code'),
        button(page, 'Create receipt'),
        field(page, 'Receipt no.'),
        field(page, 'Product').first(),
        field(page, 'Batch').first(),
        field(page, 'Expiry date').first(),
        button(page, 'Add line'),
      ];
      let count = 0;
      for (const target of fields) {
        await target.focus();
        const before = await stateOf(target);
        for (const typing of [FAST, SLOW]) {
          await visit.keyboard.scan(codeOf(count++), typing);
          await counted(page, count);
          expect.soft(await stateOf(target)).toEqual(before);
        }
      }
      expect(await field(page, 'Quantity').nth(1).inputValue()).toBe(String(count));
      expect(await page.getByRole('option').count()).toBe(0);
      expect(new URL(page.url()).pathname).toBe('/receipts/new');
    });
  });

const testFeedback = () =>
  describe('every scan gets feedback', () => {
    inFullTier(
      'a scanner without a terminator is recognized, with help to configure it',
      60_000,
      async () => {
        const page = await openFields();
        const number = page.getByLabel('kind number', { exact: true });
        await number.focus();
        await visit.keyboard.scan(codeOf(5), { terminator: 'none' });
        await said(page, 'Configure the scanner to send Enter or Tab after each code.');
        expect(await number.inputValue()).toBe('7');
      },
    );

    inFullTier('a scan into a quantity picked by hand counts as scanned', 90_000, async () => {
      const dispatchId = await openDispatch(world, 'SO-SCAN', 'S1', 12);
      const { page } = visit;
      await visit.go(`/dispatches/${dispatchId}`);
      const byHand = field(page, 'By hand, batch S1');
      await byHand.focus();
      await visit.keyboard.scan(codeOf(1));
      await page.getByText('1 of 12 picked').waitFor();
      await page.getByText('To pick 12 · Scanned 1').waitFor();
      expect(await byHand.inputValue()).toBe('0');
      await visit.keyboard.scan(codeOf(2), { gapMs: 100 });
      await page.getByText('To pick 12 · Scanned 2').waitFor();
      expect(await byHand.inputValue()).toBe('0');
      expect(await button(page, 'Complete picking').count()).toBe(0);
    });

    inFullTier('on a page without use for it, a scan opens what was scanned', 60_000, async () => {
      const { page } = visit;
      await openDispatch(world, 'SO-OPEN', 'S1', 1);
      await visit.go('/products');
      await page.getByRole('main').locator('input').first().focus();
      // The batch is known, the unit is not.
      await visit.scan(codeOf(3));
      await page.getByRole('heading', { level: 1, name: 'Batch S1' }).waitFor();
      await visit.scan('(01)09504000059118(10)NONE');
      await said(page, 'Nothing was found for this code.');
      visit.expects(/^404 GET \/v2\/udi$/);
      await page.getByRole('link', { name: 'Trace code' }).click();
      await page.getByRole('heading', { name: 'Code contents' }).waitFor();
      expect(new URL(page.url()).searchParams.get('code')).toBe('(01)09504000059118(10)NONE');
    });

    inFullTier('with a window open nothing is counted behind it', 60_000, async () => {
      const dispatchId = await openDispatch(world, 'SO-WINDOW', 'S1', 3);
      const { page } = visit;
      await visit.go(`/dispatches/${dispatchId}`);
      await button(page, 'Other batch').click();
      const batch = field(dialog(page), 'Batch');
      await batch.fill('S2');
      await visit.keyboard.scan(codeOf(4));
      await said(page, 'Scan ignored: a dialog is open.');
      expect(await batch.inputValue()).toBe('S2');
      await page.getByText('0 of 3 picked').waitFor();
    });

    // That they wait for each other is tested where they are handed on, without a browser.
    inFullTier('scans in quick succession are counted one by one', 60_000, async () => {
      const dispatchId = await openDispatch(world, 'SO-QUICK', 'S1', 2);
      const { page } = visit;
      await visit.go(`/dispatches/${dispatchId}`);
      for (let n = 0; n < 3; n++) await visit.keyboard.scan(codeOf(n));
      await page.getByText('2 of 2 picked').waitFor();
      await page.getByText(`The full quantity of ${STENT} is already picked.`).waitFor();
    });
  });
