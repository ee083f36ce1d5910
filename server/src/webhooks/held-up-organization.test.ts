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
/** More than are numbered first, in more organizations than a worker has connections. */
const WAITING = 1_001;
const BACKLOGS = 12;
vi.setConfig({ testTimeout: 120_000 });
afterAll(() => vi.resetConfig());

let world: PushWorld;
let other: pg.Client;
beforeAll(async () => {
  world = await openPushWorld({ webhooks: { ...LOCAL_WEBHOOKS, timeoutMs: 60_000 } });
  other = await connect();
});
afterAll(async () => {
  await other.end();
  await world.close();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: world.db.url, options: '-c search_path=lotward,public' });
  await client.connect();
  return client;
}

/** The statements of the worker that wait for a lock, each with the instant at which it began to. */
const waiting = (): Promise<string[]> => world.db.waiting({ application: 'lotward worker' });

/** Holds locks of an organization for the time of `work`. */
async function withLocked(text: string, orgIds: readonly string[], work: () => Promise<void>): Promise<void> {
  await other.query('begin');
  for (const orgId of orgIds) await other.query(text, [orgId]);
  await work().finally(() => other.query('rollback'));
}

describe('pushes are made', () => {
  it('while the events of another organization cannot be numbered', async () => {
    const attacker = await world.subscribe();
    const victim = await world.subscribe();
    for (const hook of [attacker, victim]) await hook.happen({});
    for (const hook of [attacker, victim]) await hook.expectPushes(1);
    await withLocked('select 1 from event_heads where org_id = $1 for update', [attacker.orgId], async () => {
      await attacker.happen({});
      await expect.poll(waiting, polled).toHaveLength(1);
      const before = await waiting();
      for (let n = 1; n <= PUSHES; n++) {
        await victim.happen({ entity: `ord_${n}` });
        await victim.expectPushes(1 + n);
      }
      // Progress must not depend on the locks being released: the same statements still wait.
      expect(await waiting()).toEqual(before);
    });
    await attacker.expectPushes(2);
  });

  it('while waiting events of more organizations than there are connections cannot be numbered', async () => {
    const victim = await world.subscribe();
    await victim.happen({});
    await victim.expectPushes(1);
    const orgIds: string[] = [];
    for (let n = 0; n < BACKLOGS; n++) orgIds.push((await newOrganization(world.db)).organization.orgId);
    await world.db.sql(
      `insert into event_heads (org_id, position) select org, 0 from unnest($1::text[]) org
       on conflict (org_id) do nothing`,
      [orgIds],
    );
    const heads = await connect();
    await heads.query('begin');
    for (const orgId of orgIds) {
      await heads.query('select 1 from event_heads where org_id = $1 for update', [orgId]);
      await world.db.sql(
        `insert into events (org_id, event_id, event_type, at, entity_type, entity_id, entity_version, body)
         select $1, 'evt_' || lpad(i::text, 26, '0'), 'order.status_changed', $2, 'order', 'ord_' || i, i, '{}'
         from generate_series(1, $3::integer) i`,
        [orgId, world.clock.now(), WAITING],
      );
    }
    await withLocked(
      `select 1 from events where org_id = $1 and entity_version = ${WAITING} for update`,
      orgIds,
      async () => {
        // Announced again while the first of them are being numbered.
        for (let n = 0; n < 2; n++)
          await world.db.sql(
            `select pg_notify('lotward', 'events ' || org || ' elsewhere') from unnest($1::text[]) org`,
            [orgIds],
          );
        await expect.poll(async () => (await waiting()).length, polled).toBeGreaterThanOrEqual(2);
        await heads.query('rollback');
        const begun = 'select org_id from event_heads where org_id = any($1) and position > 0';
        await expect.poll(() => world.db.sql(begun, [orgIds]), polled).toHaveLength(BACKLOGS);
        await expect.poll(async () => (await waiting()).length, polled).toBeGreaterThanOrEqual(2);
        const before = await waiting();
        await victim.happen({ entity: 'ord_next' });
        await victim.expectPushes(2);
        // Progress must not depend on the locks being released: the same statements still wait.
        expect(await waiting()).toEqual(expect.arrayContaining(before));
      },
    );
    await heads.end();
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
    await withLocked(lock, [org.organization.orgId], async () => {
      await attackers[0]?.happen({ entity: 'ord_next' });
      for (const hook of attackers) await hook.expectPushes(2);
      await expect.poll(async () => (await waiting()).length, polled).toBeGreaterThanOrEqual(2);
      const before = await waiting();
      for (let n = 1; n <= PUSHES; n++) {
        await victim.happen({ entity: `ord_${n}` });
        await victim.expectPushes(1 + n);
      }
      const after = await waiting();
      // Progress must not depend on the locks being released: the same statements still wait.
      expect(after).toEqual(expect.arrayContaining(before));
      expect(after.length).toBeLessThan(WEBHOOKS / 2);
    });
    for (const hook of attackers) await hook.expectStatuses(['retrying', 'retrying']);
  });
});
