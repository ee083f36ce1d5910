import { describe, expect } from 'vitest';
import { newSession } from '../../../server/test/harness/index.js';
import {
  button,
  type ConsoleService,
  type ConsoleWorld,
  dialog,
  field,
  hasBrowser,
  inBrowser,
  inFullTier,
} from '../harness/index.js';
import { FIRST_LOAD_BYTES_MAX, watchWire } from '../harness/wire.mjs';

type Opened = () => Promise<ConsoleWorld>;

/** Things that hold on every page, tried on one. */
export const testCraft = (service: () => ConsoleService) =>
  describe('on every page', () => {
    let world: ConsoleWorld | undefined;
    const opened = async () => {
      world ??= hasBrowser ? await service().beside() : undefined;
      return world as ConsoleWorld;
    };
    testFirstLoad(opened);
    testWays(opened);
    testEntries(opened);
  });

function testFirstLoad(opened: Opened): void {
  inBrowser('the first load is at most 300 kB', 60_000, async () => {
    const { api, arrive, db, orgId } = await opened();
    const { headers } = await newSession(db, orgId, { role: 'admin' });
    const [name = '', value = ''] = headers.cookie.split('=');
    for (const cookies of [[], [{ name, value }]]) {
      const visit = await arrive();
      const { page } = visit;
      const wire = await watchWire(page);
      for (const cookie of cookies) await page.context().addCookies([{ ...cookie, url: api.url }]);
      await visit.load('/');
      await expect.poll(() => wire.open.size).toBe(0);
      const bytes = Object.values(wire.kinds).reduce((sum, each) => sum + each, 0);
      // Fonts and code came over this wire: none of it was counted before, or left out.
      expect(wire.kinds.font).toBeGreaterThan(0);
      expect(wire.kinds.script).toBeGreaterThan(0);
      expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
      await visit.leave();
    }
  });
}

function testWays(opened: Opened): void {
  inFullTier('a page that throws is replaced inside the frame, which leads on', 60_000, async () => {
    const visit = await (await opened()).enter('admin');
    const { page } = visit;
    visit.expects(/^(console|error): /);
    const lists = '**/v2/warehouses?*';
    const data = { items: [null], nextCursor: null };
    await page.route(lists, (route) => route.fulfill({ json: { code: 0, message: 'success', data } }));
    await visit.go('/warehouses');
    const heading = page.getByRole('heading', { level: 1, name: 'Something went wrong on this page' });
    await heading.waitFor();
    expect(await page.getByRole('navigation', { name: 'Main menu' }).isVisible()).toBe(true);
    await page.unroute(lists);
    await page.getByRole('link', { name: 'Go to overview' }).waitFor();
    await page.getByRole('link', { name: 'Products' }).click();
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
    await visit.leave();
  });

  inFullTier('a link announces its page: its heading has the focus', 60_000, async () => {
    const visit = await (await opened()).enter('admin');
    const { page } = visit;
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await visit.load('/orders');
    expect(await focused()).not.toBe('Orders');
    await page.getByRole('link', { name: 'Products' }).click();
    await visit.settle();
    expect(await focused()).toBe('Products');
    await visit.leave();
  });

  inFullTier(
    '? lists the shortcuts, and G with a letter opens a page; a field takes both',
    60_000,
    async () => {
      const visit = await (await opened()).enter('admin');
      const { page } = visit;
      await visit.load('/orders');
      await page.keyboard.press('?');
      await dialog(page).getByText('Go to a page', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'hidden' });
      await page.keyboard.press('g', { delay: 300 });
      await page.keyboard.press('p', { delay: 300 });
      await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor();
      await visit.leave();
    },
  );
}

function testEntries(opened: Opened): void {
  inFullTier('an entry that is missing is named in the language of the console', 60_000, async () => {
    // The browser speaks English, the console Chinese.
    const visit = await (await opened()).enter('admin');
    const { page } = visit;
    await visit.load('/settings/users');
    await button(page, 'Language').click();
    await page.getByRole('menuitem', { name: '简体中文' }).click();
    await button(page, '邀请用户').click();
    await button(dialog(page), '发送邀请').click();
    await page.getByRole('alert').filter({ hasText: '请填写此项。' }).waitFor();
    await field(dialog(page), '邮箱').fill('nobody');
    await button(dialog(page), '发送邀请').click();
    await page.getByRole('alert').filter({ hasText: '请输入邮箱地址' }).waitFor();
    await visit.leave();
  });

  inFullTier('a date is typed or chosen, in the language of the console', 60_000, async () => {
    const visit = await (await opened()).enter('admin', { language: 'zh-CN' });
    const { page } = visit;
    await visit.load('/orders/new');
    const date = field(page, '要求到货日期');
    await date.fill('2026/3/5');
    await date.blur();
    expect(await date.inputValue()).toBe('2026-03-05');
    await button(page, '打开日历').click();
    await page.getByText('2026年3月', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^20 三月 2026/ }).click();
    expect(await date.inputValue()).toBe('2026-03-20');
    await visit.leave();
  });

  inFullTier('preferences follow the person to another browser', 60_000, async () => {
    const { enter } = await opened();
    const visit = await enter('admin');
    const { page } = visit;
    await visit.load('/account');
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.getByText('Compact', { exact: true }).click();
    await saved;
    const [cookie] = await page.context().cookies();
    await page.evaluate(() => localStorage.clear());
    expect(cookie).toBeDefined();
    await visit.load('/account');
    expect(await page.getByRole('radio', { name: 'Compact' }).isChecked()).toBe(true);
    await visit.leave();
  });
}
