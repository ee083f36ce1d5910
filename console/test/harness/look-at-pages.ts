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
/** The language a visit is in; it stays as it was chosen. */
const spoken = new Map<Visit, Language>();

async function switchLanguage(visit: Visit): Promise<Language> {
  const from = spoken.get(visit) ?? 'zh-CN';
  const to = from === 'en' ? 'zh-CN' : 'en';
  await button(visit.page, shellWords[from].language).click();
  await visit.page.getByRole('menuitem', { name: LANGUAGE_NAMES[to] }).click();
  await visit.page.getByRole('menu').waitFor({ state: 'hidden' });
  await visit.settle();
  spoken.set(visit, to);
  return to;
}

/** Looks at a page in both languages, in light and dark, wide and narrow; usually in two that differ in all three. */
export async function inspect(visit: Visit, path: string): Promise<void> {
  const { page } = visit;
  const found: Record<string, string[]> = {};
  const name = path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'overview';
  const show = async (theme: Theme, size: typeof WIDE) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(size);
    await visit.settle();
  };
  const look = async (looks: string, rules?: readonly string[]) => {
    const language = spoken.get(visit) ?? 'zh-CN';
    await takeScreenshot(page, `${name}.${language}.${looks}`);
    const wrong = [...(await barriersOn(page, rules)), ...(await overflowOf(page))];
    if (language === 'zh-CN') wrong.push(...(await englishOn(page)).map((text) => `English: ${text}`));
    if (wrong.length > 0) found[`${language}.${looks}`] = wrong;
  };
  await show('light', WIDE);
  await look('light.1280');
  if (fullTier) {
    await show('dark', WIDE);
    await look('dark.1280', COLOURS);
    await show('light', NARROW);
    await look('light.390', NOTHING);
  }
  await switchLanguage(visit);
  await show('dark', NARROW);
  await look('dark.390');
  if (fullTier) {
    await show('dark', WIDE);
    await look('dark.1280');
    await show('light', WIDE);
    await look('light.1280', COLOURS);
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

  describe('in both languages and themes, without barriers and within the screen', () => {
    for (const { path } of allPages.filter((page) => areaOf(page.path) === area))
      inBrowser(path, PAGE_MS, async () => {
        const addresses = furnished.addresses[path] ?? [];
        expect(addresses, 'an address to look at').not.toEqual([]);
        for (const address of addresses) {
          await visit.go(address);
          await inspect(visit, address);
        }
      });

    inBrowser('nothing went wrong on any of them', PAGE_MS, async () => {
      visit.expects(/^404 GET \/v2\/products\/|^404 GET \/v2\/udi/);
      await visit.leave();
    });
  });
}
