import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  happen,
  LOCAL_WEBHOOKS,
  openReceiver,
  type Receiver,
  startWorker,
  type TestWorker,
} from '../../../server/test/harness/index.js';
import { button, type ConsoleWorld, dialog, field, inBrowser, openConsole, said } from '../harness/index.js';

/** So many failures in a row, and the service stops pushing. */
const DISABLED_AFTER = 10;
const PATIENT = { timeout: 60_000 };
const RETRY_MS = 1_000;
const MINUTE_MS = 60_000;
const webhooks = { ...LOCAL_WEBHOOKS, disableAfter: DISABLED_AFTER, retryDelaysMs: [RETRY_MS] };

let world: ConsoleWorld;
let worker: TestWorker;
let receiver: Receiver;
beforeAll(async () => {
  world = await openConsole({ webhooks });
  worker = await startWorker(world.db, { webhooks });
  receiver = await openReceiver();
});
afterAll(async () => {
  await worker.stop();
  await world.close();
  await receiver.close();
});

const ordersChange = (from: number, to: number) =>
  happen(
    world.db,
    world.orgId,
    ...Array.from({ length: to - from }, (_, n) => ({ entity: `ord_${from + n}` })),
  );

describe('watching', () => {
  inBrowser(
    'a webhook is configured, tested, seen delivering, failing, disabled, enabled and made whole',
    120_000,
    async () => {
      const visit = await world.enter('admin');
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

      // Nobody reloads: what is pushed shows up.
      await ordersChange(0, 1);
      const table = page.getByRole('table', { name: 'Deliveries' });
      await table.getByText('Delivered', { exact: true }).waitFor();
      await receiver.expectPushes(2, '/orders');

      receiver.answer = () => 503;
      await ordersChange(1, 1 + DISABLED_AFTER);
      await expect
        .poll(() => table.getByText('Retrying', { exact: true }).count(), PATIENT)
        .toBe(DISABLED_AFTER);
      world.db.clock.advance(RETRY_MS * 2);
      await page.getByText('This webhook is disabled').waitFor();
      await ordersChange(100, 102);
      await table.getByText('Skipped', { exact: true }).first().waitFor();

      receiver.answer = () => 204;
      receiver.received.length = 0;
      await button(page, 'Enable webhook').click();
      await said(page, 'Webhook enabled.');
      await page.getByText('This webhook is disabled').waitFor({ state: 'hidden' });
      await button(page, 'Recover events').click();
      await button(dialog(page), 'Preview events').click();
      await button(dialog(page), `Resend ${DISABLED_AFTER + 2} events`).click();
      await said(page, `${DISABLED_AFTER + 2} events queued for resending.`);
      await receiver.expectPushes(DISABLED_AFTER + 2, '/orders');

      world.db.clock.advance(MINUTE_MS);
      await visit.livesIn(world.db.clock.now());
      await page.reload();
      await button(page, 'Check completeness').click();
      await page.getByText('Complete. Every event in this time range was delivered.').waitFor();
      await visit.leave();
    },
  );

  inBrowser('a certificate that runs out is renewed, and the new one follows on it', 60_000, async () => {
    await world.must('POST', '/v2/certificates', {
      type: 'business_licence',
      subjectType: 'supplier',
      subjectCode: 'SUP-1',
      certificateNo: 'LIC-2024',
      issuer: 'City bureau',
      validFrom: '2024-12-01',
      validTo: '2026-11-30',
    });
    const visit = await world.enter('quality');
    const { page } = visit;
    await visit.go('/certificates');
    const row = page.getByRole('row').filter({ hasText: 'LIC-2024' });
    await row.getByText('Expiring').waitFor();
    await row.getByRole('link', { name: 'LIC-2024' }).click();
    await button(page, 'Renew certificate').click();
    await field(dialog(page), 'Certificate no.').fill('LIC-2026');
    await field(dialog(page), 'Valid to').fill('2028-11-30');
    await dialog(page)
      .locator('input[type=file]')
      .setInputFiles({ name: 'licence.pdf', mimeType: 'application/pdf', buffer: Buffer.from('a licence') });
    await expect
      .poll(() => field(dialog(page), /^Fingerprint/).inputValue(), PATIENT)
      .toMatch(/[0-9a-f]{64}$/);
    await button(dialog(page), 'Renew certificate').click();
    await said(page, 'Certificate renewed: LIC-2026.');
    await page.getByRole('heading', { name: 'LIC-2026', level: 1 }).waitFor();
    const { items } = await world.must<{ items: { certificateNo: string }[] }>(
      'GET',
      '/v2/certificates?subjectCode=SUP-1',
    );
    expect(items.sort((a, b) => a.certificateNo.localeCompare(b.certificateNo))).toMatchObject([
      { certificateNo: 'LIC-2024' },
      { certificateNo: 'LIC-2026', validFrom: '2026-12-01', validTo: '2028-11-30' },
    ]);
    await visit.leave();
  });

  inBrowser(
    'an alert appears by itself, and is acknowledged with what is done about it',
    60_000,
    async () => {
      await world.must('PUT', '/v2/environment/points/COLD-1', {
        name: 'Cold room, door',
        warehouse: 'WH-1',
        temperature: { min: 2, max: 8 },
      });
      const visit = await world.enter('quality');
      const { page } = visit;
      await visit.go('/environment/alerts');
      await page.getByText('No alerts', { exact: true }).waitFor();
      const at = world.db.clock.now().toISOString();
      await world.must('POST', '/v2/environment/readings', {
        readings: [{ pointId: 'COLD-1', at, temperature: 11.5 }],
      });
      await page.getByRole('row').filter({ hasText: 'Cold room, door' }).getByRole('link').click();
      await page.getByRole('heading', { name: 'Temperature: Cold room, door', level: 1 }).waitFor();
      await page.getByText('Not acknowledged').waitFor();
      await button(page, 'Acknowledge alert').click();
      await field(dialog(page), 'Action taken').fill('Door closed, seal ordered');
      await button(dialog(page), 'Acknowledge alert').click();
      await said(page, 'Alert acknowledged.');
      await page.getByText('Door closed, seal ordered').waitFor();
      await page.getByText(visit.email).waitFor();
      expect(await button(page, 'Acknowledge alert').count()).toBe(0);
      await visit.leave();
    },
  );
});
