import { afterAll, beforeAll, describe, expect } from 'vitest';
import { inviteUser } from '../../server/src/access/index.js';
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

async function choose({ page, settle }: Visit, from: Language, to: Language): Promise<void> {
  await button(page, shellWords[from].language).click();
  await page.getByRole('menuitem', { name: LANGUAGE_NAMES[to] }).click();
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  await settle();
}

/** Looks at a page in both languages, in light and dark, wide and narrow; usually in two that differ in all three. */
async function inspect(visit: Visit, path: string): Promise<void> {
  const { page } = visit;
  const found: Record<string, string[]> = {};
  const name = path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'overview';
  const look = async (looks: string, rules?: readonly string[]) => {
    // Colours that are on their way from one theme to the other are neither's.
    await page.evaluate(async () => {
      const changing = document.getAnimations().filter((each) => each instanceof CSSTransition);
      await Promise.allSettled(changing.map(({ finished }) => finished));
    });
    await takeScreenshot(page, `${name}.${looks}`);
    const barriers = await barriersOn(page, rules);
    const wrong = [...barriers, ...(await overflowOf(page))];
    if (looks.startsWith('zh')) wrong.push(...(await englishOn(page)).map((text) => `English: ${text}`));
    if (wrong.length > 0) found[looks] = wrong;
  };
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
  await visit.settle();
  await look('zh.light.1280');
  if (!fullTier) {
    await choose(visit, 'zh-CN', 'en');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(NARROW);
    await visit.settle();
    await look('en.dark.390');
    await choose(visit, 'en', 'zh-CN');
    expect(found).toEqual({});
    return;
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await look('zh.dark.1280', COLOURS);
  await choose(visit, 'zh-CN', 'en');
  await look('en.dark.1280');
  await page.emulateMedia({ colorScheme: 'light' });
  await look('en.light.1280', COLOURS);
  await page.setViewportSize(NARROW);
  await visit.settle();
  await look('en.light.390');
  await choose(visit, 'en', 'zh-CN');
  await look('zh.light.390', NOTHING);
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
