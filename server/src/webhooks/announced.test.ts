import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushWorld, type PushWorld, startWorker } from '../../test/harness/index.js';

/** Longer than the tests take: nothing is noticed by polling. */
const NEVER_MS = 600_000;
/** More than an endpoint has in its queue at a time. */
const BACKLOG = 600;
const polled = { timeout: 60_000, interval: 100 };

let world: PushWorld;
const deliveryLimits = { pollMs: NEVER_MS, leaseMs: NEVER_MS };
beforeAll(async () => {
  world = await openPushWorld({ worker: { deliveryLimits } });
});
afterAll(() => world?.close());

describe('without waiting for the next poll', () => {
  it('each event is pushed, whether its endpoint is leased already or not', async () => {
    const hook = await world.subscribe();
    for (const count of [1, 2, 3]) {
      await hook.happen({});
      await hook.expectPushes(count);
    }
  });

  it('a backlog longer than the queue of its endpoint is pushed to its end', async () => {
    const hook = await world.subscribe();
    await hook.happen(...Array.from({ length: BACKLOG }, (_, i) => ({ entity: `ord_${i}` })));
    await hook.expectPushes(BACKLOG);
  });

  it('a changed subscription applies to the events that follow', async () => {
    const hook = await world.subscribe();
    await hook.happen({});
    await hook.expectPushes(1);
    await hook.must('PATCH', '', { eventTypes: ['expiry.warning'] });
    await hook.happen({}, { type: 'expiry.warning' });
    const pushes = await hook.expectPushes(2);
    expect(pushes.map((push) => push.headers['x-lotward-event'])).toEqual([
      'order.status_changed',
      'expiry.warning',
    ]);
  });

  it('a push is repeated on request', async () => {
    const hook = await world.subscribe();
    await hook.happen({});
    const [delivery] = await hook.expectStatuses(['delivered']);
    await hook.must('POST', `/deliveries/${delivery?.deliveryId}/redeliver`);
    await hook.expectPushes(2);
  });

  it('changes whose announcements were lost are read when announcements arrive again', async () => {
    const hook = await world.subscribe();
    await hook.happen({});
    await hook.expectPushes(1);
    const moved = `${hook.path}/moved`;
    await world.db.sql('update webhooks set callback_url = $3 where org_id = $1 and webhook_id = $2', [
      hook.orgId,
      hook.webhookId,
      world.receiver.url(moved),
    ]);
    await world.db.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'lotward listener' and datname = current_database()`,
    );
    const pushedThere = async () => {
      await hook.happen({});
      return world.receiver.at(moved).length;
    };
    await expect.poll(pushedThere, polled).toBeGreaterThan(0);
  });

  it('a worker that starts pushes the events that waited for it', async () => {
    await world.worker.stop();
    const hook = await world.subscribe();
    await hook.happen({});
    // Numbers the event, so that only its endpoint is left to be found.
    expect(await hook.log()).toHaveLength(1);
    const worker = await startWorker(world.db, { deliveryLimits });
    await hook.expectPushes(1).finally(() => worker.stop());
  });
});
