import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { verifyAudit } from '../../src/audit/index.js';
import { encodeCursor } from '../../src/platform/http/index.js';
import { verifyStock } from '../../src/stock/index.js';
import { onEveryNode } from '../harness/cluster.js';
import { eventIdsOf, openPushWorld, type PushWorld, type Subscriber } from '../harness/index.js';

interface Feed {
  items: { eventId: string }[];
  nextCursor: string;
}

const polled = { timeout: 60_000, interval: 50 };

/** Follows "After a restore" of docs/guides/production.md; the processes live on, as in a failover. */
describe('after a restore from a backup', () => {
  let world: PushWorld;
  let hook: Subscriber;
  let name: string;
  beforeAll(async () => {
    world = await openPushWorld();
    hook = await world.subscribe();
    name = new URL(world.db.url).pathname.slice(1);
  });
  afterAll(async () => {
    await world?.close();
    await asAdmin(`drop database if exists ${name}_backup with (force)`);
  });

  const asAdmin = (...statements: string[]) => onEveryNode(inject('postgresUrl'), ...statements);
  /** On every node before the next step: a node that goes on would write what the copies of others lack. */
  const shut = () =>
    asAdmin(
      `alter database ${name} allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
  const backUp = async () => {
    await shut();
    await asAdmin(`create database ${name}_backup template ${name}`);
    await asAdmin(`alter database ${name} allow_connections true`);
  };
  const restore = async () => {
    await shut();
    await asAdmin(`drop database ${name}`, `create database ${name} template ${name}_backup`);
  };

  const read = (after?: string) =>
    world.api.call<Feed>('GET', `/v2/events?limit=200${after ? `&after=${after}` : ''}`, undefined, hook.key);
  const readFeed = async (after?: string): Promise<Feed> => {
    await expect.poll(async () => (await read(after)).status, polled).toBe(200);
    return (await read(after)).data;
  };
  let orders = 0;
  const happen = async (count: number) => {
    for (let i = 0; i < count; i++) await hook.happen({ entity: `ord_${++orders}` });
  };

  it('no partner misses an event: cursors and marks of the lost history are not followed', async () => {
    await happen(3);
    const early = await readFeed();
    expect(early.items).toHaveLength(3);
    await hook.expectPushes(3);
    await expect.poll(async () => (await hook.completeness()).delivered, polled).toBe(3);
    await backUp();
    await expect.poll(async () => (await read()).status, polled).toBe(200);

    // Lost later: read and pushed before the restore.
    await happen(4);
    const late = await readFeed(early.nextCursor);
    expect(late.items).toHaveLength(4);
    await hook.expectPushes(7);
    await restore();

    // A partner that reads before anything new happens, by a cursor of now and by one of an older version.
    await expect.poll(async () => (await read(late.nextCursor)).reason, polled).toBe('cursor_ahead');
    const refused = await read(late.nextCursor);
    expect([refused.status, refused.code]).toEqual([400, 1001]);
    expect((await read(encodeCursor('events', ['7']))).reason).toBe('cursor_ahead');
    expect((await readFeed(early.nextCursor)).items).toEqual([]);

    // Positions are assigned again, beyond the partner's cursor.
    await happen(6);
    const fresh = (await readFeed(early.nextCursor)).items.map((item) => item.eventId);
    expect(fresh).toHaveLength(6);
    expect((await read(late.nextCursor)).reason).toBe('cursor_ahead');
    expect((await readFeed(encodeCursor('events', ['3']))).items).toHaveLength(6);

    // As the guide says, the partner starts again without a cursor and skips the events that it has.
    const known = new Set([...early.items, ...late.items].map((item) => item.eventId));
    const again = (await readFeed()).items.map((item) => item.eventId);
    expect(again.filter((id) => !known.has(id))).toEqual(fresh);

    // As the guide says, the operator verifies the books.
    const { orgId } = hook;
    expect(await verifyStock(world.db.database, orgId)).toMatchObject({ ok: true });
    expect(await verifyAudit(world.db.database, orgId)).toMatchObject({ ok: true });

    // The worker, which remembers the lost positions as pushed, pushes every new event.
    await expect.poll(() => fresh.every((id) => eventIdsOf(hook.pushes()).includes(id)), polled).toBe(true);
    await expect
      .poll(() => hook.completeness(), polled)
      .toMatchObject({ matched: 9, delivered: 9, pending: 0, missingEventIds: [] });
  });
});
