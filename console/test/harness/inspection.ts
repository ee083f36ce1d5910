import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { fullTier, sized } from '../../../server/test/harness/index.js';
import { englishTexts } from './untranslated.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ENGLISH = new Set(englishTexts());
const screenshots = process.env.LOTWARD_SCREENSHOTS;
if (screenshots) mkdirSync(screenshots, { recursive: true });

/** Findings of these rules are never more than moderate, so they would not count. */
const MODERATE = ['region', 'landmark-unique', 'heading-order', 'aria-allowed-role', 'hidden-content'];

const ROWS = sized(3, 6);

const RULES = {
  all: { rules: Object.fromEntries(MODERATE.map((id) => [id, { enabled: false }])) },
  /** Colours are all that a theme changes. */
  colours: { runOnly: ['color-contrast', 'link-in-text-block'] },
  none: null,
};
export type Rules = keyof typeof RULES;

/** Serious and critical findings of axe, each with where. */
export async function barriersOn(page: Page, rules: Rules = 'all'): Promise<string[]> {
  const given = RULES[rules];
  if (given === null) return [];
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  return page.evaluate(
    async ({ rows, ...options }) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe;
      // The first rows of a long table represent the others.
      const context = { include: [['html']], exclude: [[`tbody > tr:nth-child(n + ${rows + 1})`]] };
      const { violations } = await run(context, { resultTypes: ['violations'], preload: false, ...options });
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes: [first, ...others] }) => {
          const where = first?.html.slice(0, 160);
          return `${id}: ${where} (and ${others.length} more) ${first?.failureSummary?.slice(0, 240)}`;
        });
    },
    { rows: ROWS, ...given },
  );
}

/** For looks whose parts axe sees elsewhere: all it finds in the full tier, otherwise what is cheap to find. */
export const barriersAgainOn = (page: Page, rules: Rules = 'all'): Promise<string[]> =>
  fullTier ? barriersOn(page, rules) : namelessOn(page);

/** The elements that make the page wider than the screen. */
export const overflowOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scroller = document.scrollingElement;
    if (!scroller || scroller.scrollWidth <= window.innerWidth) return [];
    const wide = [...document.querySelectorAll('main *')].filter(
      (each) => each.getBoundingClientRect().right > window.innerWidth + 1,
    );
    return [`${scroller.scrollWidth} px wide: ${wide.at(-1)?.outerHTML.slice(0, 200)}`];
  });

/** Controls and images without a name. Axe finds more of them, at a hundred times the cost. */
export const namelessOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const textOf = (element: Element | null) =>
      [element?.textContent, ...[...(element?.querySelectorAll('[aria-label], [alt]') ?? [])].map(labelOf)]
        .join('')
        .trim();
    const labelOf = (element: Element) =>
      element.getAttribute('aria-label') ?? element.getAttribute('alt') ?? '';
    const namesOf = (element: Element) => [
      labelOf(element),
      element.getAttribute('title') ?? '',
      ...(element.getAttribute('aria-labelledby') ?? '')
        .split(/\s+/)
        .map((id) => textOf(document.getElementById(id))),
      ...[...((element as HTMLInputElement).labels ?? [])].map(textOf),
      // The text in a field is its value, not its name.
      element.matches('input, textarea, select, img') ? '' : textOf(element),
    ];
    return [
      ...document.querySelectorAll(
        'a[href], button, input:not([type=hidden]), textarea, select, img, [role=button], [role=tab], [role=combobox]',
      ),
    ]
      .filter(
        (element) => element.checkVisibility() && !element.closest('[aria-hidden=true], [role=presentation]'),
      )
      .filter((element) => !(element.matches('img') && element.getAttribute('alt') === ''))
      .filter((element) => namesOf(element).every((name) => name.trim() === ''))
      .map((element) => `nameless: ${element.outerHTML.slice(0, 160)}`);
  });

/** English texts on a Chinese page, including accessible names. */
export async function englishOn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      // Hidden text may still be in the language used before: it is translated lazily.
      if (!parent?.checkVisibility() || parent.closest('[lang="en"]')) continue;
      texts.push(walker.currentNode.textContent?.trim() ?? '');
    }
    for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
      for (const element of document.querySelectorAll(`[${name}]`))
        texts.push(element.getAttribute(name)?.trim() ?? '');
    return [...new Set(texts)];
  });
  return texts.filter((text) => ENGLISH.has(text));
}

/** Chinese texts with the punctuation of English: a colon, comma or semicolon with a space after it. */
export const westernPunctuationOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const visible = [...document.querySelectorAll('body *')].filter(
      (element) =>
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE) &&
        element.checkVisibility() &&
        !element.closest('[lang="en"], code, pre, script, style'),
    );
    const texts = [
      ...visible.map((element) => element.textContent ?? ''),
      ...[...document.querySelectorAll('[aria-label]')].map((each) => each.getAttribute('aria-label') ?? ''),
    ];
    return [...new Set(texts.filter((text) => /\p{Script=Han}[,:;] /u.test(text)))].map(
      (text) => `punctuation: ${text.slice(0, 80)}`,
    );
  });

/** Only where somebody wants to look at them. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (!screenshots) return;
  const path = join(screenshots, `${name}.png`);
  await page.screenshot({ path, fullPage: true, animations: 'disabled' });
}
