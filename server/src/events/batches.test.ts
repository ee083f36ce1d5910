import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestService } from '../../test/harness/index.js';
import { happen } from '../../test/harness/worker.js';
import { removeOldEventsEverywhere } from './remove-old-events.js';
import { sequenceNextEvents } from './sequence-events.js';

/** More than two batches of 1,000. */
const EVENTS = 2_500;

describe('more events than fit into one batch', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  beforeAll(async () => {
    service = await openTestService({ alone: true });
  });
  afterAll(() => service.close());

  const orgId = () => service.org.organization.orgId;
  const count = async (condition: string) => {
    const [row] = await service.db.sql<{ count: number }>(
      `select count(*)::integer as count from events where org_id = $1 and ${condition}`,
      [orgId()],
    );
    return row?.count;
  };
  async function writeEvents(): Promise<void> {
    await happen(service.db, orgId(), { entity: 'ord_0' });
    await service.db.sql(
      `insert into events (org_id, event_id, event_type, at, entity_type, entity_id, entity_version, body)
       select org_id, 'evt_' || lpad(i::text, 26, '0'), event_type, at, entity_type, 'ord_' || i, 1, body
       from events, generate_series(1, $2::integer) i where org_id = $1`,
      [orgId(), EVENTS - 1],
    );
  }

  it('are numbered batch by batch, and all of them before the feed is read', async () => {
    await writeEvents();
    expect(await sequenceNextEvents(service.db.database, orgId())).toEqual({
      head: 1_000,
      numbered: 1_000,
      hasMore: true,
    });
    expect(await count('position is null')).toBe(EVENTS - 1_000);
    const page = await service.call<{ items: object[]; hasMore: boolean }>('GET', '/v2/events?limit=1');
    expect([page.status, page.data.hasMore]).toEqual([200, true]);
    expect(await count('position is null')).toBe(0);
    expect(await sequenceNextEvents(service.db.database, orgId())).toEqual({
      head: EVENTS,
      numbered: 0,
      hasMore: false,
    });
    const [places] = await service.db.sql<{ distinct: number; last: number }>(
      'select count(distinct position)::integer as distinct, max(position)::integer as last from events where org_id = $1',
      [orgId()],
    );
    expect(places).toEqual({ distinct: EVENTS, last: EVENTS });
  });

  it('are all removed when they are old, in one run', async () => {
    service.db.clock.advance(90 * 86_400_000);
    expect(await removeOldEventsEverywhere(service.db.database)).toBe(0);
    service.db.clock.advance(1);
    expect(await removeOldEventsEverywhere(service.db.database)).toBe(EVENTS);
    expect(await count('true')).toBe(0);
  });
});
