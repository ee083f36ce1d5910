import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openPushWorld, type PushWorld, type Subscriber } from '../../test/harness/index.js';
import { createUser } from '../people/index.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';

const MINUTE = 60_000;

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
});
afterAll(async () => {
  expect(world?.worker.complaints).toEqual([]);
  await world?.close();
});

let orders = 0;
const newOrders = (count: number) => Array.from({ length: count }, () => ({ entity: `ord_${++orders}` }));

const polled = { timeout: 60_000, interval: 40 };

/** So many more pushes that fail for good, each after all its retries; `meanwhile` comes before the last of these. */
async function failPushes(hook: Subscriber, count: number, meanwhile?: () => Promise<void>): Promise<void> {
  const known = new Set((await hook.log()).map((delivery) => delivery.eventId));
  hook.answer(500);
  await hook.happen(...newOrders(count));
  const own = (await hook.log()).map((d) => d.eventId).filter((id) => !known.has(id));
  expect(own).toHaveLength(count);
  for (let attempt = 1; attempt <= 4; attempt++) {
    const made = async () =>
      (await hook.log()).filter((d) => own.includes(d.eventId) && d.attempts.length === attempt).length;
    await expect.poll(made, polled).toBe(count);
    if (attempt === 4) break;
    world.clock.advance(15 * MINUTE - 1);
    if (attempt === 3) await meanwhile?.();
    world.clock.advance(1);
  }
}

const mailsAbout = async (hook: Subscriber) =>
  (await world.worker.mails())
    .map((mail) => mail.replaceAll('=\r\n', '').replaceAll('=3D', '='))
    .filter((mail) => mail.includes(hook.webhookId));

