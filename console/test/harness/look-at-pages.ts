import { expect } from 'vitest';
import { fullTier } from '../../../server/test/harness/index.js';
import type { Language } from '../../src/app/language.js';
import { LANGUAGE_NAMES, shellWords } from '../../src/app/shell-words.js';
import { button } from './acting.js';
import { barriersOn, englishOn, namelessOn, overflowOf, type Rules, takeScreenshot } from './inspection.js';
import type { Visit } from './visit.js';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

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
  await visit.settle();
}

/**
 * Looks at a page. Usually once, in Chinese, because that also shows what was not translated; in the full tier in both
 * languages, in light and dark, wide and narrow.
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
    ];
    if (language === 'zh-CN') wrong.push(...(await englishOn(page)).map((text) => `English: ${text}`));
    if (wrong.length > 0) found[looks] = wrong;
  };
  if (fullTier) {
    await look('zh-CN', 'light', WIDE, 'all');
    await look('zh-CN', 'dark', WIDE, 'colours');
    await look('zh-CN', 'light', NARROW, 'none');
    await switchLanguage(visit, 'zh-CN');
    await look('en', 'dark', NARROW, 'all');
    await look('en', 'dark', WIDE, 'all');
    await look('en', 'light', WIDE, 'colours');
    await switchLanguage(visit, 'en');
  } else await look('zh-CN', theme, size, rules);
  expect(found).toEqual({});
}
