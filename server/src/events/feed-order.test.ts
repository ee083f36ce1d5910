import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService } from '../../test/harness/index.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import type { EventType } from './event-catalogue.js';
import { publishEvents } from './publish-event.js';
import { removeOldEventsEverywhere } from './remove-old-events.js';
import { sequenceEvents } from './sequence-events.js';

interface Feed {
  items: { eventId: string; eventType: string; timestamp: string; data: { orderId: string } }[];
  nextCursor: string;
  hasMore: boolean;
}

const MINUTE = 60_000;
const DAY = 86_400_000;

describe('the event feed', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  let began: string;
  beforeAll(async () => {
    service = await openTestService();
    began = now();
    for (const [entity, customer] of [['A', 'HOSP-1'], ['B'], ['C'], ['D', 'HOSP-1'], ['E']] as const) {
      service.db.clock.advance(MINUTE);
      await publish(entity, { customer });
    }
  });
  afterAll(() => service.close());

  const now = () => service.db.clock.now().toISOString();
  const afterMinutes = (minutes: number, ms = 0) =>
    new Date(Date.parse(began) + minutes * MINUTE + ms).toISOString();
  const publish = (entity: string, given: { customer?: string | undefined; at?: Date } = {}) => {
    const { customer = null, at = service.db.clock.now() } = given;
    const actor = systemPrincipal(service.org.organization.orgId, 'writer@test.example');
    const data = {
      orderId: entity,
      orderNo: entity,
      customerCode: customer ?? 'OTHER',
      previousStatus: 'approved',
      currentStatus: 'dispatched',
      changedBy: 'writer@test.example',
      changedAt: now(),
    };
    const type: EventType = 'order.status_changed';
    return transact(service.db.database, actor, (tx) =>
      publishEvents(tx, [
        { type, at, entity: { type: 'order', id: entity, version: 1 }, customerCode: customer, data },
      ]),
    );
  };
  const ask = (query: Record<string, string>, key?: string) =>
    service.call<Feed>('GET', `/v2/events?${new URLSearchParams(query)}`, undefined, key);
  const read = async (query: Record<string, string>, key?: string): Promise<Feed> => {
    const answer = await ask(query, key);
    expect(answer.status, answer.text).toBe(200);
    return answer.data;
  };
  const namesIn = ({ items }: Feed) => items.map((item) => item.data.orderId).join('');
  /** Page by page, to the end. */
  const walk = async (query: Record<string, string>, key?: string) => {
    const pages: string[] = [];
    let after: string | undefined;
    for (let hasMore = true; hasMore; ) {
      const page: Feed = await read({ ...query, ...(after === undefined ? {} : { after }) }, key);
      pages.push(namesIn(page));
      ({ nextCursor: after, hasMore } = page);
    }
    return { pages, nextCursor: after ?? '' };
  };

  it('in descending order is the same backwards, however it is cut into pages', async () => {
    expect(namesIn(await read({}))).toBe('ABCDE');
    expect(namesIn(await read({ order: 'asc' }))).toBe('ABCDE');
    for (const [limit, pages] of [
      ['1', ['E', 'D', 'C', 'B', 'A']],
      ['2', ['ED', 'CB', 'A']],
      ['5', ['EDCBA']],
    ] as const)
      expect((await walk({ order: 'desc', limit })).pages).toEqual(pages);
  });

  it('in descending order shows no event twice while new ones come, and nothing behind the oldest', async () => {
    const first = await read({ order: 'desc', limit: '2' });
    await publish('F');
    const query = { order: 'desc', limit: '9', after: first.nextCursor };
    const rest = await read(query);
    expect([namesIn(rest), rest.hasMore]).toEqual(['CBA', false]);
    const behind = await read({ ...query, after: rest.nextCursor });
    expect([namesIn(behind), behind.hasMore, behind.nextCursor]).toEqual(['', false, rest.nextCursor]);
  });

  it.each([
    [0, 0, 'ABCDEF'],
    [1, 0, 'ABCDEF'],
    [1, 1, 'BCDEF'],
    [3, 0, 'CDEF'],
    [5, 1, ''],
  ])('since %i minutes and %i ms begins with what happened then', async (minutes, ms, names) => {
    const since = afterMinutes(minutes, ms);
    expect(namesIn(await read({ since }))).toBe(names);
    expect((await walk({ since, limit: '1' })).pages.join('')).toBe(names);
    const backwards = [...names].reverse().join('');
    expect(namesIn(await read({ since, order: 'desc' }))).toBe(backwards);
    expect((await walk({ since, order: 'desc', limit: '1' })).pages.join('')).toBe(backwards);
  });

  it('since an instant goes on by its cursor alone, also where nothing has happened yet', async () => {
    const page = await read({ since: afterMinutes(4), limit: '1' });
    expect(namesIn(page)).toBe('D');
    expect(namesIn(await read({ after: page.nextCursor }))).toBe('EF');
    const { nextCursor, items } = await read({ since: afterMinutes(500) });
    expect(items).toEqual([]);
    service.db.clock.advance(MINUTE);
    await publish('G');
    expect(namesIn(await read({ after: nextCursor }))).toBe('G');
  });

  it('since an instant has what happened then although it was committed after what happened later', async () => {
    service.db.clock.advance(MINUTE);
    const since = now();
    await publish('LATER', { at: new Date(Date.parse(since) + 20_000) });
    await read({ limit: '1' });
    await publish('FIRST', { at: new Date(since) });
    await read({ limit: '1' });
    await publish('BEFORE', { at: new Date(Date.parse(since) - 1) });
    const shown = (await read({ since })).items.map((item) => item.data.orderId);
    expect(shown).toEqual(['LATER', 'FIRST']);
  });

  it('shows a bound credential its own events in either order', async () => {
    const scopes = ['events:read', 'orders:read'];
    const { apiKey } = await service.org.newKey({ scopes, customerCode: 'HOSP-1' });
    expect(namesIn(await read({ order: 'desc' }, apiKey))).toBe('DA');
    expect(namesIn(await read({ since: afterMinutes(2) }, apiKey))).toBe('D');
    expect((await walk({ order: 'desc', limit: '1' }, apiKey)).pages).toEqual(['D', 'A']);
  });

  it('takes several types, and refuses those of an area the credential may not read', async () => {
    const { apiKey } = await service.org.newKey({ scopes: ['events:read', 'orders:read'] });
    const types = 'eventType=inventory.low_stock&eventType=order.status_changed';
    const both = await service.call<Feed>('GET', `/v2/events?${types}&limit=1`);
    expect(namesIn(both.data)).toBe('A');
    const refused = await service.call('GET', `/v2/events?${types}`, undefined, apiKey);
    expect([refused.status, refused.reason]).toEqual([403, 'scope_missing']);
    expect((await ask({ eventType: 'nonsense' })).reason).toBe('not_allowed');
  });

  it('takes a cursor in its own order only, and refuses what is no position, no instant and no order', async () => {
    const at = (position: string) => Buffer.from(JSON.stringify(['events', position])).toString('base64url');
    const forwards = (await read({ limit: '1' })).nextCursor;
    const backwards = (await read({ limit: '1', order: 'desc' })).nextCursor;
    for (const [query, reason] of [
      [{ after: forwards, order: 'desc' }, 'bad_cursor'],
      [{ after: backwards }, 'bad_cursor'],
      [{ after: at('first') }, 'bad_cursor'],
      [{ after: at('1.5') }, 'bad_cursor'],
      [{ after: at('-1') }, 'bad_cursor'],
      [{ since: 'yesterday' }, 'bad_format'],
      [{ order: 'newest' }, 'not_allowed'],
    ] as const) {
      const answer = await ask(query);
      expect([answer.status, answer.reason]).toEqual([400, reason]);
    }
  });

  it('since an instant before retention begins with the oldest, and backwards it ends there', async () => {
    const old = await read({ order: 'desc', limit: '3' });
    const { nextCursor: oldest } = await read({ limit: '1' });
    service.db.clock.advance(91 * DAY);
    await publish('FRESH');
    await sequenceEvents(service.db.database, service.org.organization.orgId);
    expect(await removeOldEventsEverywhere(service.db.database)).toBeGreaterThan(0);
    expect(namesIn(await read({ since: began }))).toBe('FRESH');
    expect(namesIn(await read({ since: began, order: 'desc' }))).toBe('FRESH');
    expect((await ask({ after: oldest })).reason).toBe('cursor_expired');
    const behind = await read({ order: 'desc', after: old.nextCursor });
    expect([behind.items, behind.hasMore]).toEqual([[], false]);
  });
});
