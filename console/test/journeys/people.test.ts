import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createUser, hashNewPassword } from '../../../server/src/people/index.js';
import { transact } from '../../../server/src/platform/database/index.js';
import { systemPrincipal } from '../../../server/src/platform/principal.js';
import { codeAt } from '../../../server/test/access/people.js';
import { button, type ConsoleWorld, dialog, field, inBrowser, openConsole, said } from '../harness/index.js';

const PASSWORD = 'seven lorries in the rain';
const PERIOD_MS = 30_000;

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsole();
});
afterAll(() => world.close());

async function newAdministrator(email: string): Promise<void> {
  const passwordHash = await hashNewPassword(PASSWORD, { email, organization: 'Acme' });
  await transact(world.db.database, systemPrincipal(world.orgId, 'operator@test.example'), (tx) =>
    createUser(tx, { email, role: 'admin', passwordHash }),
  );
}

const codeOf = (secret: string): string => codeAt(secret, world.db.clock.now());

describe('a person', () => {
  inBrowser(
    'an administrator signs in for the first time, sets up the second factor, and comes back with it',
    60_000,
    async () => {
      const email = 'ada@acme.example';
      await newAdministrator(email);
      const visit = await world.arrive();
      const { page } = visit;
      visit.expects(/^401 POST \/v2\/session$/);
      const signIn = async (password: string) => {
        await field(page, 'E-mail').fill(email);
        await page.locator('input[type=password]').fill(password);
        await button(page, 'Sign in').click();
      };
      await visit.go('/orders');
      await signIn('not the password at all');
      await page.getByRole('alert').waitFor();
      await signIn(PASSWORD);

      await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
      await button(page, 'Start setup').click();
      await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
      const secret = (await page.locator('code').textContent()) ?? '';
      await field(page, 'Authentication code').fill(codeOf(secret));
      await button(page, 'Verify code').click();
      await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
      const [recoveryCode = '', ...others] = await page.locator('code').allTextContents();
      expect(others).toHaveLength(9);
      await button(page, "I've saved them").click();
      // Where one wanted to go, and not somewhere else.
      await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();

      const signOut = async () => {
        await button(page, 'Your account').click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        await page.getByRole('heading', { name: 'Sign in to Lotward' }).waitFor();
      };
      await signOut();
      world.db.clock.advance(PERIOD_MS);
      await signIn(PASSWORD);
      await field(page, 'Authentication code').fill(codeOf(secret));
      await button(page, 'Verify code').click();
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

      await signOut();
      await signIn(PASSWORD);
      await button(page, 'Use recovery code').click();
      await field(page, 'Recovery code').fill(recoveryCode);
      await button(page, 'Verify code').click();
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await visit.leave();
    },
  );

  inBrowser(
    'an administrator creates a key that is shown once, and the API is called with it',
    60_000,
    async () => {
      const visit = await world.enter('admin');
      const { page } = visit;
      await visit.go('/');
      await page.getByRole('link', { name: 'API management' }).click();
      await button(page, 'Create key').click();
      await field(dialog(page), 'Name').fill('Order sync');
      await dialog(page).getByRole('checkbox', { name: 'All Products and partners scopes' }).check();
      await button(dialog(page), 'Create key').click();
      await page.getByText('Save the secret').waitFor();
      const [apiKey = ''] = await dialog(page).locator('code').allTextContents();

      const products = await world.api.call<{ items: object[] }>('GET', '/v2/products', undefined, apiKey);
      expect(products.data.items).toHaveLength(3);
      expect(await world.api.call('GET', '/v2/orders', undefined, apiKey)).toMatchObject({ status: 403 });

      await button(page, "I've saved it").click();
      await dialog(page).waitFor({ state: 'hidden' });
      expect(await page.content()).not.toContain(apiKey);
      await page.getByRole('link', { name: 'Order sync' }).click();
      await button(page, 'Revoke key').click();
      await button(dialog(page), 'Revoke key').click();
      await said(page, 'Credential revoked.');
      await expect
        .poll(() => world.api.call('GET', '/v2/products', undefined, apiKey), { timeout: 60_000 })
        .toMatchObject({ status: 401 });
      await visit.leave();
    },
  );

  inBrowser(
    'a person who chooses Chinese reads Chinese everywhere, also after coming back',
    60_000,
    async () => {
      const visit = await world.enter('admin');
      const { page } = visit;
      await visit.go('/');
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await button(page, 'Language').click();
      await page.getByRole('menuitem', { name: '简体中文' }).click();
      await page.getByRole('heading', { name: '概览', level: 1 }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
      for (const [path, heading] of [
        ['/products', '产品'],
        ['/orders', '销售订单'],
        ['/certificates', '资质证照'],
        ['/settings/api', 'API 管理'],
      ] as const) {
        await visit.go(path);
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
        const menu = await page.getByRole('navigation').innerText();
        expect(menu.replace(/API|UDI|Webhook/g, '')).not.toMatch(/[A-Za-z]/);
      }
      await page.reload();
      await page.getByRole('heading', { name: 'API 管理', level: 1 }).waitFor();
      await button(page, '语言').click();
      await page.getByRole('menuitem', { name: 'English' }).click();
      await page.getByRole('heading', { name: 'API management', level: 1 }).waitFor();
      await visit.leave();
    },
  );
});
