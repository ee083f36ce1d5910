import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPushWorld, type PushWorld, type Subscriber } from '../../../test/harness/index.js';
import { Endpoint } from './endpoint.js';
import { type FeedPages, openFeedPages } from './feed-pages.js';
import { readEndpoints } from './lease.store.js';
import { Supply } from './supply.js';

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
  await world.worker.stop();
});
afterAll(() => world?.close());

const noSender = { send: () => Promise.reject(new Error('nothing is sent here')), close: async () => {} };

const readFacts = async (hook: Subscriber) => {
  const [facts] = await readEndpoints(world.db.database.worker, [hook]);
  if (!facts) throw new Error('the webhook is gone');
  return facts;
};
const TOKEN = 'of this process';
/** Longer than the test. */
const PAUSE_MS = 600_000;

const holdLease = async (hook: Subscriber) => {
  await world.leaseTo(hook, { token: TOKEN, owner: 'this process', seconds: 3_600 });
  const lease = { token: TOKEN, safeUntilMs: Number.POSITIVE_INFINITY };
  return new Endpoint(await readFacts(hook), lease, noSender, world.db.box);
};

/** The feed of the database; `hold` keeps what is read from then on back until its result is called. */
function openHeldPages(): FeedPages & { hold(): () => void } {
  const pages = openFeedPages(world.db.database.worker);
  let held = Promise.resolve();
  return {
    ...pages,
    read: async (...input) => {
      const page = await pages.read(...input);
      await held;
      return page;
    },
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}

const openSupply = (pages: FeedPages) =>
  new Supply({
    database: world.db.database,
    pages,
    onReady: () => {},
    onLost: () => {},
    onRecovered: () => {},
    onError: (error) => {
      throw error;
    },
  });

/** Takes pushes until there are none. Ended as answered, so that the next one follows, or as not answered. */
const takeAll = (endpoint: Endpoint, isAnswered = true) => {
  const positions: number[] = [];
  const at = world.clock.now();
  const result = {
    delivered: isAnswered,
    status: isAnswered ? 200 : null,
    error: null,
    responseExcerpt: null,
  };
  for (let item = endpoint.takePush(100, world.clock); item; item = endpoint.takePush(100, world.clock)) {
    const { position } = item.event;
    positions.push(position);
    endpoint.endPush(item, { position, at, endedAt: at, durationMs: 1, ...result }, PAUSE_MS);
  }
  return positions;
};

it('an event passed by with older types is sent although the types change while the feed is read', async () => {
  const hook = await world.subscribe();
  const endpoint = await holdLease(hook);
  const pages = openHeldPages();
  const supply = openSupply(pages);
  await hook.must('PATCH', '', { eventTypes: ['order.status_changed', 'expiry.warning'] });
  await hook.happen({ type: 'expiry.warning', entity: 'first' });
  expect(await hook.log()).toHaveLength(1);
  endpoint.advanceHead(1);
  supply.refill(endpoint);
  await supply.drained();
  expect([endpoint.readTo, endpoint.queueLength]).toEqual([1, 0]);

  await hook.happen({ entity: 'second' });
  expect(await hook.log()).toHaveLength(2);
  const release = pages.hold();
  endpoint.advanceHead(2);
  supply.refill(endpoint);
  endpoint.reconfigure(await readFacts(hook), world.db.box);
  release();
  await supply.drained();
  expect(takeAll(endpoint)).toEqual([1, 2]);
});

it('an event of a type subscribed to for a moment is sent although both changes are learnt of at once', async () => {
  const hook = await world.subscribe();
  const endpoint = await holdLease(hook);
  const supply = openSupply(openHeldPages());
  await hook.must('PATCH', '', { eventTypes: ['order.status_changed', 'expiry.warning'] });
  await hook.happen({ type: 'expiry.warning', entity: 'first' });
  expect(await hook.log()).toHaveLength(1);
  await hook.must('PATCH', '', { eventTypes: ['order.status_changed'] });
  await hook.happen({ type: 'expiry.warning', entity: 'second' }, { entity: 'third' });
  expect(await hook.log()).toHaveLength(2);
  endpoint.advanceHead(3);
  supply.refill(endpoint);
  await supply.drained();
  endpoint.reconfigure(await readFacts(hook), world.db.box);
  supply.refill(endpoint);
  await supply.drained();
  expect(takeAll(endpoint)).toEqual([3, 1]);
});

it('an event of a disabled webhook is stored as skipped although it comes while earlier ones are', async () => {
  const hook = await world.subscribe();
  await hook.must('PATCH', '', { status: 'disabled' });
  const endpoint = await holdLease(hook);
  const supply = openSupply(openHeldPages());
  await hook.happen({ entity: 'first' }, { entity: 'second' });
  expect(await hook.log()).toHaveLength(2);
  endpoint.advanceHead(1);
  supply.refill(endpoint);
  endpoint.advanceHead(2);
  supply.refill(endpoint);
  await supply.drained();
  const skipped = await world.db.sql(
    `select position::integer from webhook_deliveries where webhook_id = $1 and status = 'skipped' order by position`,
    [hook.webhookId],
  );
  expect(skipped).toEqual([{ position: 1 }, { position: 2 }]);
});

it('an endpoint that is being given back is supplied with nothing more', async () => {
  const hook = await world.subscribe();
  const endpoint = await holdLease(hook);
  const supply = openSupply(openHeldPages());
  await hook.happen({});
  expect(await hook.log()).toHaveLength(1);
  endpoint.advanceHead(1);
  endpoint.drain();
  supply.refill(endpoint);
  expect(endpoint.isQuiet).toBe(true);
});

it('nothing is read for an endpoint that is down until its pause is over, but what it misses once disabled is stored', async () => {
  const hook = await world.subscribe();
  const endpoint = await holdLease(hook);
  const supply = openSupply(openHeldPages());
  const refill = async () => {
    supply.refill(endpoint);
    await supply.drained();
  };
  await hook.happen({ entity: 'first' }, { entity: 'second' }, { entity: 'third' });
  expect(await hook.log()).toHaveLength(3);
  endpoint.advanceHead(2);
  await refill();
  expect(takeAll(endpoint, false)).toEqual([1, 2]);
  endpoint.advanceHead(3);
  endpoint.markDue();
  await refill();
  expect([endpoint.readTo, endpoint.hasDue]).toEqual([2, true]);
  await hook.must('PATCH', '', { status: 'disabled' });
  endpoint.reconfigure(await readFacts(hook), world.db.box);
  await refill();
  expect(endpoint.readTo).toBe(3);
});

it('a change of a webhook waits for results that are being written, and sees what they changed', async () => {
  const hook = await world.subscribe();
  const client = new pg.Client({ connectionString: world.db.url, options: '-c search_path=lotward,public' });
  await client.connect();
  await client.query('begin');
  const disable = `update webhook_states set status = 'disabled', disabled_reason = 'manual', disabled_at = now()
    where org_id = $1 and webhook_id = $2`;
  await client.query(disable, [hook.orgId, hook.webhookId]);
  const enabling = hook.must('PATCH', '', { status: 'enabled' });
  await expect
    .poll(async () => (await world.db.waiting()).length, { timeout: 60_000, interval: 20 })
    .toBe(1)
    .then(() => client.query('commit'))
    .finally(() => client.end());
  await enabling;
  expect(await hook.read()).toMatchObject({ status: 'enabled', disabledReason: null });
});

it('a configuration read earlier does not replace a newer one', async () => {
  const hook = await world.subscribe();
  const endpoint = await holdLease(hook);
  const earlier = await readFacts(hook);
  await hook.must('PATCH', '', { callbackUrl: world.receiver.url('/moved') });
  endpoint.reconfigure(await readFacts(hook), world.db.box);
  endpoint.reconfigure(earlier, world.db.box);
  expect(endpoint.callbackUrl).toBe(world.receiver.url('/moved'));
});

it('a worker that has stopped no longer counts among those that share the webhooks', async () => {
  expect(await world.db.sql('select worker_id from workers')).toEqual([]);
});

it('events to be recovered are queued 50 at a time, so that they do not crowd out new ones', async () => {
  const hook = await world.subscribe();
  await hook.must('PATCH', '', { status: 'disabled' });
  await hook.happen(...Array.from({ length: 60 }, (_, n) => ({ entity: `missed ${n}` })));
  await hook.must('PATCH', '', { status: 'enabled' });
  await hook.must('POST', '/recover', { since: '2020-01-01T00:00:00Z' });
  const endpoint = await holdLease(hook);
  const supply = openSupply(openHeldPages());
  supply.refill(endpoint);
  await supply.drained();
  // The rest is not read any more, after the test least of all.
  endpoint.drain();
  expect([endpoint.isRecovering, endpoint.queueLength]).toEqual([true, 50]);
});
