import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventIdsOf, openPushWorld, type PushWorld, type Subscriber } from '../../test/harness/index.js';

const MINUTE = 60_000;
const BEGINNING = '2026-01-01T00:00:00Z';
const polled = { timeout: 60_000, interval: 40 };

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
});
afterAll(async () => {
  expect(world?.worker.complaints).toEqual([]);
  await world?.close();
});

interface Recovery {
  dryRun: boolean;
  failed: number;
  skipped: number;
  total: number;
}
const recover = (hook: Subscriber, body: object = {}) =>
  hook.must<Recovery>('POST', '/recover', { since: BEGINNING, ...body });
const disable = (hook: Subscriber) => hook.must('PATCH', '', { status: 'disabled' });
const enable = (hook: Subscriber) => hook.must('POST', '/enable');

/** Events in their order, from the feed and independent of pushes. */
async function feedOf(hook: Subscriber): Promise<{ eventId: string; entity: string; type: string }[]> {
  return world.db.sql(
    `select event_id as "eventId", entity_id as entity, event_type as type from events where org_id = $1 order by position`,
    [hook.orgId],
  );
}

/** Every event arrived exactly once, and the events of each entity in order. */
async function expectInOrder(hook: Subscriber, pushedIds: readonly string[]): Promise<void> {
  const feed = await feedOf(hook);
  const entities = new Map(feed.map(({ eventId, entity }) => [eventId, entity]));
  const byEntity = (ids: readonly string[]) =>
    Object.fromEntries(
      [...new Set(entities.values())].map((entity) => [
        entity,
        ids.filter((id) => entities.get(id) === entity),
      ]),
    );
  const wanted = new Set(pushedIds);
  const happened = feed.map(({ eventId }) => eventId).filter((id) => wanted.has(id));
  expect(byEntity(pushedIds)).toEqual(byEntity(happened));
}

const entitiesInTurn = (count: number, entities: number) =>
  Array.from({ length: count }, (_, i) => ({ entity: `ord_${i % entities}` }));

