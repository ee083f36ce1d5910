import { afterAll, beforeAll, describe, expect } from 'vitest';
import { codeAt, newPerson } from '../../../server/test/access/people.js';
import { fullTier } from '../../../server/test/harness/index.js';
import {
  button,
  type ConsoleService,
  type ConsoleWorld,
  field,
  hasBrowser,
  inBrowser,
  inFullTier,
  said,
  type Visit,
} from '../harness/index.js';

/** An authenticator app shows a code for so long. */
const CODE_MS = 30_000;

let world: ConsoleWorld;
let visit: Visit;
let email: string;
let password: string;

const testSigningIn = () =>
  inBrowser(
    'an administrator signs in for the first time, sets up the second factor, and comes back with it',
    60_000,
    async () => {
      const { page } = visit;
      visit.expects(/^401 POST \/v2\/session$/);
      const signIn = async (given: string) => {
        await field(page, 'E-mail').fill(email);
        await page.locator('input[type=password]').fill(given);
        await button(page, 'Sign in').click();
      };
      await visit.go('/orders');
      await signIn('not the password at all');
      await page.getByRole('alert').waitFor();
      await signIn(password);

      await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
      await button(page, 'Start setup').click();
      await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
      const secret = (await page.locator('code').textContent()) ?? '';
      await field(page, 'Authentication code').fill(codeAt(secret, world.db.clock.now()));
      await button(page, 'Verify code').click();
      await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
      const [recoveryCode = '', ...others] = await page.locator('code').allTextContents();
      expect(others).toHaveLength(9);
      await button(page, "I've saved them").click();
      // Where one wanted to go, and not somewhere else.
      await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();

      const signOut = async () => {
        // Requests that are under way would be answered without a session.
        await visit.settle();
        await button(page, 'Your account').click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        await page.getByRole('heading', { name: 'Sign in to Lotward' }).waitFor();
      };
      await signOut();
      world.db.clock.advance(CODE_MS);
      await signIn(password);
      await field(page, 'Authentication code').fill(codeAt(secret, world.db.clock.now()));
      await button(page, 'Verify code').click();
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

      if (!fullTier) return;
      await signOut();
      await signIn(password);
      await button(page, 'Use recovery code').click();
      await field(page, 'Recovery code').fill(recoveryCode);
      await button(page, 'Verify code').click();
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    },
  );

const testNewPassword = () =>
  inFullTier('changes their password; the old one no longer signs in', 60_000, async () => {
    const { page } = visit;
    await visit.go('/account');
    const changed = 'eleven kettles on a barge';
    const change = async (current: string) => {
      await field(page, 'Current password').fill(current);
      await field(page, 'New password').fill(changed);
      await button(page, 'Change password').click();
    };
    visit.expects(/^40[0-9] POST \/v2\/session\/password$/);
    await change('not my password at all');
    await page.getByText('Could not change password').waitFor();
    await change(password);
    await said(page, 'Password changed.');
    expect(await field(page, 'New password').inputValue()).toBe('');
    const signIn = (tried: string) => world.api.call('POST', '/v2/session', { email, password: tried });
    expect((await signIn(password)).status).toBe(401);
    expect((await signIn(changed)).status).toBe(200);
  });

export const testPerson = (service: () => ConsoleService) =>
  describe('a person', () => {
    beforeAll(async () => {
      world = await service().beside();
      ({ email, password } = await newPerson(world.db, world.org, 'admin'));
      if (hasBrowser) visit = await world.arrive();
    });
    afterAll(() => visit?.leave());

    testSigningIn();
    testNewPassword();
  });
