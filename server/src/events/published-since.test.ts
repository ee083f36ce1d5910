import { afterAll, beforeAll, expect, it } from 'vitest';
import { happen, newOrganization, openTestDatabase, type TestDatabase } from '../../test/harness/index.js';
import { FEED_TYPES } from './event-catalogue.js';
import { publishedSince } from './published-since.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

/** A new organization with a warning and then a change of an order in its feed. */
async function openFeed() {
  const { orgId } = (await newOrganization(db)).organization;
  const since = (after: Awaited<ReturnType<typeof publishedSince>>['place'] | null) =>
    publishedSince(db.database, orgId, after);
  const { place: empty } = await since(null);
  await happen(db, orgId, { type: 'expiry.warning', entity: 'first' });
  const { place: first } = await since(null);
  await happen(db, orgId, { type: 'order.status_changed', entity: 'second' });
  const { place: second } = await since(null);
  return { orgId, since, places: [empty, first, second] as const };
}

it('the types published after a place are those of later events, up to the last one, numbered or not', async () => {
  const { orgId, since, places } = await openFeed();
  const [empty, first, second] = places;
  expect(places.map(({ position }) => position)).toEqual([0, 1, 2]);
  expect((await since(empty)).types.toSorted()).toEqual(['expiry.warning', 'order.status_changed']);
  expect(await since(first)).toEqual({ place: second, types: ['order.status_changed'] });
  expect(await since(second)).toEqual({ place: second, types: [] });
  await happen(db, orgId, { type: 'inventory.low_stock', entity: 'third' });
  expect(await since(second)).toMatchObject({ place: { position: 3 }, types: ['inventory.low_stock'] });
});

it('after a place that the feed no longer has, anything may have been published', async () => {
  const { since, places } = await openFeed();
  const [, , second] = places;
  expect((await since({ position: 9, tag: null })).types).toEqual(FEED_TYPES);
  expect((await since({ ...second, tag: 'of another' })).types).toEqual(FEED_TYPES);
});
