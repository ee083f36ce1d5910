import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { fullTier } from '../../../server/test/harness/index.js';
import type { Language } from '../../src/app/language.js';
import { LANGUAGE_NAMES, shellWords } from '../../src/app/shell-words.js';
import { button } from './acting.js';
import {
  barriersOn,
  englishOn,
  namelessOn,
  overflowOf,
  type Rules,
  takeScreenshot,
  westernPunctuationOn,
} from './inspection.js';
import { setLanguageOf } from './translation.js';
import type { Visit } from './visit.js';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
/** A4 between margins of 12 mm, at 96 dots per inch. */
const PAPER = { width: 703, height: 1031 };
const LANDSCAPE = { width: PAPER.height, height: PAPER.width };

interface PageLooks {
  theme: 'light' | 'dark';
  size: typeof WIDE;
}

/** Usually a page is looked at in one of these. */
export const TURNS: readonly PageLooks[] = [
  { theme: 'light', size: WIDE },
  { theme: 'dark', size: NARROW },
  { theme: 'dark', size: WIDE },
  { theme: 'light', size: NARROW },
];

async function switchLanguage(visit: Visit, from: Language): Promise<void> {
  const to = from === 'en' ? 'zh-CN' : 'en';
  await button(visit.page, shellWords[from].language).click();
  await visit.page.getByRole('menuitem', { name: LANGUAGE_NAMES[to] }).click();
  await visit.page.getByRole('menu').waitFor({ state: 'hidden' });
  setLanguageOf(visit.page, to);
  await visit.settle();
}

/**
 * Looks at a page. Usually once, in Chinese, because that also shows what was not translated; in the full tier in both
 * languages, in light and dark, wide and narrow: by all rules in light, and by those about colours in dark, since colours are all that a
 * theme changes.
 */
export async function inspect(
  visit: Visit,
  path: string,
  { theme, size }: PageLooks,
  rules: Rules,
): Promise<void> {
  const { page } = visit;
  const found: Record<string, string[]> = {};
  const name = path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'overview';
  const look = async (language: Language, theme: PageLooks['theme'], size: typeof WIDE, rules: Rules) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(size);
    await visit.settle();
    const looks = `${language}.${theme}.${size.width}`;
    await takeScreenshot(page, `${name}.${looks}`);
    const wrong = [
      ...(await barriersOn(page, rules)),
      ...(await namelessOn(page)),
      ...(await overflowOf(page)),
      ...(size === NARROW ? await cutSheetsOn(page) : []),
    ];
    if (language === 'zh-CN')
      wrong.push(
        ...(await englishOn(page)).map((text) => `English: ${text}`),
        ...(await westernPunctuationOn(page)),
      );
    if (wrong.length > 0) found[looks] = wrong;
  };
  if (fullTier) {
    for (const language of ['zh-CN', 'en'] as const) {
      for (const size of [WIDE, NARROW]) {
        await look(language, 'light', size, 'all');
        await look(language, 'dark', size, 'colours');
      }
      const cut = await cutOffOnPaper(page, `${name}.${language}.paper`);
      if (cut.length > 0) found[`${language}.paper`] = cut;
      await switchLanguage(visit, language);
    }
  } else await look('zh-CN', theme, size, rules);
  expect(found).toEqual({});
}

/** Tables of a printed document that have to be scrolled on a phone: the quantity would be out of sight. */
const cutSheetsOn = (page: Page): Promise<string[]> =>
  page
    .locator('.print-table')
    .evaluateAll((tables) =>
      tables
        .filter((table) => table.checkVisibility() && table.scrollWidth > table.clientWidth)
        .map((table) => `cut: ${table.getAttribute('aria-label')}`),
    );

/** The parts of a printed document beyond the edge of an A4 sheet; none of a page that is not printed. */
async function cutOffOnPaper(page: Page, name: string): Promise<string[]> {
  const sheet = page.locator('.print-sheet');
  if ((await sheet.count()) === 0) return [];
  const isLandscape = (await sheet.first().getAttribute('data-landscape')) !== null;
  await page.setViewportSize(isLandscape ? LANDSCAPE : PAPER);
  await page.emulateMedia({ media: 'print' });
  await takeScreenshot(page, name);
  const cut = await overflowOf(page);
  await page.emulateMedia({ media: 'screen' });
  return cut;
}
