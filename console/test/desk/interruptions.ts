import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { newPerson } from '../../../server/test/access/people.js';
import { GTIN } from '../../../server/test/harness/index.js';
import {
  button,
  type ConsoleService,
  type ConsoleWorld,
  choose,
  dialog,
  field,
  followMenu,
  hasBrowser,
  inBrowser,
  inFullTier,
  type Looks,
  languageOf,
  link,
  said,
  text,
  title,
  type Visit,
  wordOf,
} from '../harness/index.js';
import { barriersAgainOn, barriersOn, englishOn, overflowOf, takeScreenshot } from '../harness/inspection.js';

const AWAY = 'Lotward cannot be reached. Trying again…';

let world: ConsoleWorld;
let visit: Visit;
let person: Awaited<ReturnType<typeof newPerson>>;
/** The looks of the window, apart from an inspection. */
let usual: Required<Looks>;

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await field(page, 'E-mail').fill(email);
  await page.locator('input[type=password]').fill(password);
  await button(page, 'Sign in').click();
}

/** Looks for barriers and for what does not fit, also on a phone and in the dark. */
async function inspect({ page }: Visit, name: string, barriers = barriersAgainOn): Promise<void> {
  expect([...(await barriers(page)), ...(await overflowOf(page))]).toEqual([]);
  if (languageOf(page) === 'zh-CN') expect(await englishOn(page)).toEqual([]);
  await takeScreenshot(page, name);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await barriersAgainOn(page, 'colours')).toEqual([]);
  expect(await overflowOf(page)).toEqual([]);
  await takeScreenshot(page, `${name}.dark.390`);
  await page.emulateMedia({ colorScheme: usual.theme });
  await page.setViewportSize({ width: usual.width, height: 900 });
}

async function enterOrder({ page }: Visit, orderNo: string): Promise<void> {
  await field(page, 'Order no.').fill(orderNo);
  await choose(page, 'Customer', 'City', 'City hospital · HOSP-1');
  await choose(page, 'Warehouse', 'Main', 'Main · WH-1');
  await choose(page, 'Currency', 'EUR', 'EUR ·');
  await choose(page, 'Product', 'Coronary', `Coronary stent 3.0×18 · ${GTIN}`);
  await field(page, 'Quantity').fill('2');
  await field(page, 'Unit price').fill('120.50');
}

const ordersNamed = async (orderNo: string) =>
  (await world.must<{ items: object[] }>('GET', `/v2/orders?orderNo=${orderNo}`)).items.length;

const testAway = () =>
  inBrowser('a service that is away for a while: the page stays, and goes on by itself', 90_000, async () => {
    const { page } = visit;
    const banner = text(page, AWAY);
    visit.expects(/ERR_INTERNET_DISCONNECTED/);
    visit.expects(/PageNotLoaded|could not be loaded|dynamically imported/);
    await visit.go('/partners');
    await page.context().setOffline(true);
    await banner.waitFor();
    await page.getByText('City hospital').first().waitFor();
    await inspect(visit, 'away');

    // A page that was not opened before cannot be loaded, and opens when it can.
    await followMenu(page, 'Recalls');
    await text(page, 'It opens by itself as soon as Lotward can be reached again.').waitFor();
    await world.must('PUT', '/v2/partners/LATE-1', { name: 'Late arrival', roles: ['customer'] });
    await page.context().setOffline(false);
    await banner.waitFor({ state: 'hidden' });
    await title(page, 'Recalls').waitFor();
    await followMenu(page, 'Partners');
    await page.getByText('Late arrival').first().waitFor();
  });

const testPressedOption = () =>
  inFullTier('an option that is pressed while other results arrive is chosen', 60_000, async () => {
    const { page } = visit;
    await world.must('PUT', '/v2/partners/AAA-1', { name: 'Abbey clinic', roles: ['customer'] });
    await visit.go('/orders/new');
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v2/partners?*name=City*', async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest(/name=City/);
    await field(page, 'Customer').fill('City');
    await asked;
    const option = page.getByRole('option', { name: 'City hospital · HOSP-1' });
    await option.hover();
    await page.mouse.down();
    answer();
    await page.waitForResponse(/name=City/);
    await visit.settle();
    await page.mouse.up();
    await expect.poll(() => field(page, 'Customer').inputValue()).toBe('City hospital · HOSP-1');
    await page.unroute('**/v2/partners?*name=City*');
    // Chosen once more, it stays.
    await choose(page, 'Customer', 'City', 'City hospital · HOSP-1');
    await field(page, 'Order no.').focus();
    expect(await field(page, 'Customer').inputValue()).toBe('City hospital · HOSP-1');
  });

const testUnanswered = () =>
  inBrowser(
    'a write that nobody answers: the form stays, and sent again it takes effect once',
    90_000,
    async () => {
      const { page } = visit;
      visit.expects(/^502 |ERR_CONNECTION_FAILED/);
      await visit.go('/orders/new');
      await enterOrder(visit, 'SO-AWAY');
      // The order is created; its answer is lost.
      await page.route('**/v2/orders', async (route) => {
        await route.fetch();
        await route.abort('connectionfailed');
      });
      await page.route('**/readyz', (route) => route.fulfill({ status: 502 }));
      await button(page, 'Create order').click();
      await page.getByText('Could not create order').waitFor();
      await page.getByText(AWAY).waitFor();
      expect(await field(page, 'Order no.').inputValue()).toBe('SO-AWAY');
      await inspect(visit, 'away-write');
      await page.unroute('**/v2/orders');
      await page.unroute('**/readyz');
      await button(page, 'Try again').click();
      await said(page, 'Order SO-AWAY created.');
      await page.getByText(AWAY).waitFor({ state: 'hidden' });
      expect(await ordersNamed('SO-AWAY')).toBe(1);
    },
  );