describe('ten failed pushes in a row', () => {
  it('disable the webhook and notify the administrators once: what failed, since when, what to do', async () => {
    const org = await newOrganization(world.db);
    const { orgId } = org.organization;
    await transact(world.db.database, systemPrincipal(orgId, 'operator@test.example'), async (tx) => {
      await createUser(tx, { email: 'ann@acme.example', role: 'admin' });
      await createUser(tx, { email: 'bob@acme.example', role: 'admin' });
      await createUser(tx, { email: 'quinn@acme.example', role: 'quality' });
    });
    const hook = await world.subscribe({ org });
    const missedSince = world.clock.now().toISOString();
    await failPushes(hook, 9);
    const failingSince = world.clock.now().toISOString();
    expect(await hook.read()).toMatchObject({ status: 'enabled', consecutiveFailures: 9, failingSince });
    expect(await mailsAbout(hook)).toEqual([]);
    await failPushes(hook, 1);
    const disabledAt = world.clock.now().toISOString();
    expect(await hook.read()).toMatchObject({
      status: 'disabled',
      disabledReason: 'consecutive_failures',
      disabledAt,
      updatedAt: disabledAt,
      consecutiveFailures: 10,
      failingSince,
    });
    await expect.poll(async () => (await mailsAbout(hook)).length, polled).toBe(1);
    await world.worker.looked();
    const [mail = '', ...more] = await mailsAbout(hook);
    expect(more).toEqual([]);
    const recipients = /^To: (.*)\r$/m.exec(mail)?.[1]?.split(', ');
    expect(recipients?.sort()).toEqual(['ann@acme.example', 'bob@acme.example']);
    expect(mail).toMatch(/^Subject: Webhook disabled/m);
    const { callbackUrl } = await hook.read();
    for (const said of [
      callbackUrl,
      missedSince,
      disabledAt,
      `${hook.webhookId}/enable`,
      '/recover',
      '/test',
    ])
      expect(mail).toContain(said);
    const [entry] = await world.db.sql<{ actor: string; reason: string }>(
      `select actor, reason from audit_entries where org_id = $1 and action = 'webhook.disable'`,
      [orgId],
    );
    expect(entry).toMatchObject({ actor: 'webhooks@lotward.invalid', reason: expect.stringContaining('10') });
  });

  it('report the oldest missed event, and a recovery since then sends all missed events', async () => {
    const org = await newOrganization(world.db);
    const hook = await world.subscribe({ org });
    hook.answer(200);
    await hook.happen(...newOrders(2));
    await hook.expectPushes(2);
    expect((await hook.read()).missedSince).toBeNull();
    world.clock.advance(MINUTE);
    const missedSince = world.clock.now().toISOString();
    // Ten fail for good; three wait for a retry when the tenth does; ten more happen after it was disabled.
    await failPushes(hook, 10, () => hook.happen(...newOrders(3)));
    await expect.poll(async () => (await hook.read()).status, polled).toBe('disabled');
    world.clock.advance(MINUTE);
    await hook.happen(...newOrders(10));
    expect(await hook.read()).toMatchObject({ status: 'disabled', missedSince });
    const list = await world.api.call<{ items: object[] }>('GET', '/v2/webhooks', undefined, org.key);
    expect(list.data.items).toEqual([expect.objectContaining({ missedSince })]);
    await expect.poll(async () => (await mailsAbout(hook)).length, polled).toBe(1);
    const [mail = ''] = await mailsAbout(hook);
    const printed = /recover {2}(\{.*\})/.exec(mail.replaceAll('\r\n', '\n'))?.[1] ?? '{}';
    expect(JSON.parse(printed)).toEqual({ since: missedSince });
    const dry = await hook.must<{ total: number }>('POST', '/recover', {
      ...JSON.parse(printed),
      dryRun: true,
    });
    expect(dry).toMatchObject({ failed: 10, skipped: 13, total: 23 });
    hook.answer(200);
    await hook.must('POST', '/enable');
    expect(await hook.read()).toMatchObject({ status: 'enabled', missedSince });
    await hook.must('POST', '/recover', JSON.parse(printed));
    await expect.poll(async () => (await hook.completeness()).delivered, polled).toBe(25);
    expect((await hook.read()).missedSince).toBeNull();
  });

  it('report the oldest missed event of a webhook disabled by a user', async () => {
    const hook = await world.subscribe();
    await hook.must('PATCH', '', { status: 'disabled' });
    expect((await hook.read()).missedSince).toBeNull();
    world.clock.advance(MINUTE);
    const missedSince = world.clock.now().toISOString();
    await hook.happen(...newOrders(1));
    expect((await hook.read()).missedSince).toBe(missedSince);
    world.clock.advance(MINUTE);
    await hook.must('POST', '/enable');
    expect((await hook.read()).missedSince).toBe(missedSince);
  });

  it('notify the creator of the webhook if there is no administrator, else the operator', async () => {
    const made = await newOrganization(world.db);
    const robots = await newOrganization(world.db);
    const { apiKey } = await robots.newKey({ owner: 'machine@robots.invalid' });
    const hooks = await Promise.all([
      world.subscribe({ org: made }),
      world.subscribe({ org: robots, key: apiKey }),
    ]);
    for (const hook of hooks) await failPushes(hook, 10);
    for (const [i, to] of [(await hooks[0].read()).createdBy, 'operator@lotward.example'].entries()) {
      const hook = hooks[i] as Subscriber;
      await expect.poll(async () => (await mailsAbout(hook)).length, polled).toBe(1);
      expect((await mailsAbout(hook))[0]).toContain(`\r\nTo: ${to}\r\n`);
    }
  });

  it('notify again when it happens again', async () => {
    const hook = await world.subscribe();
    await failPushes(hook, 10);
    await hook.must('POST', '/enable');
    expect(await hook.read()).toMatchObject({
      status: 'enabled',
      disabledReason: null,
      disabledAt: null,
      consecutiveFailures: 0,
      failingSince: null,
    });
    await failPushes(hook, 9);
    expect(await hook.read()).toMatchObject({ status: 'enabled', consecutiveFailures: 9 });
    await failPushes(hook, 1);
    expect((await hook.read()).status).toBe('disabled');
    await expect.poll(async () => (await mailsAbout(hook)).length, polled).toBe(2);
  });

  it('are not counted across a delivered push', async () => {
    const hook = await world.subscribe();
    await failPushes(hook, 9);
    hook.answer(200);
    await hook.happen(...newOrders(1));
    await expect.poll(async () => (await hook.read()).consecutiveFailures, polled).toBe(0);
    expect((await hook.read()).failingSince).toBeNull();
    await failPushes(hook, 9);
    expect(await hook.read()).toMatchObject({ status: 'enabled', consecutiveFailures: 9 });
  });

  it('do not include tests and redeliveries', async () => {
    const hook = await world.subscribe();
    await failPushes(hook, 9);
    const [newest] = await hook.log();
    hook.answer(500);
    for (let i = 1; i <= 3; i++) {
      expect(await hook.must<object>('POST', '/test')).toMatchObject({ delivered: false, status: 500 });
      await hook.must('POST', `/deliveries/${newest?.deliveryId}/redeliver`);
      const attempts = async () => (await hook.log())[0]?.attempts.length;
      await expect.poll(attempts, polled).toBe(4 + i);
    }
    expect(await hook.read()).toMatchObject({ status: 'enabled', consecutiveFailures: 9 });
    hook.answer(200);
    await hook.must('POST', '/test');
    await hook.must('POST', `/deliveries/${newest?.deliveryId}/redeliver`);
    await expect.poll(async () => (await hook.log())[0]?.status, polled).toBe('delivered');
    expect(await hook.read()).toMatchObject({ status: 'enabled', consecutiveFailures: 9 });
    await failPushes(hook, 1);
    expect((await hook.read()).status).toBe('disabled');
  });
});

