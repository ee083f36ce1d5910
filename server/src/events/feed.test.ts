import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService, sized } from '../../test/harness/index.js';
import { recordAudit } from '../audit/index.js';
import { transact } from '../platform/database/index.js';
import { compile } from '../platform/http/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { sampleOf } from '../webhooks/samples.rules.js';
import { EVENT_TYPES, type EventType } from './event-catalogue.js';
import { publishEvents } from './publish-event.js';
import { removeOldEventsEverywhere } from './remove-old-events.js';
import { sequenceEvents } from './sequence-events.js';

interface Feed {
  items: { eventId: string; eventType: string; data: { orderId: string; currentStatus: string } }[];
  nextCursor: string;
  hasMore: boolean;
}

describe('the event feed', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  beforeAll(async () => {
    service = await openTestService();
  });
  afterAll(() => service.close());

  const orgId = () => service.org.organization.orgId;
  const actor = () => systemPrincipal(orgId(), 'writer@test.example');
  const read = async (after: string | undefined, limit = 200): Promise<Feed> => {
    const query = `limit=${limit}${after === undefined ? '' : `&after=${after}`}`;
    const answer = await service.call<Feed>('GET', `/v2/events?${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.data;
  };
  const event = (entity: string, version: number, customerCode: string | null = null) => ({
    type: 'order.status_changed' as const,
    at: service.db.clock.now(),
    entity: { type: 'order', id: entity, version },
    customerCode,
    data: {
      orderId: entity,
      orderNo: entity,
      customerCode: customerCode ?? 'HOSP-1',
      previousStatus: String(version - 1),
      currentStatus: String(version),
      changedBy: 'writer@test.example',
      changedAt: service.db.clock.now().toISOString(),
    },
  });

  it('a reader that follows the cursor sees every committed event exactly once, in the order of its entity', async () => {
    const writers = 32;
    const each = sized(12, 400);
    const seen: Feed['items'] = [];
    let cursor = (await read(undefined)).nextCursor;
    let writing = true;
    const committed = new Set<string>();
    let rolledBack = 0;

    const write = async (writer: number) => {
      for (let version = 1; version <= each; version++) {
        await transact(service.db.database, actor(), async (tx) => {
          await publishEvents(tx, [event(`E-${writer}`, version)]);
          // Commits in another order than the events were written: some linger inside the database.
          await tx.query({ name: 'linger', text: 'select pg_sleep($1)' }, [
            ((writer * 7 + version * 13) % 40) / 1000,
          ]);
          if ((writer + version) % 11 === 0) throw new Error('changed my mind');
        }).then(
          () => committed.add(`E-${writer} ${version}`),
          () => {
            rolledBack++;
          },
        );
      }
    };
    const readFeed = async () => {
      for (;;) {
        const last = !writing;
        const page = await read(cursor, 7);
        seen.push(...page.items);
        cursor = page.nextCursor;
        if (last && !page.hasMore) return;
      }
    };
    const sequence = async () => {
      while (writing) await sequenceEvents(service.db.database, orgId());
    };
    const background = [readFeed(), sequence(), sequence()];
    await Promise.all(Array.from({ length: writers }, (_, i) => write(i)));
    writing = false;
    await Promise.all(background);

    console.log(`feed: ${writers} writers, ${committed.size} committed, ${rolledBack} rolled back`);
    expect(rolledBack).toBeGreaterThan(0);
    expect(new Set(seen.map((item) => item.eventId)).size).toBe(seen.length);
    expect(new Set(seen.map((item) => `${item.data.orderId} ${item.data.currentStatus}`))).toEqual(committed);
    const lastOf = new Map<string, number>();
    for (const item of seen) {
      const version = Number(item.data.currentStatus);
      expect(version).toBeGreaterThan(lastOf.get(item.data.orderId) ?? 0);
      lastOf.set(item.data.orderId, version);
    }
  });

  const end = async (): Promise<string> => {
    let page = await read(undefined);
    while (page.hasMore) page = await read(page.nextCursor);
    return page.nextCursor;
  };

  it('a page that ends with the last event says that there is no more', async () => {
    const after = await end();
    await transact(service.db.database, actor(), (tx) =>
      publishEvents(tx, [event('E-PAGE', 1), event('E-PAGE', 2)]),
    );
    expect(await read(after, 1)).toMatchObject({ hasMore: true });
    expect(await read(after, 2)).toMatchObject({ hasMore: false });
  });

  it('what was written before an answer is in the feed right after it', async () => {
    const nextCursor = await end();
    await transact(service.db.database, actor(), (tx) => publishEvents(tx, [event('NOW', 1)]));
    expect((await read(nextCursor)).items.map((item) => item.data.orderId)).toEqual(['NOW']);
  });

  it('a credential sees only the types of its areas, and a bound one only its own events', async () => {
    const nextCursor = await end();
    await transact(service.db.database, actor(), (tx) =>
      publishEvents(tx, [event('MINE', 1, 'HOSP-1'), event('ELSE', 1, 'OTHER')]),
    );
    const narrow = await service.org.newKey({ scopes: ['events:read', 'inventory:read'] });
    expect(
      (await service.call<Feed>('GET', `/v2/events?after=${nextCursor}`, undefined, narrow.apiKey)).data
        .items,
    ).toEqual([]);
    expect(
      (await service.call('GET', '/v2/events?eventType=order.status_changed', undefined, narrow.apiKey)).code,
    ).toBe(1003);
    const bound = await service.org.newKey({
      scopes: ['events:read', 'orders:read'],
      customerCode: 'HOSP-1',
    });
    const own = await service.call<Feed>('GET', `/v2/events?after=${nextCursor}`, undefined, bound.apiKey);
    expect(own.data.items.map((item) => item.data.orderId)).toEqual(['MINE']);
  });

  it('an event that does not fit its schema is not stored, nor is its change or another event of it', async () => {
    const nextCursor = await end();
    const broken = { ...event('BAD', 1), data: { orderId: 'BAD' } };
    const change = transact(service.db.database, actor(), async (tx) => {
      await recordAudit(tx, { action: 'order.update', entityType: 'order', entityId: 'BAD' });
      await publishEvents(tx, [event('GOOD', 1)]);
      await publishEvents(tx, [event('GOOD', 2), broken]);
    });
    await expect(change).rejects.toThrow('order.status_changed does not fit its schema');
    expect((await read(nextCursor)).items).toEqual([]);
    const stored = await service.db.sql(
      `select entity_id from events where entity_id = any($1) union all select entity_id from audit_entries where entity_id = any($1)`,
      [['GOOD', 'BAD']],
    );
    expect(stored).toEqual([]);
  });

  it('events older than 90 days are removed, and a cursor from before is refused', async () => {
    const old = await read(undefined, 1);
    service.db.clock.advance(91 * 86_400_000);
    await transact(service.db.database, actor(), (tx) => publishEvents(tx, [event('FRESH', 1)]));
    await sequenceEvents(service.db.database, orgId());
    expect(await removeOldEventsEverywhere(service.db.database)).toBeGreaterThan(0);
    expect((await service.call('GET', `/v2/events?after=${old.nextCursor}`)).reason).toBe('cursor_expired');
    expect((await read(undefined)).items.map((item) => item.data.orderId)).toEqual(['FRESH']);
  });

  it('the published schemas accept an event of their type, and none without one of its fields', async () => {
    const answer = await service.api.call<{ items: { eventType: string; schema: object }[] }>(
      'GET',
      '/v2/event-types',
    );
    expect(answer.status).toBe(200);
    expect(answer.data.items.map((item) => item.eventType).sort()).toEqual([...EVENT_TYPES].sort());
    for (const { eventType, schema } of answer.data.items) {
      const judge = compile(Type.Unsafe(schema), 'body');
      const data = sampleOf(eventType as EventType, service.db.clock.now());
      const sample = { eventId: 'evt_1', eventType, timestamp: '2026-11-15T10:00:00.000Z', data };
      expect(judge(sample), eventType).toBeNull();
      expect(judge({ ...sample, eventType: 'another.type' }), eventType).not.toBeNull();
      for (const field of Object.keys(data)) {
        const incomplete = Object.fromEntries(Object.entries(data).filter(([name]) => name !== field));
        expect(judge({ ...sample, data: incomplete }), `${eventType} without ${field}`).not.toBeNull();
      }
    }
  });
});
