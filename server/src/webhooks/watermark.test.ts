import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  eventIdsOf,
  openPushWorld,
  type PushWorld,
  type Subscriber,
  startWorker,
} from '../../test/harness/index.js';
import { releaseLeases, renewLeases } from './delivery/lease.store.js';
import { recordOutcome } from './delivery/record-outcome.js';
import { recordDeliveredAttempts } from './delivery/results.store.js';

const TOKEN = 'of an earlier holder';
const policy = { timeoutMs: 3_000, retryDelaysMs: [60_000], disableAfter: 10, headerPrefix: 'lotward' };

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
});
afterAll(() => world?.close());

const watermarkOf = async ({ webhookId }: Subscriber) => {
  const rows = await world.db.sql<{ watermark: number }>(
    'select settled_to::integer as watermark from webhook_states where webhook_id = $1',
    [webhookId],
  );
  return rows[0]?.watermark;
};

describe('a webhook disabled while an older push is in flight', () => {
  it('counts a younger delivered push as delivered, and recovers only the others', async () => {
    const hook = await world.subscribe();
    let isFirst = true;
    hook.answer(() => {
      const reply = isFirst ? ({ status: 500, afterMs: 2_500 } as const) : 204;
      isFirst = false;
      return reply;
    });
    await hook.happen({ entity: 'ord_older' });
    await hook.expectPushes(1);
    await hook.happen({ entity: 'ord_younger' });
    await hook.expectStatuses(['pending', 'delivered']);
    await hook.must('PATCH', '', { status: 'disabled' });
    await hook.happen({ entity: 'ord_missed' });
    // The worker stores missed events as skipped, starting at the watermark below the older push.
    await expect
      .poll(
        () => world.db.sql('select status from webhook_deliveries where webhook_id = $1', [hook.webhookId]),
        {
          timeout: 20_000,
        },
      )
      .toEqual([{ status: 'skipped' }, { status: 'skipped' }]);
    await hook.expectStatuses(['skipped', 'delivered', 'skipped']);
    expect(await hook.completeness()).toMatchObject({ matched: 3, delivered: 1, skipped: 2 });
    await hook.expectAttempts(1);
    await hook.must('POST', '/enable');
    const since = '2026-01-01T00:00:00Z';
    expect(await hook.must('POST', '/recover', { since })).toMatchObject({ skipped: 2, total: 2 });
    await hook.expectStatuses(['delivered', 'delivered', 'delivered']);
    const [, younger] = eventIdsOf(hook.pushes());
    expect(hook.pushes()).toHaveLength(4);
    expect(eventIdsOf(hook.pushes()).filter((id) => id === younger)).toHaveLength(1);
  });
});

describe('a webhook taken over from another worker', () => {
  it('continues from the watermark without repeating settled pushes beyond it', async () => {
    const hook = await world.subscribe();
    let isFirst = true;
    // The oldest push never ends, so the watermark stays below the ones delivered after it.
    hook.answer(() => {
      const reply = isFirst ? ('hang' as const) : 204;
      isFirst = false;
      return reply;
    });
    await hook.happen({ entity: 'ord_1' });
    await hook.expectPushes(1);
    await hook.happen({ entity: 'ord_2' }, { entity: 'ord_3' });
    await hook.expectStatuses(['pending', 'delivered', 'delivered']);
    expect(await watermarkOf(hook)).toBe(0);
    // The holder loses its lease, as if it had died.
    await world.db.sql(
      `update webhook_states set lease_token = null, lease_owner = null, leased_until = null where webhook_id = $1`,
      [hook.webhookId],
    );
    await expect.poll(() => hook.pushes().length, { timeout: 20_000 }).toBe(4);
    const ids = eventIdsOf(hook.pushes());
    expect(ids[3]).toBe(ids[0]);
    await hook.expectStatuses(['delivered', 'delivered', 'delivered']);
  });
});

/** Leased to a process that knows version 1 of the configuration; version 2 also subscribes to the only event there is. */
async function leasedBeforeChange(): Promise<Subscriber> {
  const hook = await world.subscribe();
  await world.leaseTo(hook, { token: TOKEN, owner: 'earlier', seconds: 3_600 });
  await hook.must('PATCH', '', { eventTypes: ['order.status_changed', 'expiry.warning'] });
  await hook.happen({ type: 'expiry.warning' });
  expect(await hook.log()).toHaveLength(1);
  return hook;
}

type Write = (hook: Subscriber, version: number) => Promise<unknown>;
const heldLease = ({ orgId, webhookId }: Subscriber, version: number) => ({
  orgId,
  webhookId,
  token: TOKEN,
  watermark: 1,
  version,
});
const writes: [string, Write][] = [
  [
    'a renewal',
    (hook, version) =>
      renewLeases(
        world.db.database.worker,
        [heldLease(hook, version)],
        new Date(world.db.clock.now().getTime() + 3_600_000),
      ),
  ],
  ['a release', (hook, version) => releaseLeases(world.db.database.worker, [heldLease(hook, version)])],
  [
    'the record of delivered pushes',
    (hook, version) =>
      recordDeliveredAttempts(world.db.database.worker, [{ ...heldLease(hook, version), attempts: [] }]),
  ],
  [
    'the record of other outcomes',
    (hook, version) =>
      recordOutcome(
        { database: world.db.database, policy, consoleUrl: 'https://lotward.example', adminEmail: null },
        heldLease(hook, version),
        { results: [], watermark: 1, version },
      ),
  ],
];

describe('a watermark', () => {
  beforeAll(() => world.worker.stop());

  it.each(writes)('of the current configuration is accepted by %s', async (_, write) => {
    const hook = await leasedBeforeChange();
    await write(hook, 2);
    expect(await watermarkOf(hook)).toBe(1);
  });

  it('of an older configuration is refused: an event of a type just subscribed to arrives', async () => {
    const hooks: Subscriber[] = [];
    for (const [writer, write] of writes) {
      const hook = await leasedBeforeChange();
      await write(hook, 1);
      expect.soft(await watermarkOf(hook), writer).toBe(0);
      hooks.push(hook);
    }
    await world.db.sql('update webhook_states set leased_until = null');
    const worker = await startWorker(world.db);
    for (const hook of hooks) await hook.expectPushes(1);
    await worker.stop();
  });
});
