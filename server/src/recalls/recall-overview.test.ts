import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecallWorld } from '../../test/harness/recall-world.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { readRecallOverview } from './recall-overview.store.js';

let world: Awaited<ReturnType<typeof openRecallWorld>>;
beforeAll(async () => {
  world = await openRecallWorld();
});
afterAll(() => world.close());

const overview = () =>
  transact(world.db.database, systemPrincipal(world.org.organization.orgId, 'test@lotward.invalid'), (tx) =>
    readRecallOverview(tx),
  );

it('a recall counts as unanswered until its last consignee has acknowledged it', async () => {
  const product = await world.newProduct();
  await world.enter(product, 'B1', 50);
  await world.enter(product, 'B2', 50);
  for (const customer of ['HOSP-1', 'HOSP-2'])
    await world.ship({ product, batchNo: 'B1', quantity: 3, customer });
  const { recallId } = await world.recall(product, { batchNos: ['B1'] });
  await world.recall(product, { batchNos: ['B2'] });
  expect(await overview()).toMatchObject({ open: 2, unanswered: 1, waiting: [{ id: recallId }] });
  const acknowledge = (customerCode: string) =>
    world.must(`/v2/recalls/${recallId}/acknowledgements`, { customerCode });
  await acknowledge('HOSP-1');
  expect(await overview()).toMatchObject({ open: 2, unanswered: 1 });
  await acknowledge('HOSP-2');
  expect(await overview()).toEqual({ open: 2, unanswered: 0, waiting: [] });
});