describe('once disabled', () => {
  it('pending retries and later events are skipped', async () => {
    const hook = await world.subscribe();
    await failPushes(hook, 10, async () => {
      await hook.happen(...newOrders(2));
      const waiting = async () => (await hook.log('&status=retrying')).filter((d) => d.attempts.length === 1);
      await expect.poll(async () => (await waiting()).length, polled).toBe(2);
    });
    const pushes = hook.pushes().length;
    hook.answer(204);
    await hook.happen(...newOrders(3), { type: 'expiry.warning' });
    await hook.expectStatuses([
      ...Array.from({ length: 10 }, () => 'failed'),
      ...Array.from({ length: 5 }, () => 'skipped'),
    ]);
    world.clock.advance(24 * 60 * MINUTE);
    await world.worker.looked();
    expect(hook.pushes()).toHaveLength(pushes);
    const { missingEventIds, ...counts } = await hook.completeness();
    expect(counts).toEqual({ matched: 15, delivered: 0, pending: 0, failed: 10, skipped: 5 });
    expect(missingEventIds).toEqual((await hook.log()).map((d) => d.eventId).reverse());
  });

  it('by a user, the same holds, immediately and without a mail', async () => {
    const hook = await world.subscribe();
    hook.answer(500);
    await hook.happen(...newOrders(2));
    await hook.expectStatuses(['retrying', 'retrying']);
    expect(await hook.must('PATCH', '', { status: 'disabled' })).toMatchObject({
      status: 'disabled',
      disabledReason: 'manual',
      disabledAt: world.clock.now().toISOString(),
      consecutiveFailures: 0,
    });
    expect((await hook.log()).map(({ status, nextAttemptAt }) => ({ status, nextAttemptAt }))).toEqual([
      { status: 'skipped', nextAttemptAt: null },
      { status: 'skipped', nextAttemptAt: null },
    ]);
    await hook.happen(...newOrders(1));
    expect(await hook.completeness()).toMatchObject({ matched: 3, skipped: 3, pending: 0 });
    expect(await hook.log('&status=skipped')).toHaveLength(3);
    expect(await hook.log('&status=pending')).toEqual([]);
    world.clock.advance(60 * MINUTE);
    await world.worker.looked();
    expect(hook.pushes()).toHaveLength(2);
    expect(await hook.completeness()).toMatchObject({ matched: 3, skipped: 3, pending: 0 });
    expect(await mailsAbout(hook)).toEqual([]);
  });

  it('and enabled again, it receives later events, and missed events stay skipped', async () => {
    const hook = await world.subscribe();
    await hook.happen(...newOrders(1));
    await hook.expectStatuses(['delivered']);
    await hook.must('PATCH', '', { status: 'disabled' });
    await hook.happen(...newOrders(2));
    expect((await hook.must('PATCH', '', { status: 'enabled' })).status).toBe('enabled');
    await hook.happen(...newOrders(2));
    await hook.expectStatuses(['delivered', 'skipped', 'skipped', 'delivered', 'delivered']);
    expect(hook.pushes()).toHaveLength(3);
    expect(await hook.completeness()).toMatchObject({ matched: 5, delivered: 3, skipped: 2, pending: 0 });
  });

  it('enabling an enabled webhook skips no pending push', async () => {
    const hook = await world.subscribe();
    hook.answer(500);
    await hook.happen(...newOrders(1));
    await hook.expectStatuses(['retrying']);
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    hook.answer({ status: 204, until });
    await hook.happen(...newOrders(1));
    await hook.expectPushes(2);
    await hook.must('POST', '/enable');
    expect((await hook.log()).map((delivery) => delivery.status)).toEqual(['pending', 'retrying']);
    release();
    world.clock.advance(MINUTE);
    await hook.expectStatuses(['delivered', 'delivered']);
  });

  it.each([
    ['succeeds', 204, 'delivered'],
    ['fails', 500, 'skipped'],
  ] as const)('a push under way that %s is noted as what it was', async (_, status, noted) => {
    const hook = await world.subscribe();
    hook.answer({ status, afterMs: 200 });
    await hook.happen(...newOrders(1));
    await hook.expectPushes(1);
    await hook.must('PATCH', '', { status: 'disabled' });
    const delivery = await hook.expectAttempts(1);
    await hook.expectStatuses([noted]);
    expect(delivery.attempts[0]?.status).toBe(status);
    expect(await hook.read()).toMatchObject({ status: 'disabled', disabledReason: 'manual' });
    const counted = { matched: 1, delivered: 0, skipped: 0, pending: 0, failed: 0, [noted]: 1 };
    expect(await hook.completeness()).toMatchObject(counted);
  });

  it('redelivery and recovery are refused with a reason', async () => {
    const hook = await world.subscribe();
    await hook.happen(...newOrders(1));
    const [delivery] = await hook.expectStatuses(['delivered']);
    await hook.must('PATCH', '', { status: 'disabled' });
    const since = '2026-01-01T00:00:00Z';
    expect((await hook.call('POST', '/recover', { since })).reason).toBe('webhook_disabled');
    expect(await hook.must('POST', '/recover', { since, dryRun: true })).toMatchObject({ total: 0 });
    const again = await hook.call('POST', `/deliveries/${delivery?.deliveryId}/redeliver`);
    expect([again.status, again.reason]).toEqual([400, 'webhook_disabled']);
  });
});

describe('once deleted', () => {
  it('neither pending retries nor later events are sent', async () => {
    const hook = await world.subscribe();
    const other = await world.subscribe({ org: hook.org });
    hook.answer(500);
    await hook.happen(...newOrders(2));
    await hook.expectStatuses(['retrying', 'retrying']);
    await hook.must('DELETE');
    await hook.happen(...newOrders(1));
    world.clock.advance(60 * MINUTE);
    await other.expectPushes(3);
    await world.worker.looked();
    expect(hook.pushes()).toHaveLength(2);
  });

  it('a push in progress ends without an error', async () => {
    const hook = await world.subscribe();
    hook.answer({ status: 500, afterMs: 100 });
    await hook.happen(...newOrders(1));
    await hook.expectPushes(1);
    await hook.must('DELETE');
    await world.worker.looked();
    expect((await hook.call('GET')).status).toBe(404);
    expect(world.worker.complaints).toEqual([]);
  });
});
