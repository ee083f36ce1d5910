import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { GTIN, sized } from '../../server/test/harness/index.js';
import { openDispatch } from './harness/dispatch.js';
import {
  button,
  type ConsoleWorld,
  dialog,
  field,
  hasBrowser,
  inBrowser,
  openConsole,
  said,
  type Typing,
  type Visit,
} from './harness/index.js';

const GS = '\u001d';
const STENT = 'Coronary stent 3.0×18';
const CODES_PER_FIELD = sized(6, 200);

/** As labels of the stent have it: with and without the identifier of the symbology, each with a serial of its own. */
const codeOf = (n: number): string =>
  `${['', ']d2', ']C1'][n % 3]}01${GTIN}1730123110S1${GS}21g7x${String(n).padStart(4, '0')}`;

/** Scanners differ in speed, separator and suffix. Six in a row have each of them; the next six combine them otherwise. */
const GAPS_MS = [1, 30, 100, 4, 50, 12];
const SEPARATORS = ['ctrl+]', 'F8', 'U+001D'] as const;
const scannerOf = (n: number): Typing => ({
  gapMs: GAPS_MS[n % 6] ?? 4,
  separator: SEPARATORS[(n + Math.floor(n / 3)) % 3] ?? 'F8',
  terminator: (n + Math.floor(n / 6)) % 3 === 2 ? 'Tab' : 'Enter',
});

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsole();
});
afterAll(() => world.close());

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
const KINDS = [...FIELDS.matchAll(/aria-label="(kind [^"]+)"/g)].map(([, name]) => name ?? '');

const addFields = (page: Page) =>
  page.evaluate((html) => {
    document.querySelector('main')?.insertAdjacentHTML('afterbegin', html);
    const log: string[] = [];
    Object.assign(window, { happened: log });
    const form = document.querySelector('#kinds');
    for (const type of ['click', 'submit'])
      form?.addEventListener(type, (event) => {
        event.preventDefault();
        log.push(`${type} ${(event.target as Element).getAttribute('aria-label') ?? 'form'}`);
      });
  }, FIELDS);

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

const countOn = async (page: Page): Promise<number> => {
  const lines = await field(page, 'Quantity').all();
  return lines[0] ? Number(await lines[0].inputValue()) : 0;
};

const counted = (page: Page, count: number): Promise<void> =>
  page.getByText(`${STENT} · S1: ${count} on this receipt.`).waitFor();

/** A receipt with a line entered by hand; a scan goes to the next line. */
async function beginReceipt(visit: Visit): Promise<void> {
  const { page } = visit;
  await visit.go('/receipts/new');
  const discard = button(page, 'Discard draft');
  if (await discard.isVisible()) await discard.click();
  await field(page, 'Receipt no.').fill('RC-7');
  await button(page, 'Add line').click();
  await field(page, 'Batch').fill('HAND');
  await field(page, 'Quantity').fill('12');
}