describe('recovering missed events', () => {
  it('counts the missed events in a dry run and sends nothing', async () => {
    const hook = await world.subscribe();
    await disable(hook);
    await hook.happen(...entitiesInTurn(7, 3));
    const counted = { dryRun: true, failed: 0, skipped: 7, total: 7 };
    expect(await recover(hook, { dryRun: true })).toEqual(counted);
    await enable(hook);
    expect(await recover(hook, { dryRun: true })).toEqual(counted);
    await world.worker.looked();
    expect(hook.pushes()).toEqual([]);
    expect(await hook.completeness()).toMatchObject({ matched: 7, skipped: 7 });
  });

  it('sends all of them, in order per entity, and reuses their delivery rows', async () => {
    const hook = await world.subscribe();
    await disable(hook);
    await hook.happen(...entitiesInTurn(120, 4));
    await hook.happen({ type: 'expiry.warning' });
    const skipped = await hook.log();
    await enable(hook);
    // Slower than what is missed is brought along: the next of it comes while the first still waits.
    hook.answer({ status: 200, afterMs: 60 });
    expect(await recover(hook)).toEqual({ dryRun: false, failed: 0, skipped: 120, total: 120 });
    const pushes = await hook.expectPushes(120);
    await expectInOrder(hook, eventIdsOf(pushes));
    await expect
      .poll(() => hook.completeness(), polled)
      .toMatchObject({ matched: 120, delivered: 120, pending: 0 });
    const log = await hook.log();
    expect(log.map((d) => d.deliveryId)).toEqual(skipped.map((d) => d.deliveryId));
    expect(log.every((d) => d.attempts.length === 1 && d.status === 'delivered')).toBe(true);
    expect(await recover(hook)).toMatchObject({ total: 0 });
  });

  it('sends permanently failed pushes again, and continues to count their attempts', async () => {
    const hook = await world.subscribe();
    hook.answer(500);
    await hook.happen({});
    for (let attempt = 1; attempt <= 4; attempt++) {
      await hook.expectAttempts(attempt);
      world.clock.advance(15 * MINUTE);
    }
    await hook.expectStatuses(['failed']);
    expect(await recover(hook)).toEqual({ dryRun: false, failed: 1, skipped: 0, total: 1 });
    for (const [attempt, delay] of [1, 5, 15].entries()) {
      const { status, nextAttemptAt } = await hook.expectAttempts(5 + attempt);
      const dueAt = new Date(world.clock.now().getTime() + delay * MINUTE).toISOString();
      expect({ status, nextAttemptAt }).toEqual({ status: 'retrying', nextAttemptAt: dueAt });
      world.clock.advance(delay * MINUTE);
    }
    await hook.expectAttempts(8);
    await hook.expectStatuses(['failed']);
    expect((await hook.read()).consecutiveFailures).toBe(2);
    expect(new Set(eventIdsOf(hook.pushes())).size).toBe(1);
    expect(hook.pushes().map((push) => push.headers['x-lotward-attempt'])).toEqual(
      Array.from({ length: 8 }, (_, i) => String(i + 1)),
    );
  });

  it('leaves out events before the given instant', async () => {
    const hook = await world.subscribe();
    await disable(hook);
    await hook.happen(...entitiesInTurn(3, 3));
    world.clock.advance(1);
    const since = world.clock.now().toISOString();
    await hook.happen(...entitiesInTurn(2, 2));
    await enable(hook);
    expect(await recover(hook, { since })).toMatchObject({ skipped: 2, total: 2 });
    await hook.expectStatuses(['skipped', 'skipped', 'skipped', 'delivered', 'delivered']);
    expect(hook.pushes()).toHaveLength(2);
  });

  it('sends new events of an entity after its missed ones', async () => {
    const hook = await world.subscribe();
    await disable(hook);
    await hook.happen(...entitiesInTurn(160, 4));
    await enable(hook);
    hook.answer({ status: 200, afterMs: 5 });
    await recover(hook);
    const pushed = (count: number) =>
      expect.poll(() => hook.pushes().length, polled).toBeGreaterThanOrEqual(count);
    // A recovery sends 50 at a time. In the pause after them nothing else keeps a new event from overtaking.
    await pushed(50);
    await hook.happen({ entity: 'ord_0' });
    await hook.happen({ entity: 'ord_new' });
    await pushed(101);
    await hook.happen({ entity: 'ord_1' });
    await pushed(151);
    await hook.happen(...entitiesInTurn(4, 4));
    const ids = eventIdsOf(await hook.expectPushes(167));
    await expectInOrder(hook, ids);
    const newId = (await feedOf(hook)).find(({ entity }) => entity === 'ord_new')?.eventId ?? '';
    // An entity without missed events does not wait for others.
    expect(ids.indexOf(newId)).toBeLessThan(160);
    await expect.poll(() => hook.completeness(), polled).toMatchObject({ matched: 167, delivered: 167 });
    await hook.happen(...entitiesInTurn(4, 4));
    await expectInOrder(hook, eventIdsOf(await hook.expectPushes(171)));
  });

  it('queues a single new event behind the missed events of its entity', async () => {
    const hook = await world.subscribe();
    await disable(hook);
    await hook.happen({}, {});
    await enable(hook);
    hook.answer({ status: 200, afterMs: 1_500 });
    await recover(hook);
    await hook.expectPushes(1);
    await hook.happen({});
    // A push from the feed that succeeds at the first attempt has no row.
    const rows = () =>
      world.db.sql('select from webhook_deliveries where webhook_id = $1 and position = 3', [hook.webhookId]);
    await expect.poll(async () => (await rows()).length, polled).toBe(1);
    hook.answer(200);
    await expectInOrder(hook, eventIdsOf(await hook.expectPushes(3)));
    await hook.expectStatuses(['delivered', 'delivered', 'delivered']);
  });

  it('can be stopped and resumed', async () => {
    const hook = await world.subscribe();
    await disable(hook);
    await hook.happen(...entitiesInTurn(120, 120));
    await enable(hook);
    await recover(hook);
    await expect.poll(() => hook.pushes().length, polled).toBeGreaterThan(0);
    await disable(hook);
    await world.worker.looked();
    const sent = hook.pushes().length;
    expect(sent).toBeLessThan(120);
    await expect
      .poll(() => hook.completeness(), polled)
      .toMatchObject({ matched: 120, delivered: sent, skipped: 120 - sent, pending: 0 });
    await enable(hook);
    expect(await recover(hook)).toMatchObject({ total: 120 - sent });
    expect(new Set(eventIdsOf(await hook.expectPushes(120))).size).toBe(120);
  });
});

