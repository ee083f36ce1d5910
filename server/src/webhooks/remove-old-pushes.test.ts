import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushWorld, type PushWorld } from '../../test/harness/index.js';
import { removeOldEventsEverywhere } from '../events/index.js';
import { removeOldPushes } from './remove-old-pushes.js';

const DAY_MS = 86_400_000;

describe('the deliveries of purged events', () => {
  let world: PushWorld;
  beforeAll(async () => {
    world = await openPushWorld();
  });
  afterAll(() => world.close());

  const rows = async (webhookId: string) => {
    const [counted] = await world.db.sql<{ attempts: string; deliveries: string; webhooks: string }>(
      `select (select count(*) from webhook_attempts where webhook_id = $1) as attempts,
        (select count(*) from webhook_deliveries where webhook_id = $1) as deliveries,
        (select count(*) from webhooks where webhook_id = $1) as webhooks`,
      [webhookId],
    );
    return Object.values(counted ?? {}).map(Number);
  };
  const grow = async (days: number) => {
    world.clock.advance(days * DAY_MS);
    await removeOldEventsEverywhere(world.db.database);
    await removeOldPushes(world.db.database);
  };

  it('are purged with them, and no younger ones; a deleted webhook is purged with its last delivery', async () => {
    const failing = await world.subscribe();
    failing.answer(500);
    const gone = await world.subscribe();
    for (const hook of [failing, gone]) await hook.happen({}, {});
    await failing.expectStatuses(['retrying', 'retrying']);
    await gone.expectStatuses(['delivered', 'delivered']);
    await gone.must('DELETE');
    await grow(50);
    failing.answer(200);
    expect(await rows(gone.webhookId)).toEqual([2, 0, 1]);
    await failing.happen({});
    // The retries were due long ago and have been sent meanwhile.
    await failing.expectStatuses(['delivered', 'delivered', 'delivered']);
    expect(await rows(failing.webhookId)).toEqual([5, 2, 1]);
    await grow(41);
    expect(await rows(failing.webhookId)).toEqual([1, 0, 1]);
    expect(await rows(gone.webhookId)).toEqual([0, 0, 0]);
    expect(await failing.completeness()).toMatchObject({ matched: 1, delivered: 1 });
  });

  it('are purged in one run, even beyond two batches of 1,000', async () => {
    const hook = await world.subscribe();
    await hook.happen({});
    await hook.expectStatuses(['delivered']);
    await world.db.sql(
      `insert into webhook_attempts (org_id, webhook_id, position, attempt, at, duration_ms, delivered, status)
       select org_id, webhook_id, position - i, 1, at, 1, true, 204 from webhook_attempts, generate_series(1, 2499) i
       where webhook_id = $1`,
      [hook.webhookId],
    );
    expect(await rows(hook.webhookId)).toEqual([2_500, 0, 1]);
    await grow(91);
    expect(await rows(hook.webhookId)).toEqual([0, 0, 1]);
  });
});
