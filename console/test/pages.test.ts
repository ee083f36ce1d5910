import { afterAll, beforeAll, describe, expect } from 'vitest';
import { inviteUser } from '../../server/src/people/index.js';
import { transact } from '../../server/src/platform/database/index.js';
import { systemPrincipal } from '../../server/src/platform/principal.js';
import { openMailbox, tokenIn } from '../../server/test/access/people.js';
import { fullTier, LOCAL_WEBHOOKS } from '../../server/test/harness/index.js';
import type { Language } from '../src/app/language.js';
import { LANGUAGE_NAMES, shellWords } from '../src/app/shell-words.js';
import { allPages } from '../src/features/index.js';
import { furnish } from './harness/furnish.js';
import {
  button,
  type ConsoleWorld,
  hasBrowser,
  inBrowser,
  openConsole,
  type Visit,
} from './harness/index.js';
import { barriersOn, englishOn, overflowOf, takeScreenshot } from './harness/inspection.js';

type Theme = 'light' | 'dark';
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const PAGE_MS = 60_000;
/** Colours are all that a theme changes. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
const NOTHING: readonly string[] = [];
const CONSOLE = 'https://lotward.example';
const INVITED = 'new@acme.example';

let world: ConsoleWorld;
let furnished: Awaited<ReturnType<typeof furnish>>;
let inside: Visit;
let outside: Visit;
beforeAll(async () => {
  world = await openConsole({ webhooks: LOCAL_WEBHOOKS });
  if (!hasBrowser) return;
  furnished = await furnish(world);
  inside = await world.enter('admin', { language: 'zh-CN' }, furnished.orgId);
  outside = await world.arrive({ language: 'zh-CN' });
}, 120_000);
afterAll(() => world.close());

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
async function inspect(visit: Visit, path: string): Promise<void> {
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

describe('in both languages and themes, without barriers and within the screen', () => {
  for (const { path } of allPages)
    inBrowser(path, PAGE_MS, async () => {
      const addresses = furnished.addresses[path] ?? [];
      expect(addresses, 'an address to look at').not.toEqual([]);
      for (const address of addresses) {
        await inside.go(address);
        await inspect(inside, address);
      }
    });

  inBrowser('nothing went wrong on any of them', PAGE_MS, async () => {
    inside.expects(/^404 GET \/v2\/products\/|^404 GET \/v2\/udi/);
    await inside.leave();
  });

  inBrowser('signing in, an invitation, a new password', PAGE_MS, async () => {
    const mailbox = await openMailbox(world.db);
    const principal = systemPrincipal(world.orgId, 'operator@test.example');
    const mailing = { box: world.db.database.box, url: () => CONSOLE };
    await transact(world.db.database, principal, (tx) =>
      inviteUser(tx, { email: INVITED, role: 'viewer' }, mailing),
    );
    const mail = (await mailbox.fetch()).find(({ to }) => to.includes(INVITED));
    await mailbox.close();
    for (const path of ['/', '/password-reset', '/invitation', `/invitation#${tokenIn(mail?.text ?? '')}`]) {
      await outside.page.goto('about:blank');
      await outside.go(path);
      await inspect(outside, path === '/' ? '/sign-in' : path.replace(/#.*/, '/invited'));
    }
    await outside.page.getByText(INVITED).waitFor();
    expect(new URL(outside.page.url()).hash).toBe('');
    await outside.leave();
  });
});
