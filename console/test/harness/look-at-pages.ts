import { afterAll, beforeAll, describe, expect } from 'vitest';
import { fullTier } from '../../../server/test/harness/index.js';
import type { Language } from '../../src/app/language.js';
import { LANGUAGE_NAMES, shellWords } from '../../src/app/shell-words.js';
import { allPages } from '../../src/features/index.js';
import { button } from './acting.js';
import { type Area, areaOf, areas } from './furnish.js';
import { barriersOn, englishOn, overflowOf, takeScreenshot } from './inspection.js';
import type { Visit } from './visit.js';
import { hasBrowser, inBrowser } from './world.js';

type Theme = 'light' | 'dark';
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const PAGE_MS = 60_000;
/** Colours are all that a theme changes. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
const NOTHING: readonly string[] = [];

/** Usually a page is looked at in one of these, in turn. */
const TURNS = [
  { theme: 'light', size: WIDE },
  { theme: 'dark', size: NARROW },
  { theme: 'dark', size: WIDE },
  { theme: 'light', size: NARROW },
] as const;
let looked = 0;

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
export async function inspect(visit: Visit, path: string): Promise<void> {
  const { page } = visit;
  const found: Record<string, string[]> = {};
  const name = path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'overview';
  const look = async (language: Language, theme: Theme, size: typeof WIDE, rules?: readonly string[]) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(size);
    await visit.settle();
    const looks = `${language}.${theme}.${size.width}`;
    await takeScreenshot(page, `${name}.${looks}`);
    const wrong = [...(await barriersOn(page, rules)), ...(await overflowOf(page))];
    if (language === 'zh-CN') wrong.push(...(await englishOn(page)).map((text) => `English: ${text}`));
    if (wrong.length > 0) found[looks] = wrong;
  };
  if (fullTier) {
    await look('zh-CN', 'light', WIDE);
    await look('zh-CN', 'dark', WIDE, COLOURS);
    await look('zh-CN', 'light', NARROW, NOTHING);
    await switchLanguage(visit, 'zh-CN');
    await look('en', 'dark', NARROW);
    await look('en', 'dark', WIDE);
    await look('en', 'light', WIDE, COLOURS);
    await switchLanguage(visit, 'en');
  } else {
    const { theme, size } = TURNS[looked++ % TURNS.length] ?? TURNS[0];
    await look('zh-CN', theme, size);
  }
  expect(found).toEqual({});
}

/** The tests of all pages of an area, on one running console. */
export function describePages(area: Area): void {
  let furnished: Awaited<ReturnType<(typeof areas)[Area]>>;
  let visit: Visit;
  beforeAll(async () => {
    if (!hasBrowser) return;
    furnished = await areas[area]();
    visit = await furnished.world.enter('admin', { language: 'zh-CN' }, furnished.orgId);
  });
  afterAll(() => furnished?.world.close());

  describe('without barriers, untranslated words or anything beyond the screen', () => {
    for (const { path } of allPages.filter((page) => areaOf(page.path) === area))
      inBrowser(path, PAGE_MS, async () => {
        const addresses = furnished.addresses[path] ?? [];
        expect(addresses, 'an address to look at').not.toEqual([]);
        for (const address of addresses) {
          await (fullTier ? visit.load(address) : visit.go(address));
          await inspect(visit, address);
        }
      });

    inBrowser('nothing went wrong on any of them', PAGE_MS, async () => {
      visit.expects(/^404 GET \/v2\/products\/|^404 GET \/v2\/udi/);
      await visit.leave();
    });
  });
}
