import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  button,
  type ConsoleService,
  type ConsoleWorld,
  control,
  expectSound,
  field,
  hasBrowser,
  inBrowser,
  type Looks,
  text,
  title,
  type Visit,
} from '../harness/index.js';

let world: ConsoleWorld;
let visit: Visit;

const testPlayground = () =>
  inBrowser('an operation is called with a key, and shown as code', 60_000, async () => {
    const { page } = visit;
    const { apiKey } = await world.org.newKey();
    await visit.go('/developers/playground');
    await field(page, 'API key').fill(apiKey);
    await button(page, 'Send request').click();
    await text(page.getByRole('heading'), 'Response').first().waitFor();
    await page.getByText('200', { exact: true }).waitFor();
    await page.getByText('Coronary stent 3.0×18').first().waitFor();
    const program = page.getByText(/curl .*\/v2\/products/s).first();
    await program.waitFor();
    // A program that is copied to a colleague has no key in it.
    expect(await page.getByRole('main').innerText()).not.toContain(apiKey);
    await expectSound(visit, 'playground');
    visit.expects(/^401 GET \/v2\/products$/);
    await field(page, 'API key').fill('lw_wrong');
    await button(page, 'Send request').click();
    await page.getByText('401', { exact: true }).waitFor();
  });

const testCatalogue = () =>
  inBrowser('an event is looked up with its fields and a sample', 60_000, async () => {
    const { page } = visit;
    await visit.go('/developers/events');
    await page.getByRole('button', { name: /order\.status_changed/ }).click();
    const table = page.getByRole('table', { name: 'order.status_changed' });
    await table
      .getByText(/orderNo$/)
      .first()
      .waitFor();
    await text(page, 'Sample', { exact: true }).first().waitFor();
    await expectSound(visit, 'event-catalogue');
  });

const testHub = () =>
  inBrowser('the hub shows the deliveries of a webhook by hour', 60_000, async () => {
    const { page } = visit;
    await world.must('POST', '/v2/webhooks', {
      ...{ callbackUrl: 'https://partner.example/hooks', eventTypes: ['order.status_changed'] },
    });
    await visit.go('/developers');
    await title(page, 'Developer hub').waitFor();
    await page.getByRole('main').getByRole('img').first().waitFor();
    await expectSound(visit, 'developers');
  });

const testPreferences = () =>
  inBrowser('preferences hold after a reload, in a browser that kept nothing', 60_000, async () => {
    const { page } = visit;
    await visit.go('/account');
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await text(page, 'Compact', { exact: true }).click();
    await saved;
    await page.evaluate(() => localStorage.clear());
    await visit.load('/account');
    expect(await control(page, 'radio', 'Compact').isChecked()).toBe(true);
    await expectSound(visit, 'preferences');
  });

/** The developers' corner and the person's own page, in these looks. */
export const testDevelopersIn = (service: () => ConsoleService, looks: Looks) =>
  describe('developers', () => {
    beforeAll(async () => {
      world = await service().beside();
      if (hasBrowser) visit = await world.enter('admin', looks);
    });
    afterAll(() => visit?.leave());
    testPlayground();
    testCatalogue();
    testHub();
    testPreferences();
  });
