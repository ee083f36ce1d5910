import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  eventIdsOf,
  type Happening,
  LOCAL_WEBHOOKS,
  newOrganization,
  openPushWorld,
  type PushWorld,
  type Subscriber,
  sized,
  startWorker,
  type TestWorker,
} from '../../test/harness/index.js';
import { statement } from '../platform/database/index.js';
import { recordDeliveredAttempts } from './delivery/results.store.js';
import { secretPlace } from './sealed-secrets.store.js';

/** Long enough that no push times out on a busy host. */
const PATIENT = { ...LOCAL_WEBHOOKS, timeoutMs: 60_000 };
const polled = { timeout: 60_000, interval: 40 };
/** Generous, so that a busy host fails no test. */
vi.setConfig({ testTimeout: 120_000 });
afterAll(() => vi.resetConfig());

const HANGING = sized(40, 500);

const holders = (world: PushWorld) =>
  world.db.sql<{ owner: string; count: number }>(
    `select lease_owner as owner, count(*)::integer as count from webhook_states where leased_until > clock_timestamp()
     group by 1`,
  );

/** The events of every entity in the order of the feed. */
async function feedByEntity(world: PushWorld, orgId: string): Promise<Record<string, string[]>> {
  const rows = await world.db.sql<{ entity: string; ids: string[] }>(
    `select entity_id as entity, array_agg(event_id order by position) as ids from events where org_id = $1 group by 1`,
    [orgId],
  );
  return Object.fromEntries(rows.map(({ entity, ids }) => [entity, ids]));
}

function pushedByEntity(hook: Subscriber, feed: Record<string, string[]>): Record<string, string[]> {
  const pushed = eventIdsOf(hook.pushes());
  return Object.fromEntries(
    Object.entries(feed).map(([entity, ids]) => {
      const own = new Set(ids);
      return [entity, pushed.filter((id) => own.has(id))];
    }),
  );
}

describe('two workers', () => {
  const toClose: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of toClose.splice(0).reverse()) await close();
  });

  async function openWorld(): Promise<PushWorld> {
    const world = await openPushWorld({ webhooks: PATIENT });
    toClose.push(() => world.close());
    return world;
  }
  /** With its own connections, like a second process. */
  async function addWorker(world: PushWorld): Promise<TestWorker> {
    const database = await world.db.another();
    const worker = await startWorker(world.db, { webhooks: PATIENT, database });
    toClose.push(() => worker.stop());
    return worker;
  }

  it('deliver every event to each endpoint exactly once, and those of one entity in order', async () => {
    const world = await openWorld();
    await addWorker(world);
    await expect.poll(async () => (await world.db.sql('select 1 from workers')).length, polled).toBe(2);
    const organizations = await Promise.all(Array.from({ length: 3 }, () => newOrganization(world.db)));
    const hooks = await Promise.all(
      organizations.flatMap((org) => [1, 2].map(() => world.subscribe({ org }))),
    );
    const firsts = hooks.filter((_, i) => i % 2 === 0);
    const rounds = sized(3, 100);
    const perRound = 8;
    for (let round = 0; round < rounds; round++) {
      const some = (hook: Subscriber): Happening[] =>
        Array.from({ length: perRound }, (_, i) => ({ entity: `${hook.path} ${(round + i) % 5}` }));
      await Promise.all(firsts.map((hook) => hook.happen(...some(hook))));
    }
    for (const hook of hooks) await hook.expectPushes(rounds * perRound);
    // About its share each, soon: one more or less is not worth handing an endpoint over.
    const isFair = (shares: readonly number[]) => shares.every((count) => [2, 3, 4].includes(count));
    await expect.poll(async () => (await holders(world)).map(({ count }) => count), polled).toSatisfy(isFair);
    await world.worker.looked();
    for (const hook of hooks) {
      const feed = await feedByEntity(world, hook.orgId);
      expect(pushedByEntity(hook, feed)).toEqual(feed);
      expect(hook.pushes()).toHaveLength(rounds * perRound);
      await expect
        .poll(() => hook.completeness(), polled)
        .toMatchObject({ matched: rounds * perRound, delivered: rounds * perRound });
    }
  });

  it('keep the order and lose no event while one joins and one leaves', async () => {
    const world = await openWorld();
    const hooks = await Promise.all(Array.from({ length: 4 }, () => world.subscribe()));
    const rounds = sized(2, 10);
    const events = async () => {
      for (let i = 0; i < rounds; i++)
        await Promise.all(
          hooks.map((hook) => hook.happen({ entity: 'a' }, { entity: 'b' }, { entity: 'a' })),
        );
    };
    await events();
    const second = await addWorker(world);
    await events();
    await world.worker.stop();
    await events();
    const third = await addWorker(world);
    await second.stop();
    await events();
    for (const hook of hooks) {
      await hook.expectPushes(4 * rounds * 3);
      const feed = await feedByEntity(world, hook.orgId);
      expect(pushedByEntity(hook, feed)).toEqual(feed);
    }
    expect([...second.complaints, ...third.complaints]).toEqual([]);
  });
});