describe('the proof of completeness', () => {
  /** The test's own record of its events. */
  class Ledger {
    readonly counts = { matched: 0, delivered: 0, pending: 0, failed: 0, skipped: 0 };
    happened(count: number, became: 'delivered' | 'pending' | 'skipped') {
      this.counts.matched += count;
      this.counts[became] += count;
    }
    turned(count: number, from: 'pending' | 'failed' | 'skipped', into: 'delivered' | 'failed' | 'skipped') {
      this.counts[from] -= count;
      this.counts[into] += count;
    }
  }

  it('is exact at every stage: delivered, waiting, failed, skipped, recovered, types changed in between', async () => {
    const hook = await world.subscribe({ eventTypes: ['order.status_changed', 'expiry.warning'] });
    const ledger = new Ledger();
    const agree = () =>
      expect
        .poll(async () => {
          const { missingEventIds, ...counts } = await hook.completeness();
          return { counts, missing: missingEventIds.length };
        }, polled)
        .toEqual({ counts: ledger.counts, missing: ledger.counts.failed + ledger.counts.skipped });
    await agree();
    await hook.happen({}, { type: 'expiry.warning' }, { type: 'inventory.low_stock' });
    ledger.happened(2, 'delivered');
    await agree();
    hook.answer(500);
    await hook.happen({ entity: 'a' }, { entity: 'b' });
    ledger.happened(2, 'pending');
    await agree();
    await hook.expectStatuses(['delivered', 'delivered', 'retrying', 'retrying']);
    for (let attempt = 2; attempt <= 4; attempt++) {
      world.clock.advance(15 * MINUTE);
      await expect.poll(async () => (await hook.log())[0]?.attempts.length, polled).toBe(attempt);
    }
    ledger.turned(2, 'pending', 'failed');
    await agree();
    hook.answer(204);
    // From here on another type, and no orders any more; what happened before keeps to the types of its time.
    await hook.must('PATCH', '', { eventTypes: ['inventory.low_stock'] });
    await agree();
    await hook.happen({}, { type: 'inventory.low_stock' }, { type: 'inventory.low_stock', entity: 'x' });
    ledger.happened(2, 'delivered');
    await agree();
    await disable(hook);
    await hook.happen({}, { type: 'inventory.low_stock' });
    ledger.happened(1, 'skipped');
    await agree();
    await hook.must('PATCH', '', { eventTypes: ['order.status_changed'] });
    await hook.happen({}, {}, { type: 'inventory.low_stock' });
    ledger.happened(2, 'skipped');
    await agree();
    await enable(hook);
    await agree();
    expect(await recover(hook)).toMatchObject({ failed: 2, skipped: 3, total: 5 });
    ledger.turned(2, 'failed', 'delivered');
    ledger.turned(3, 'skipped', 'delivered');
    await agree();
    expect(new Set(eventIdsOf(hook.pushes())).size).toBe(ledger.counts.matched);
  });

  it('covers the requested period: from one instant until before another', async () => {
    const hook = await world.subscribe();
    const instants: string[] = [];
    for (let i = 0; i < 4; i++) {
      instants.push(world.clock.now().toISOString());
      await hook.happen({});
      world.clock.advance(1_000);
    }
    await hook.expectStatuses(['delivered', 'delivered', 'delivered', 'delivered']);
    const [first = '', second = '', , last = ''] = instants;
    expect(await hook.completeness(first, first)).toMatchObject({ matched: 0 });
    expect(await hook.completeness(second, last)).toMatchObject({ matched: 2, delivered: 2 });
    expect(await hook.completeness(last)).toMatchObject({ matched: 1 });
    const backwards = await hook.call('GET', `/completeness?from=${last}&to=${first}`);
    expect([backwards.status, backwards.reason]).toEqual([400, 'out_of_range']);
  });

  it('includes events of a type subscribed to just before', async () => {
    const hook = await world.subscribe();
    const both = ['order.status_changed', 'expiry.warning'];
    const idsOf = async (entity: string) => {
      const query = 'select event_id as id from events where org_id = $1 and entity_id = $2';
      return (await world.db.sql<{ id: string }>(query, [hook.orgId, entity])).map(({ id }) => id).sort();
    };
    for (let round = 1; round <= 10; round++) {
      await hook.must('PATCH', '', { eventTypes: both });
      await hook.happen({ type: 'expiry.warning', entity: 'wanted' });
      await hook.must('PATCH', '', { eventTypes: ['order.status_changed'] });
      await hook.happen({ type: 'expiry.warning', entity: 'just unsubscribed' }, { entity: 'wanted' });
      // A worker may learn of a change after the next event: that one then comes by the types before.
      const unsubscribed = await idsOf('just unsubscribed');
      const pushed = () => eventIdsOf(hook.pushes()).filter((id) => !unsubscribed.includes(id));
      await expect.poll(() => pushed().sort(), polled).toEqual(await idsOf('wanted'));
    }
    await expect.poll(() => hook.completeness(), polled).toMatchObject({ matched: 20, delivered: 20 });
  });
});

