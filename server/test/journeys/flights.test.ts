import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sequenceAndRead, sequenceEvents } from '../../src/events/index.js';
import { openFlow, type World } from './flow-world.js';

/**
 * Each way to the database and back costs a caller its latency, and both sides a change of task: what is sent while earlier
 * statements are unanswered costs none. A flight is a statement sent while nothing of its connection is unanswered.
 */
const COUNTED = new Set(['lotward app', 'lotward worker']);
/** Other services of this process have connections too. */
let database = '';
const flights: string[][] = [];
const unanswered = new WeakMap<object, number>();
const { query } = pg.Client.prototype;
type Query = (this: object, config: { text?: string } | string, ...rest: unknown[]) => unknown;

function noted(
  this: { database: string; connectionParameters: { application_name: string } },
  ...args: Parameters<Query>
) {
  const open = unanswered.get(this) ?? 0;
  const [config] = args;
  const text = (typeof config === 'string' ? config : (config.text ?? '')).trim().replace(/\s+/g, ' ');
  if (this.database === database && COUNTED.has(this.connectionParameters.application_name)) {
    if (open === 0) flights.push([]);
    flights.at(-1)?.push(text.slice(0, 60));
  }
  unanswered.set(this, open + 1);
  const answer = (query as Query).apply(this, args);
  const done = () => unanswered.set(this, (unanswered.get(this) ?? 1) - 1);
  if (answer instanceof Promise) answer.then(done, done);
  return answer;
}

describe('flights to the database', () => {
  let world: World;
  beforeAll(async () => {
    world = await openFlow();
    database = world.db.name;
    (pg.Client.prototype as { query: unknown }).query = noted;
  });
  afterAll(async () => {
    (pg.Client.prototype as { query: unknown }).query = query;
    await world.close();
  });

  /** How many flights it takes, and their statements; readings of the clock and counts of requests go beside it. */
  async function flightsOf(work: () => Promise<unknown>): Promise<string[]> {
    flights.length = 0;
    await work();
    return flights
      .map((flight) => flight.join(' | '))
      .filter((text) => !/^(select clock_timestamp|insert into credential_requests)/.test(text));
  }
  const lines = [{ lineNo: 1, acceptedQuantity: 10, rejectedQuantity: 0 }];
  const newReceipt = () => world.post<{ receiptId: string }>('/v2/receipts', world.receiptBody());
  const accept = (receiptId: string) => world.post(`/v2/receipts/${receiptId}/acceptance`, { lines });
  async function picked(): Promise<string> {
    await accept((await newReceipt()).receiptId);
    const { dispatchId } = await world.open((await world.approved({})).orderId);
    await world.pick(dispatchId, { batchNo: 'B1', quantity: 10 });
    return dispatchId;
  }
  const number = () => sequenceEvents(world.db.database, world.org.organization.orgId);

  const verbs: Record<string, { most: number; prepare: () => Promise<() => Promise<unknown>> }> = {
    'a new order': { most: 3, prepare: async () => () => world.newOrder({}) },
    'an approval': {
      most: 3,
      async prepare() {
        await accept((await newReceipt()).receiptId);
        const { orderId } = await world.newOrder({});
        return () => world.act(orderId, 'approve');
      },
    },
    'an acceptance': {
      most: 3,
      async prepare() {
        const { receiptId } = await newReceipt();
        return () => accept(receiptId);
      },
    },
    're-check': {
      most: 3,
      async prepare() {
        const dispatchId = await picked();
        return () => world.pass(dispatchId);
      },
    },
    'an acceptance of five lines': {
      most: 3,
      async prepare() {
        const [line] = world.receiptBody().lines;
        const batches = ['F1', 'F2', 'F3', 'F4', 'F5'];
        const { receiptId } = await world.post<{ receiptId: string }>('/v2/receipts', {
          ...world.receiptBody(),
          lines: batches.map((batchNo, i) => ({ ...line, lineNo: i + 1, batchNo })),
        });
        const verdicts = batches.map((_, i) => ({
          lineNo: i + 1,
          acceptedQuantity: 10,
          rejectedQuantity: 0,
        }));
        return () => world.post(`/v2/receipts/${receiptId}/acceptance`, { lines: verdicts });
      },
    },
    'a recall, of however many batches': {
      most: 11,
      async prepare() {
        await world.must('PUT', '/v2/products/FLIGHT-RECALLED', { productName: 'Valve', tracking: 'batch' });
        const batchNos = Array.from({ length: 12 }, (_, i) => `R${i}`);
        for (const batchNo of batchNos)
          await world.post('/v2/stock/adjustments', {
            ...{ productCode: 'FLIGHT-RECALLED', warehouse: 'WH-1', batchNo, expiryDate: '2030-01-01' },
            ...{ quantityDelta: 5, reason: 'opening stock' },
          });
        const recall = { recallNo: 'FLIGHT-1', productCode: 'FLIGHT-RECALLED', batchNos, class: 'I' };
        return () => world.post('/v2/recalls', { ...recall, reason: 'leaks' });
      },
    },
    'a batch of readings': {
      most: 2,
      async prepare() {
        await world.must('PUT', '/v2/environment/points/FLIGHT-1', {
          ...{ name: 'Cold room', warehouse: 'WH-1', zone: 'COLD', temperature: { min: 2, max: 8 } },
        });
        const at = world.db.clock.now().toISOString();
        const readings = [{ pointId: 'FLIGHT-1', at, temperature: 5 }];
        return () => world.post('/v2/environment/readings', { readings });
      },
    },
    'numbering events and reading them, for the worker that pushes them': {
      most: 1,
      async prepare() {
        await accept((await newReceipt()).receiptId);
        await number();
        await accept((await newReceipt()).receiptId);
        return () =>
          sequenceAndRead(world.db.database, world.org.organization.orgId, true, async (tx) => tx.orgId);
      },
    },
    'numbering the events of an organization': {
      most: 2,
      async prepare() {
        await accept((await newReceipt()).receiptId);
        await number();
        await accept((await newReceipt()).receiptId);
        return number;
      },
    },
  };

  it.each(Object.entries(verbs))('%s takes no more of them than before', async (_, { most, prepare }) => {
    const found = await flightsOf(await prepare());
    expect(found.length, found.join('\n')).toBeLessThanOrEqual(most);
  });
});