describe('an endpoint that hangs', () => {
  let world: PushWorld;
  beforeEach(async () => {
    world = await openPushWorld({ webhooks: PATIENT });
  });
  afterEach(async () => {
    // Ends the pushes that hang, for which the worker would wait.
    await world?.receiver.close();
    await world?.close();
  });
  const failedAttempts = () => world.db.sql('select from webhook_attempts where not delivered');

  it('gets at most ten pushes at once, and delays no other endpoint', async () => {
    const org = await newOrganization(world.db);
    const slow = await world.subscribe({ org });
    const quick = await world.subscribe({ org });
    await slow.happen({ entity: 'ord_answered' });
    await slow.expectPushes(1);
    slow.answer('hang');
    await slow.happen(...Array.from({ length: 60 }, (_, i) => ({ entity: `ord_${i}` })));
    await quick.expectPushes(61);
    await slow.expectPushes(11);
    await slow.happen({ entity: 'ord_late' });
    await quick.expectPushes(62);
    await world.worker.looked();
    // Everything arrived while all ten were still hanging.
    expect(await failedAttempts()).toEqual([]);
    expect(slow.pushes()).toHaveLength(11);
    expect(world.receiver.atOnceMax.get(slow.path)).toBe(10);
  });

  it('gets two pushes at once if it has never answered', async () => {
    const org = await newOrganization(world.db);
    const silent = await world.subscribe({ org });
    const quick = await world.subscribe({ org });
    silent.answer('hang');
    await silent.happen(...Array.from({ length: 60 }, (_, i) => ({ entity: `ord_${i}` })));
    await quick.expectPushes(60);
    await world.worker.looked();
    expect(silent.pushes()).toHaveLength(2);
  });

  /** Copies of a webhook, each with a path and a sealed secret of its own, made past the API to be quick. */
  const copy = (hook: Subscriber, copies: number) => {
    const { orgId } = hook;
    const ids = Array.from({ length: copies }, (_, i) => `whk_${String(i + 1).padStart(26, '0')}`);
    const secrets = ids.map((id) => world.db.box.seal('whsec_of_a_copy', secretPlace(orgId, id)));
    return world.db.sql(
      `with copies as (
         insert into webhooks (org_id, webhook_id, callback_url, event_types, secret, created_at, created_by, updated_at)
         select w.org_id, c.id, w.callback_url || '-' || c.id, w.event_types, c.secret, w.created_at, w.created_by, w.updated_at
         from webhooks w, unnest($2::text[], $3::text[]) as c(id, secret) where w.webhook_id = $1
         returning org_id, webhook_id, event_types),
       subscribed as (
         insert into webhook_subscriptions (org_id, webhook_id, after_position, event_types)
         select org_id, webhook_id, 0, event_types from copies)
       insert into webhook_states (org_id, webhook_id, status, consecutive_failures, settled_to, send_from, version,
         delivered_total, failed_total, duration_ms_total)
       select org_id, webhook_id, 'enabled', 0, 0, 0, 1, 0, 0, 0 from copies`,
      [hook.webhookId, ids, secrets],
    );
  };

  it(`delays no other endpoint, even with ${HANGING} of them`, async () => {
    const dead = await world.subscribe();
    const quick = await world.subscribe();
    await copy(dead, HANGING - 1);
    await dead.happen({ entity: 'ord_answered' });
    await expect.poll(() => world.receiver.received.length, polled).toBe(HANGING);
    world.receiver.answer = ({ path }) => (path === quick.path ? 204 : 'hang');
    await dead.happen({ entity: 'ord_1' }, { entity: 'ord_2' });
    await expect.poll(() => world.receiver.received.length, polled).toBe(3 * HANGING);
    expect(new Set(world.receiver.received.map((push) => push.path)).size).toBe(HANGING);
    await quick.happen({});
    await quick.expectPushes(1);
    expect(await failedAttempts()).toEqual([]);
  });
});