describe('redelivering one push', () => {
  const redeliver = (hook: Subscriber, deliveryId: string | undefined) =>
    hook.must<{ status: string }>('POST', `/deliveries/${deliveryId}/redeliver`);

  it.each([
    ['succeeds', 204],
    ['fails', 500],
  ] as const)('that was delivered and now %s stays delivered', async (_, status) => {
    const hook = await world.subscribe();
    await hook.happen({});
    const [delivery] = await hook.expectStatuses(['delivered']);
    hook.answer(status);
    await redeliver(hook, delivery?.deliveryId);
    const after = await hook.expectAttempts(2);
    expect(after).toMatchObject({ status: 'delivered', nextAttemptAt: null });
    expect(after.attempts[1]?.status).toBe(status);
    const [first, second] = hook.pushes();
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect(second?.headers).toMatchObject({
      'x-lotward-attempt': '2',
      'x-lotward-delivery': first?.headers['x-lotward-delivery'],
    });
    world.clock.advance(60 * MINUTE);
    await world.worker.looked();
    expect(hook.pushes()).toHaveLength(2);
    expect(await hook.completeness()).toMatchObject({ matched: 1, delivered: 1 });
  });

  it.each([
    ['succeeds', 204, 'delivered'],
    ['fails', 500, 'skipped'],
  ] as const)('that was skipped and now %s with %i is %s', async (_, status, becomes) => {
    const hook = await world.subscribe();
    await disable(hook);
    await hook.happen({}, { entity: 'ord_2' });
    await enable(hook);
    const oldest = (await hook.log()).at(-1);
    hook.answer(status);
    await redeliver(hook, oldest?.deliveryId);
    expect(await hook.expectAttempts(1)).toMatchObject({ status: becomes, nextAttemptAt: null });
    await hook.expectStatuses([becomes, 'skipped']);
    expect(hook.pushes()).toHaveLength(1);
    expect((await hook.read()).consecutiveFailures).toBe(0);
  });

  it('with a pending retry that fails keeps the same retry', async () => {
    const hook = await world.subscribe();
    hook.answer(500);
    await hook.happen({});
    const { nextAttemptAt, deliveryId } = await hook.expectAttempts(1);
    world.clock.advance(10_000);
    await redeliver(hook, deliveryId);
    expect(await hook.expectAttempts(2)).toMatchObject({ status: 'retrying', nextAttemptAt });
    world.clock.advance(50_000 - 1);
    await world.worker.looked();
    expect(hook.pushes()).toHaveLength(2);
    world.clock.advance(1);
    const third = await hook.expectAttempts(3);
    const dueAt = new Date(world.clock.now().getTime() + 5 * MINUTE).toISOString();
    expect(third).toMatchObject({ status: 'retrying', nextAttemptAt: dueAt });
  });

  it('with a pending retry that succeeds is delivered and not retried', async () => {
    const hook = await world.subscribe();
    hook.answer(500);
    await hook.happen({});
    const { deliveryId } = await hook.expectAttempts(1);
    hook.answer(204);
    await redeliver(hook, deliveryId);
    expect(await hook.expectAttempts(2)).toMatchObject({ status: 'delivered', nextAttemptAt: null });
    world.clock.advance(60 * MINUTE);
    await world.worker.looked();
    expect(hook.pushes()).toHaveLength(2);
  });

  it('that does not exist, or belongs to another webhook, is not found', async () => {
    const [hook, other] = [await world.subscribe(), await world.subscribe()];
    await other.happen({});
    const [foreign] = await other.expectStatuses(['delivered']);
    for (const deliveryId of [foreign?.deliveryId, 'dlv_', 'dlv_x', '%00', 'nothing']) {
      const answer = await hook.call('POST', `/deliveries/${deliveryId}/redeliver`);
      expect([deliveryId, answer.status]).toEqual([deliveryId, deliveryId === '%00' ? 400 : 404]);
    }
  });
});
