import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService } from '../../test/harness/index.js';
import { happen } from '../../test/harness/worker.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import type { FeedEvent } from './feed-event.js';
import { sequenceAndRead, sequenceEvents } from './sequence-events.js';

const WRITERS = 4;
const EVENTS_EACH = 25;
const SEQUENCERS = 4;

describe('events that are numbered and read at once', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  beforeAll(async () => {
    service = await openTestService({ alone: true });
  });
  afterAll(() => service.close());

  const orgId = () => service.org.organization.orgId;
  const take = () => sequenceAndRead(service.db.database, orgId(), true, async (tx) => tx.orgId);
  const stored = () =>
    service.db.sql<{ position: number | null; eventId: string; body: string }>(
      'select position::integer, event_id as "eventId", body from events where org_id = $1 order by position',
      [orgId()],
    );

  it('have each position once and without a gap, and are read as they are stored, while many write and number', async () => {
    const read: FeedEvent[] = [];
    let isWriting = true;
    const write = async (writer: number) => {
      for (let n = 0; n < EVENTS_EACH; n++)
        await happen(service.db, orgId(), { entity: `ord_${writer}_${n}` });
    };
    const sequence = async () => {
      while (isWriting) read.push(...((await take()).read?.events ?? []));
    };
    const alsoByLock = async () => {
      while (isWriting) await sequenceEvents(service.db.database, orgId());
    };
    const sequencing = [...Array.from({ length: SEQUENCERS }, sequence), alsoByLock()];
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    isWriting = false;
    await Promise.all(sequencing);
    await sequenceEvents(service.db.database, orgId());
    const events = await stored();
    expect(events.map(({ position }) => position)).toEqual(
      Array.from({ length: WRITERS * EVENTS_EACH }, (_, i) => i + 1),
    );
    const byId = new Map(events.map((event) => [event.eventId, event]));
    for (const { eventId, position, body } of read)
      expect(byId.get(eventId)).toEqual({ eventId, position, body: body.toString() });
  });

  it('come with the answer of the other statement, and with the head when there are none', async () => {
    const { head } = await take();
    expect(await take()).toMatchObject({ head, hasMore: false, read: { events: [] }, also: orgId() });
    await happen(service.db, orgId(), { entity: 'ord_a' }, { entity: 'ord_b' });
    const { read, ...rest } = await take();
    expect(rest).toEqual({ head: head + 2, numbered: 2, hasMore: false, also: orgId() });
    expect(read?.events.map(({ entity, position }) => [entity, position])).toEqual([
      ['order ord_a', head + 1],
      ['order ord_b', head + 2],
    ]);
  });

  it('are numbered, but not read, where they are not wanted', async () => {
    const { head } = await take();
    await happen(service.db, orgId(), { entity: 'ord_c' }, { entity: 'ord_d' });
    const unread = await sequenceAndRead(service.db.database, orgId(), false, async (tx) => tx.orgId);
    expect(unread).toEqual({ head: head + 2, numbered: 2, hasMore: false, read: null, also: orgId() });
    expect((await stored()).slice(-2).map(({ position }) => position)).toEqual([head + 1, head + 2]);
  });

  it('wait for another process that is numbering, and come after it', async () => {
    await happen(service.db, orgId(), { entity: 'ord_before' });
    const { head } = await take();
    let taken: Promise<unknown> | undefined;
    const holder = systemPrincipal(orgId(), 'holder@test.example');
    await happen(service.db, orgId(), { entity: 'ord_held' });
    await transact(
      service.db.database,
      holder,
      async (tx) => {
        const lock = { name: 'hold_head', text: 'select 1 from event_heads where org_id = $1 for update' };
        await tx.query(lock, [tx.orgId]);
        taken = take();
        await expect.poll(() => service.db.waiting({ application: 'lotward worker' })).toHaveLength(1);
        tx.send({ name: 'move_head', text: 'update event_heads set position = position where org_id = $1' }, [
          tx.orgId,
        ]);
      },
      { as: 'worker' },
    );
    expect(await taken).toMatchObject({ head: head + 1 });
    expect((await stored()).at(-1)?.position).toBe(head + 1);
  });

  it('get an error of the other statement as their own', async () => {
    const failing = { name: 'fails', text: 'select 1 / (length($1) - length($1))' };
    await expect(
      sequenceAndRead(service.db.database, orgId(), true, (tx) => tx.query(failing, [tx.orgId])),
    ).rejects.toThrow('division by zero');
  });
});
