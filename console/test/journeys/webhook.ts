import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { revokeKey } from '../../../server/src/credentials/index.js';
import { transact } from '../../../server/src/platform/database/index.js';
import { systemPrincipal } from '../../../server/src/platform/principal.js';
import {
  happen,
  LOCAL_WEBHOOKS,
  openReceiver,
  type Receiver,
  startWorker,
  type TestWorker,
} from '../../../server/test/harness/index.js';
import {
  button,
  type ConsoleWorld,
  dialog,
  field,
  inBrowser,
  inFullTier,
  said,
  type Visit,
} from '../harness/index.js';

/** So many failures in a row, and the service stops pushing. */
const DISABLED_AFTER = 10;
const RETRY_MS = 1_000;
/** The organization's webhooks must be pushed like this. */
export const webhooks = { ...LOCAL_WEBHOOKS, disableAfter: DISABLED_AFTER, retryDelaysMs: [RETRY_MS] };

/** Waits until a text is there so many times, without asking the page over and over. */
async function showsExactly(text: Locator, times: number): Promise<void> {
  await text.nth(times - 1).waitFor();
  expect(await text.count()).toBe(times);
}

type Desk = () => { world: ConsoleWorld; visit: Visit & { email: string } };

const ordersChange = (desk: Desk, from: number, to: number) => {
  const { db, orgId } = desk().world;
  return happen(db, orgId, ...Array.from({ length: to - from }, (_, n) => ({ entity: `ord_${from + n}` })));
};

/** The life of a webhook, as the administrator sees it. */
export function testWebhook(desk: Desk): void {
  let worker: TestWorker;
  let receiver: Receiver;
  beforeAll(async () => {
    worker = await startWorker(desk().world.db, { webhooks });
    receiver = await openReceiver();
  });
  afterAll(async () => {
    await worker?.stop();
    await receiver?.close();
  });

  inBrowser('a webhook is configured, tested and seen delivering', 120_000, async () => {
    const { visit } = desk();
    const { page } = visit;
    await visit.go('/webhooks');
    await button(page, 'Create webhook').click();
    await field(dialog(page), 'Endpoint URL').fill(receiver.url('/orders'));
    await field(dialog(page), 'Description').fill('Hospital ERP');
    await dialog(page)
      .getByRole('checkbox', { name: /^Order status changed|^Order/ })
      .first()
      .check();
    await button(dialog(page), 'Create webhook').click();
    await page.getByText('Signing secret', { exact: true }).waitFor();
    await button(page, "I've saved it").click();
    await page.getByRole('heading', { name: 'Hospital ERP', level: 1 }).waitFor();

    await button(page, 'Send test event').click();
    await button(dialog(page), 'Send event').click();
    await dialog(page).getByText('Event delivered').waitFor();
    await receiver.expectPushes(1, '/orders');
    await button(dialog(page), 'Close').click();
    await dialog(page).waitFor({ state: 'hidden' });

    // Pushes show up without a reload.
    await ordersChange(desk, 0, 1);
    const table = page.getByRole('table', { name: 'Deliveries' });
    await table.getByText('Delivered', { exact: true }).waitFor();
    await receiver.expectPushes(2, '/orders');
  });

  testFailing(desk, () => receiver);
  testAdoption(desk, () => receiver);
}

function testAdoption(desk: Desk, receiver: () => Receiver): void {
  inFullTier('a webhook whose owner ended says so, and sends again once it is adopted', 60_000, async () => {
    const { world, visit } = desk();
    const { page } = visit;
    const { keyId, apiKey } = await world.org.newKey({ name: 'Old ERP' });
    const hook = { callbackUrl: receiver().url('/adopted'), eventTypes: ['order.status_changed'] };
    const { webhookId } = await world.must<{ webhookId: string }>('POST', '/v2/webhooks', hook, apiKey);
    const operator = systemPrincipal(world.orgId, 'operator@test.example');
    await transact(world.db.database, operator, (tx) => revokeKey(tx, keyId));
    await visit.go(`/webhooks/${webhookId}`);
    await page.getByText('because its owner is no longer active: Old ERP (API key)').waitFor();
    await button(page, 'Adopt webhook').click();
    await button(dialog(page), 'Adopt webhook').click();
    await said(page, 'Webhook adopted.');
    await page.getByText('This webhook is disabled').waitFor({ state: 'hidden' });
    expect(await world.must('GET', `/v2/webhooks/${webhookId}`)).toMatchObject({
      status: 'enabled',
      owner: { kind: 'user', name: visit.email },
    });
    receiver().answer = () => 204;
    await happen(world.db, world.orgId, { entity: 'ord_200' });
    await receiver().expectPushes(1, '/adopted');
  });
}

function testFailing(desk: Desk, receiver: () => Receiver): void {
  inFullTier('a webhook that fails is disabled, and enabled and made whole', 120_000, async () => {
    const { world, visit } = desk();
    const { page } = visit;
    const table = page.getByRole('table', { name: 'Deliveries' });
    receiver().answer = () => 503;
    await ordersChange(desk, 1, 1 + DISABLED_AFTER);
    await showsExactly(table.getByText('Retrying', { exact: true }), DISABLED_AFTER);
    world.db.clock.advance(RETRY_MS * 2);
    await page.getByText('This webhook is disabled').waitFor();
    await ordersChange(desk, 100, 102);
    await table.getByText('Skipped', { exact: true }).first().waitFor();

    receiver().answer = () => 204;
    receiver().received.length = 0;
    await button(page, 'Enable webhook').click();
    await said(page, 'Webhook enabled.');
    await page.getByText('This webhook is disabled').waitFor({ state: 'hidden' });
    await button(page, 'Recover events').click();
    await button(dialog(page), 'Preview events').click();
    await button(dialog(page), `Recover ${DISABLED_AFTER + 2} events`).click();
    await said(page, `${DISABLED_AFTER + 2} events queued for recovery.`);
    await receiver().expectPushes(DISABLED_AFTER + 2, '/orders');

    // The first event, those that failed and those that were skipped.
    await showsExactly(table.getByText('Delivered', { exact: true }), DISABLED_AFTER + 3);
    await button(page, 'Check completeness').click();
    await page.getByText('Complete. Every event in this time range was delivered.').waitFor();
    expect(await page.locator('main').innerText()).toMatch(
      new RegExp(`Events\\s+${DISABLED_AFTER + 3}\\s`, 'i'),
    );
  });
}