const testSessionOver = () =>
  inBrowser(
    'a session that ends: the person signs in over the page, and their write is sent',
    90_000,
    async () => {
      const { page } = visit;
      visit.expects(/^401 /);
      await visit.go('/orders/new');
      await enterOrder(visit, 'SO-OVER');
      await page.context().clearCookies();
      await button(page, 'Create order').click();
      const over = page.getByRole('dialog', { name: wordOf(page, 'Your session has ended') });
      await over.waitFor();
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('type')))
        .toBe('password');
      expect(await field(page, 'E-mail').inputValue()).toBe(person.email);
      await inspect(visit, 'session-over', barriersOn);
      await page.keyboard.press('Escape');
      await page.keyboard.type('not the password at all');
      await page.keyboard.press('Enter');
      await over.getByText(/^(Wrong e-mail or password\.|邮箱或密码不正确。)$/).waitFor();
      await signIn(page, person);
      await said(page, 'Order SO-OVER created.');
      await over.waitFor({ state: 'hidden' });
      await page.getByRole('heading', { name: /SO-OVER/, level: 1 }).waitFor();
      expect(await ordersNamed('SO-OVER')).toBe(1);
    },
  );

const testBulkSessionOver = () =>
  inFullTier('a session that ends amid many writes: each is sent after signing in', 90_000, async () => {
    const { page } = visit;
    visit.expects(/^401 POST \/v2\/orders\/.*approve$/);
    const stock = { productCode: GTIN, warehouse: 'WH-1', batchNo: 'MANY', expiryDate: '2031-01-01' };
    await world.must('POST', '/v2/stock/adjustments', { ...stock, quantityDelta: 2, reason: 'opening' });
    for (const orderNo of ['SO-MANY-1', 'SO-MANY-2'])
      await world.must('POST', '/v2/orders', {
        ...{ orderNo, customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR' },
        lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1' }],
      });
    await visit.go('/orders?q=so-many');
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await button(page, 'Approve order (2)').click();
    await page.context().clearCookies();
    await button(dialog(page), 'Approve order (2)').click();
    const over = page.getByRole('dialog', { name: wordOf(page, 'Your session has ended') });
    await over.waitFor();
    await signIn(page, person);
    await over.waitFor({ state: 'hidden' });
    await dialog(page).getByText('All 2 done').waitFor();
    await button(dialog(page), 'Close').last().click();
  });

const testOtherPerson = () =>
  inBrowser(
    'a session that ends: nothing of it is shown to another person who signs in',
    90_000,
    async () => {
      const { page } = visit;
      const other = await newPerson(world.db, world.org, 'sales');
      await visit.go('/orders/new');
      await enterOrder(visit, 'SO-MINE');
      await page.context().clearCookies();
      await page.evaluate(() => {
        Object.assign(window, { isSamePage: true });
      });
      await button(page, 'Create order').click();
      await dialog(page).waitFor();
      await signIn(page, other);
      await page.waitForFunction(() => !('isSamePage' in window), undefined, { polling: 200 });
      await field(page, 'Order no.').waitFor();
      expect(await field(page, 'Order no.').inputValue()).toBe('');
      expect(await page.getByText('Draft restored').count()).toBe(0);
      expect(await ordersNamed('SO-MINE')).toBe(0);
      await button(page, 'Your account').click();
      await page.getByText(other.email).waitFor();
      await page.keyboard.press('Escape');
    },
  );

const testErrors = () =>
  inBrowser(
    'an address without a page, and a page without the right to it: the menu leads on',
    90_000,
    async () => {
      const { page } = visit;
      await visit.go('/no-such/page');
      await text(page, 'Page not found').waitFor();
      await followMenu(page, 'Partners');
      await title(page, 'Partners').waitFor();
      await visit.go('/no-such/page');
      await text(page, 'Page not found').waitFor();
      await inspect(visit, 'not-found');
      await visit.go('/settings/users');
      await page
        .getByText(
          /You need the permission “.*” \(settings:read\). An administrator of .* can grant it|（settings:read）/,
        )
        .waitFor();
      await inspect(visit, 'not-allowed');
      await link(page, 'Go to overview').click();
      await title(page, 'Overview').waitFor();
    },
  );

function arriveAndSignIn(service: () => ConsoleService, looks: Required<Looks>): void {
  beforeAll(async () => {
    world = await service().beside();
    if (!hasBrowser) return;
    person = await newPerson(world.db, world.org, 'sales');
    visit = await world.arrive(looks);
    usual = looks;
    // The pickers ask for codes, too, when this machine is slow between typing and choosing.
    visit.expects(/^404 GET \/v2\/(partners|products)\//);
    await visit.go('/');
    await signIn(visit.page, person);
    await title(visit.page, 'Overview').waitFor();
  });
  afterAll(() => visit?.leave());
}

/** The interruptions that every page can meet, in other looks. */
export const testInterruptionsIn = (service: () => ConsoleService, looks: Required<Looks>) =>
  describe('work goes on after', () => {
    arriveAndSignIn(service, looks);
    testAway();
    testSessionOver();
    testErrors();
  });

export const testInterruptions = (service: () => ConsoleService) =>
  describe('work goes on after', () => {
    arriveAndSignIn(service, { language: 'en', theme: 'light', width: 1280 });
    testAway();
    testPressedOption();
    testUnanswered();
    testSessionOver();
    testBulkSessionOver();
    testOtherPerson();
    testErrors();
  });
