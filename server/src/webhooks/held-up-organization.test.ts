import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  LOCAL_WEBHOOKS,
  newOrganization,
  openPushWorld,
  type PushWorld,
  type Subscriber,
} from '../../test/harness/index.js';

const polled = { timeout: 60_000, interval: 20 };
/** More than a worker has connections. */
const WEBHOOKS = 12;
const PUSHES = 5;
vi.setConfig({ testTimeout: 120_000 });
afterAll(() => vi.resetConfig());

let world: PushWorld;
let other: pg.Client;
beforeAll(async () => {
  world = await openPushWorld({ webhooks: { ...LOCAL_WEBHOOKS, timeoutMs: 60_000 } });
  other = new pg.Client({ connectionString: world.db.url, options: '-c search_path=lotward,public' });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await world.close();
});

/** The statements of the worker that wait for a lock, each with the instant at which it began to. */
const waiting = (): Promise<string[]> => world.db.waiting({ application: 'lotward worker' });

/** Holds locks of an organization for the time of `work`. */
async function withLocked(text: string, orgId: string, work: () => Promise<void>): Promise<void> {
  await other.query('begin');
  await other.query(text, [orgId]);
  await work().finally(() => other.query('rollback'));
}

describe('pushes are made', () => {
  it('while the events of another organization cannot be numbered', async () => {
    const attacker = await world.subscribe();
    const victim = await world.subscribe();
    for (const hook of [attacker, victim]) await hook.happen({});
    for (const hook of [attacker, victim]) await hook.expectPushes(1);
    await withLocked('select 1 from event_heads where org_id = $1 for update', attacker.orgId, async () => {
      await attacker.happen({});
      await expect.poll(waiting, polled).toHaveLength(1);
      const before = await waiting();
      for (let n = 1; n <= PUSHES; n++) {
        await victim.happen({ entity: `ord_${n}` });
        await victim.expectPushes(1 + n);
      }
      // Not because the wait had an end.
      expect(await waiting()).toEqual(before);
    });
    await attacker.expectPushes(2);
  });

  it('while the results of another organization cannot be recorded, which takes two connections', async () => {
    const org = await newOrganization(world.db);
    const attackers: Subscriber[] = [];
    for (let n = 0; n < WEBHOOKS; n++) attackers.push(await world.subscribe({ org }));
    const victim = await world.subscribe();
    for (const hook of attackers) hook.answer(500);
    const lock = 'select 1 from webhook_states where org_id = $1 for update';
    await victim.happen({});
    await victim.expectPushes(1);
    await attackers[0]?.happen({});
    for (const hook of attackers) await hook.expectStatuses(['retrying']);
    await withLocked(lock, org.organization.orgId, async () => {
      await attackers[0]?.happen({ entity: 'ord_next' });
      for (const hook of attackers) await hook.expectPushes(2);
      await expect.poll(async () => (await waiting()).length, polled).toBeGreaterThanOrEqual(2);
      const before = await waiting();
      for (let n = 1; n <= PUSHES; n++) {
        await victim.happen({ entity: `ord_${n}` });
        await victim.expectPushes(1 + n);
      }
      const after = await waiting();
      // Not because the wait had an end.
      expect(after).toEqual(expect.arrayContaining(before));
      expect(after.length).toBeLessThan(WEBHOOKS / 2);
    });
    for (const hook of attackers) await hook.expectStatuses(['retrying', 'retrying']);
  });
});
