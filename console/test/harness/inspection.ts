import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { englishTexts } from './untranslated.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ENGLISH = englishTexts();
const screenshots = process.env.LOTWARD_SCREENSHOTS;
if (screenshots) mkdirSync(screenshots, { recursive: true });

/** Findings of these rules are never more than moderate, so they would not count. */
const MODERATE = ['region', 'landmark-unique', 'heading-order', 'aria-allowed-role', 'hidden-content'];

/** Serious and critical findings of axe, each with where. */
export async function barriersOn(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (rules?.length === 0) return [];
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const given = { only: rules, without: MODERATE };
  return page.evaluate(async ({ only, without }) => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    // The first rows of a long table represent the others.
    const context = { include: [['html']], exclude: [['tbody > tr:nth-child(n + 7)']] };
    const { violations } = await run(context, {
      resultTypes: ['violations'],
      preload: false,
      ...(only
        ? { runOnly: { type: 'rule', values: [...only] } }
        : { rules: Object.fromEntries(without.map((id) => [id, { enabled: false }])) }),
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes: [first, ...others] }) => {
        const where = first?.html.slice(0, 160);
        return `${id}: ${where} (and ${others.length} more) ${first?.failureSummary?.slice(0, 240)}`;
      });
  }, given);
}

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

/** English texts on a Chinese page, including accessible names. */
export const englishOn = (page: Page): Promise<string[]> =>
  page.evaluate((english) => {
    const known = new Set(english);
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
    return [...new Set(texts.filter((text) => known.has(text)))];
  }, ENGLISH);

/** Only where somebody wants to look at them. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (!screenshots) return;
  const path = join(screenshots, `${name}.png`);
  await page.screenshot({ path, fullPage: true, animations: 'disabled' });
}
