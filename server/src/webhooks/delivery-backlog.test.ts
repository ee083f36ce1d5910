import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushWorld, type PushWorld, sized, startWorker } from '../../test/harness/index.js';

const BACKLOG = sized(5_000, 10_000);

describe('after an outage of all workers', () => {
  let world: PushWorld;
  beforeAll(async () => {
    world = await openPushWorld();
  });
  afterAll(() => world?.close());

  it('pushing begins with the first events numbered, not after the last', async () => {
    const hook = await world.subscribe();
    await world.worker.stop();
    await hook.happen({ entity: 'ord_first' });
    const orgId = hook.orgId;
    await world.db.sql(
      `insert into events (org_id, event_id, event_type, at, entity_type, entity_id, entity_version, body)
       select org_id, 'evt_' || lpad(i::text, 26, '0'), event_type, at + i * interval '1 microsecond', entity_type, 'ord_' || i, 1, body
       from events, generate_series(1, $2::integer) i where org_id = $1`,
      [orgId, BACKLOG],
    );
    const unnumbered = async () =>
      (
        await world.db.sql<{ count: number }>(
          'select count(*)::integer as count from events where org_id = $1 and position is null',
          [orgId],
        )
      )[0]?.count;
    const atFirstPush = new Promise((resolve) => {
      hook.answer(() => {
        resolve(unnumbered());
        return 200;
      });
    });
    expect(await unnumbered()).toBe(BACKLOG + 1);
    const worker = await startWorker(world.db);
    expect(await atFirstPush).toBeGreaterThan(0);
    await expect.poll(unnumbered, { timeout: 20_000, interval: 50 }).toBe(0);
    await worker.stop();
  });
});
