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
/** Languages and widths change names and texts, too, and which parts are hidden or scroll. */
const LOOKS = [
  ...COLOURS,
  ...['html-has-lang', 'html-lang-valid', 'valid-lang', 'document-title', 'label-content-name-mismatch'],
  ...['button-name', 'link-name', 'label', 'select-name', 'image-alt', 'role-img-alt', 'svg-img-alt'],
  ...['aria-command-name', 'aria-dialog-name', 'aria-input-field-name', 'aria-toggle-field-name'],
  ...['aria-hidden-focus', 'aria-valid-attr-value', 'scrollable-region-focusable'],
];
const NOTHING: readonly string[] = [];

/** How a visit sees the console; it stays so from page to page. */
interface Sight {
  language: Language;
  theme: Theme;
  size: typeof WIDE;
}
const sights = new Map<Visit, Sight>();

async function switchLanguage(visit: Visit, from: Language): Promise<Language> {
  const to = from === 'en' ? 'zh-CN' : 'en';
  await button(visit.page, shellWords[from].language).click();
  await visit.page.getByRole('menuitem', { name: LANGUAGE_NAMES[to] }).click();
  await visit.page.getByRole('menu').waitFor({ state: 'hidden' });
  await visit.settle();
  return to;
}

/**
 * Looks at a page in both languages, in light and dark, wide and narrow. Usually in two that differ in all three: first
 * as the page before was left, with all rules, then the other way, with those that this can change.
 */
export async function inspect(visit: Visit, path: string, begun: Language = 'zh-CN'): Promise<void> {
  const { page } = visit;
  const found: Record<string, string[]> = {};
  const name = path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'overview';
  const sight = sights.get(visit) ?? { language: begun, theme: 'light', size: WIDE };
  sights.set(visit, sight);
  const show = async (theme: Theme, size: typeof WIDE) => {
    Object.assign(sight, { theme, size });
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(size);
    await visit.settle();
  };
  const look = async (rules?: readonly string[]) => {
    const { language, theme, size } = sight;
    const looks = `${language}.${theme}.${size.width}`;
    await takeScreenshot(page, `${name}.${looks}`);
    const wrong = [...(await barriersOn(page, rules)), ...(await overflowOf(page))];
    if (language === 'zh-CN') wrong.push(...(await englishOn(page)).map((text) => `English: ${text}`));
    if (wrong.length > 0) found[looks] = wrong;
  };
  const changeLanguage = async () => {
    sight.language = await switchLanguage(visit, sight.language);
  };
  if (fullTier) {
    await show('light', WIDE);
    await look();
    await show('dark', WIDE);
    await look(COLOURS);
    await show('light', NARROW);
    await look(NOTHING);
    await changeLanguage();
    await show('dark', NARROW);
    await look();
    await show('dark', WIDE);
    await look();
    await show('light', WIDE);
    await look(COLOURS);
  } else {
    await look();
    await changeLanguage();
    await (sight.theme === 'light' ? show('dark', NARROW) : show('light', WIDE));
    await look(LOOKS);
  }
  expect(found).toEqual({});
}

/** Each area begins in one of the languages, so that both are seen wide and narrow, light and dark. */
const BEGUN_IN: Record<Area, Language> = { goods: 'zh-CN', trade: 'en', quality: 'zh-CN', system: 'en' };

/** The tests of all pages of an area, on one running console. */
export function describePages(area: Area): void {
  let furnished: Awaited<ReturnType<(typeof areas)[Area]>>;
  let visit: Visit;
  beforeAll(async () => {
    if (!hasBrowser) return;
    furnished = await areas[area]();
    visit = await furnished.world.enter('admin', { language: BEGUN_IN[area] }, furnished.orgId);
  });
  afterAll(() => furnished?.world.close());

  describe('in both languages and themes, without barriers and within the screen', () => {
    for (const { path } of allPages.filter((page) => areaOf(page.path) === area))
      inBrowser(path, PAGE_MS, async () => {
        const addresses = furnished.addresses[path] ?? [];
        expect(addresses, 'an address to look at').not.toEqual([]);
        for (const address of addresses) {
          await (fullTier ? visit.load(address) : visit.go(address));
          await inspect(visit, address, BEGUN_IN[area]);
        }
      });

    inBrowser('nothing went wrong on any of them', PAGE_MS, async () => {
      visit.expects(/^404 GET \/v2\/products\/|^404 GET \/v2\/udi/);
      await visit.leave();
    });
  });
}