describe('a scan is captured before any field keeps it', () => {
  /** One receipt for all kinds: opening it takes longer than the scans. */
  let visit: Visit;
  beforeAll(async () => {
    if (!hasBrowser) return;
    visit = await world.enter('warehouse');
    await visit.go('/receipts/new');
    await addFields(visit.page);
  });
  afterAll(() => visit?.leave());

  for (const [place, kind] of KINDS.entries())
    inBrowser(`with the focus in ${kind.replace('kind ', '')}`, sized(60_000, 600_000), async () => {
      const { page } = visit;
      const countBefore = await countOn(page);
      const happenedBefore = await happened(page);
      const target = page.getByLabel(kind, { exact: true });
      await target.focus();
      const before = await stateOf(target);
      for (let i = 0; i < CODES_PER_FIELD; i++) {
        const n = place * CODES_PER_FIELD + i;
        await visit.keyboard.scan(codeOf(n), scannerOf(n));
        expect.soft(await stateOf(target), `after ${JSON.stringify(scannerOf(n))}`).toEqual(before);
      }
      await counted(page, countBefore + CODES_PER_FIELD);
      expect(await happened(page)).toEqual(happenedBefore);
      expect(new URL(page.url()).hash).toBe('');
    });

  inBrowser('with the focus in the fields of a new receipt', 90_000, async () => {
    const visit = await world.enter('warehouse');
    const { page } = visit;
    await beginReceipt(visit);
    const fields = [
      field(page, 'Receipt no.'),
      field(page, 'Supplier'),
      field(page, 'Product').first(),
      field(page, 'Batch').first(),
      field(page, 'Expiry date').first(),
      field(page, 'Quantity').first(),
      field(page, 'Scan or enter a code'),
      button(page, 'Add line'),
      button(page, 'Create receipt'),
    ];
    let count = 0;
    for (const target of fields) {
      await target.focus();
      const before = await stateOf(target);
      for (const typing of [{ gapMs: 4 }, { gapMs: 100, terminator: 'Tab' }] as const) {
        await visit.keyboard.scan(codeOf(count++), typing);
        await counted(page, count);
        expect.soft(await stateOf(target)).toEqual(before);
      }
    }
    expect(await field(page, 'Quantity').nth(1).inputValue()).toBe(String(count));
    expect(await page.getByRole('option').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/receipts/new');
    await visit.leave();
  });

  inBrowser('with a Chinese input method switched on', 60_000, async () => {
    const visit = await world.enter('warehouse');
    const { page } = visit;
    await visit.go('/receipts/new');
    await addFields(page);
    let count = 0;
    for (const kind of ['kind text', 'kind textarea', 'kind search', 'kind number']) {
      const target = page.getByLabel(kind, { exact: true });
      await target.focus();
      const before = await stateOf(target);
      for (const gapMs of [3, 100]) {
        await visit.keyboard.scan(codeOf(count), { gapMs, ime: true });
        await counted(page, ++count);
        expect.soft(await stateOf(target), `${kind} ${gapMs} ms`).toEqual(before);
      }
    }
    await visit.leave();
  });

  inBrowser('and Enter sent twice, as CR and LF, sends no form', 60_000, async () => {
    const visit = await world.enter('warehouse');
    const { page } = visit;
    await visit.go('/receipts/new');
    await addFields(page);
    await page.getByLabel('kind text', { exact: true }).focus();
    await visit.keyboard.scan(`${codeOf(0).replace(GS, '')}\n`);
    await page.getByRole('alert').first().waitFor();
    expect(await happened(page)).toEqual([]);
    await visit.leave();
  });
});

describe('what a person types arrives as typed', () => {
  const gapMs = (at: number) => [60, 150, 72, 95, 118, 64][at % 6] ?? 90;

  inBrowser('at 60 to 150 ms between keys, in every kind of field', 60_000, async () => {
    const visit = await world.enter('warehouse');
    const { page } = visit;
    await visit.go('/receipts/new');
    await addFields(page);
    const typed = async (kind: string, text: string) => {
      const target = page.getByLabel(kind, { exact: true });
      await target.focus();
      await target.evaluate((element) => {
        if (element instanceof HTMLSelectElement) return;
        (element as HTMLInputElement).value = '';
      });
      await visit.keyboard.type(text, { gapMs });
      return target.inputValue();
    };
    const text = 'Box torn, 2 of 12 (see g7x237) +49 30 1';
    for (const kind of ['kind text', 'kind search', 'kind password', 'kind textarea'])
      expect(await typed(kind, text), kind).toBe(text);
    expect(await typed('kind number', '1234567890123')).toBe('1234567890123');
    expect(await typed('kind e-mail', 'sister.anna@hospital.example')).toBe('sister.anna@hospital.example');
    expect(await typed('kind date', '12312030')).toBe('2030-12-31');
    expect(await typed('kind select', 'g')).toBe('g7');
    expect(await typed('kind textarea', 'one\ntwo\nthree of many')).toBe('one\ntwo\nthree of many');
    await page.getByLabel('kind checkbox', { exact: true }).focus();
    await visit.keyboard.type(' ', { gapMs });
    expect(await happened(page)).toContain('click kind checkbox');
    await page.getByLabel('kind button', { exact: true }).focus();
    await visit.keyboard.type('\n', { gapMs });
    expect(await happened(page)).toContain('click kind button');
    await page.getByLabel('kind text', { exact: true }).focus();
    await visit.keyboard.type('\t', { gapMs });
    expect(await stateOf(page.getByLabel('kind search', { exact: true }))).toMatchObject({ isFocused: true });
    expect(await page.getByText('on this receipt.').count()).toBe(0);
    await visit.leave();
  });

  inBrowser('ended by Enter, with a key kept down, and pasted', 60_000, async () => {
    const visit = await world.enter('warehouse');
    const { page } = visit;
    await visit.go('/receipts/new');
    await addFields(page);
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
    await visit.leave();
  });

  inBrowser('by a program that types for them, at its caret', 60_000, async () => {
    const visit = await world.enter('warehouse');
    const { page } = visit;
    await visit.go('/receipts/new');
    const remark = field(page, 'Remark');
    await remark.fill('from  today');
    await remark.evaluate((element) => (element as HTMLInputElement).setSelectionRange(5, 5));
    await visit.keyboard.type('Acme Devices', { gapMs: 2 });
    await expect.poll(() => remark.inputValue()).toBe('from Acme Devices today');
    await visit.keyboard.type('!', { gapMs });
    expect(await remark.inputValue()).toBe('from Acme Devices! today');
    await visit.leave();
  });
});

describe('every scan gets feedback', () => {
  inBrowser('a scan into a quantity picked by hand counts as scanned', 90_000, async () => {
    const dispatchId = await openDispatch(world, 'SO-SCAN', 'S1', 12);
    const visit = await world.enter('warehouse');
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
    await visit.leave();
  });

  inBrowser('a page without use for a code says so and offers its trace', 60_000, async () => {
    const visit = await world.enter('viewer');
    const { page } = visit;
    // No such unit was ever received.
    visit.expects(/^404 GET \/v2\/udi$/);
    await visit.go('/products');
    await page.getByRole('main').locator('input').first().focus();
    await visit.scan(codeOf(3));
    await said(page, 'Scanning is not available on this page.');
    await page.getByRole('link', { name: 'Trace code' }).click();
    await page.getByRole('heading', { name: 'Code contents' }).waitFor();
    expect(new URL(page.url()).searchParams.get('code')).toBe(codeOf(3));
    await visit.leave();
  });

  inBrowser('with a window open nothing is counted behind it', 60_000, async () => {
    const dispatchId = await openDispatch(world, 'SO-WINDOW', 'S1', 3);
    const visit = await world.enter('warehouse', { language: 'zh-CN' });
    const { page } = visit;
    await visit.go(`/dispatches/${dispatchId}`);
    await button(page, '其他批号').click();
    const batch = field(dialog(page), '批号');
    await batch.fill('S2');
    await visit.keyboard.scan(codeOf(4));
    await said(page, '弹窗');
    expect(await batch.inputValue()).toBe('S2');
    await page.getByText('已拣 0 / 3').waitFor();
    await visit.leave();
  });

  inBrowser('a scanner without a terminator is recognized, with help to configure it', 60_000, async () => {
    const visit = await world.enter('warehouse');
    const { page } = visit;
    await beginReceipt(visit);
    await field(page, 'Quantity').focus();
    await visit.keyboard.scan(codeOf(5), { terminator: 'none' });
    await said(page, 'Configure the scanner to send Enter or Tab after each code.');
    expect(await field(page, 'Quantity').inputValue()).toBe('12');
    await visit.leave();
  });

  inBrowser('scans in quick succession are counted one by one', 60_000, async () => {
    const dispatchId = await openDispatch(world, 'SO-QUICK', 'S1', 2);
    const visit = await world.enter('warehouse');
    const { page } = visit;
    await visit.go(`/dispatches/${dispatchId}`);
    for (let n = 0; n < 3; n++) await visit.keyboard.scan(codeOf(n));
    await page.getByText('2 of 2 picked').waitFor();
    await page.getByText(`The full quantity of ${STENT} is already picked.`).waitFor();
    await visit.leave();
  });
});