/** Opened after the others are closed: a worker that only looks for work takes time too. */
describe('one worker', () => {
  let world: PushWorld;
  beforeAll(async () => {
    world = await openPushWorld({ webhooks: PATIENT });
  });
  afterAll(() => world?.close());

  describe('an endpoint that is slow', () => {
    it('gets at most one push per entity at a time', async () => {
      const hook = await world.subscribe();
      hook.answer({ status: 200, afterMs: 20 });
      await hook.happen(...Array.from({ length: 10 }, () => ({ entity: 'ord_1' })));
      await hook.expectPushes(10);
      expect(world.receiver.atOnceMax.get(hook.path)).toBe(1);
    });
  });

  describe('a worker that died', () => {
    const leaseTo = (hook: Subscriber, seconds: number) =>
      world.leaseTo(hook, { token: 'of the dead', owner: 'dead', seconds });

    it('leaves its endpoints to others once its leases have expired, and not before', async () => {
      const hook = await world.subscribe();
      await leaseTo(hook, 3_600);
      await hook.happen({});
      await world.worker.looked();
      expect(hook.pushes()).toHaveLength(0);
      await leaseTo(hook, 0);
      await hook.expectPushes(1);
      await hook.expectStatuses(['delivered']);
    });

    it('has its unrecorded pushes repeated: delivered at least once, never lost', async () => {
      const hook = await world.subscribe();
      await hook.happen({ entity: 'ord_answered' });
      await hook.expectStatuses(['delivered']);
      hook.answer({ status: 204, afterMs: 1_000 });
      await hook.happen(...Array.from({ length: 5 }, (_, i) => ({ entity: `ord_${i}` })));
      await hook.expectPushes(6);
      // Another worker holds the lease now: the results are not this worker's to write.
      await leaseTo(hook, 1);
      hook.answer(204);
      const pushes = await hook.expectPushes(11);
      expect(new Set(eventIdsOf(pushes.slice(6)))).toEqual(new Set(eventIdsOf(pushes.slice(1, 6))));
      const log = await hook.expectStatuses(Array.from({ length: 6 }, () => 'delivered'));
      expect(log.map((delivery) => delivery.attempts.length)).toEqual([1, 1, 1, 1, 1, 1]);
      expect(world.worker.complaints).toEqual([]);
    });

    it('cannot write results of failures either', async () => {
      const hook = await world.subscribe();
      hook.answer({ status: 500, afterMs: 1_000 });
      await hook.happen({});
      await hook.expectPushes(1);
      await leaseTo(hook, 1);
      hook.answer(204);
      const delivery = await hook.expectAttempts(1);
      expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 204 }] });
      expect(hook.pushes()).toHaveLength(2);
    });

    it('cannot write anything under a token that is not in force', async () => {
      const hook = await world.subscribe();
      await leaseTo(hook, 3_600);
      await hook.happen({});
      await hook.log();
      const at = world.clock.now();
      const attempt = {
        position: 1,
        at,
        endedAt: at,
        durationMs: 1,
        delivered: true,
        status: 200,
        error: null,
        responseExcerpt: null,
      };
      const batch = {
        orgId: hook.orgId,
        webhookId: hook.webhookId,
        watermark: 1,
        version: 1,
        attempts: [attempt],
      };
      const write = (token: string) =>
        recordDeliveredAttempts(world.db.database.worker, [{ ...batch, token }]);
      expect(await write('of somebody else')).toEqual([]);
      expect(await hook.completeness()).toMatchObject({ matched: 1, pending: 1, delivered: 0 });
      expect(await write('of the dead')).toHaveLength(1);
      expect(await hook.completeness()).toMatchObject({ matched: 1, pending: 0, delivered: 1 });
    });
  });

  describe('an endpoint whose secret cannot be decrypted', () => {
    it('does not affect other endpoints', async () => {
      const org = await newOrganization(world.db);
      const hooks = await Promise.all(Array.from({ length: 6 }, () => world.subscribe({ org })));
      const [broken, ...sound] = hooks.sort((a, b) => (a.webhookId < b.webhookId ? -1 : 1));
      const seal = `update webhooks set secret = 'sealed with a key nobody has' where webhook_id = $1`;
      await world.db.sql(seal, [broken?.webhookId]);
      await hooks[0]?.happen({});
      for (const hook of sound) await hook.expectPushes(1);
      expect(broken?.pushes()).toEqual([]);
    });
  });

  it('the lease of an endpoint is renewed while the worker holds it', async () => {
    const hook = await world.subscribe();
    await hook.happen({});
    await hook.expectPushes(1);
    const leasedUntil = async () => {
      const [row] = await world.db.sql<{ at: Date | null }>(
        'select leased_until as at from webhook_states where org_id = $1 and webhook_id = $2',
        [hook.orgId, hook.webhookId],
      );
      return row?.at?.getTime() ?? 0;
    };
    await expect.poll(leasedUntil, polled).toBeGreaterThan(await leasedUntil());
  });

  describe('a failure of the worker', () => {
    const reported = () =>
      world.worker.complaints.filter((line) => JSON.parse(line).task === 'finding pending pushes').length;

    it('is reported once while it lasts, and again when it returns', async () => {
      const [worker] = await world.db.database.worker.query<{ name: string }>(
        statement('select current_user as name'),
        [],
      );
      for (const count of [1, 2]) {
        await world.db.sql(`revoke select on event_heads from ${worker?.name}`);
        await expect.poll(reported, polled).toBe(count);
        await world.worker.looked();
        expect(reported()).toBe(count);
        await world.db.sql(`grant select on event_heads to ${worker?.name}`);
        const hook = await world.subscribe();
        await hook.happen({});
        await hook.expectPushes(1);
        await world.worker.looked();
      }
    });
  });

  describe('a worker that receives no announcements', () => {
    /** The connection is made again after a second. */
    const breakListener = () =>
      world.db.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lotward listener' and datname = current_database()`,
      );

    it('finds new events by polling, and misses none of a type just subscribed to', async () => {
      const hook = await world.subscribe();
      await hook.happen({});
      await hook.expectPushes(1);
      await breakListener();
      await hook.must('PATCH', '', { eventTypes: ['order.status_changed', 'expiry.warning'] });
      await hook.happen({ type: 'expiry.warning' }, {});
      await world.worker.looked();
      await breakListener();
      await hook.expectPushes(3);
      expect(await hook.completeness()).toMatchObject({ matched: 3, pending: 0 });
    });
  });
});
