import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, sized, startApi, type TestApi } from '../../test/harness/index.js';
import { openRecallWorld, type RecallAnswer } from '../../test/harness/recall-world.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { lockProductOf, verifyStock } from '../stock/index.js';

const ROUNDS = sized(2, 40);

describe('a recall concurrent with other work on the same stock', () => {
  let world: Awaited<ReturnType<typeof openRecallWorld>>;
  let second: TestApi;
  let picker: string;
  let numbers = 0;
  beforeAll(async () => {
    world = await openRecallWorld();
    second = await startApi(await world.db.another());
    picker = (await world.org.newKey({ owner: 'second-picker@test.example' })).apiKey;
  });
  afterAll(async () => {
    await second.close();
    await world.close();
  });

  const there = <D = unknown>(path: string, body: object, key = world.org.key) =>
    second.call<D>('POST', path, body, key);
  const recallThere = (productCode: string, more: object = {}) =>
    there<RecallAnswer>('/v2/recalls', {
      recallNo: `THERE-${++numbers}`,
      productCode,
      class: 'I',
      reason: 'leaks',
      ...more,
    });
  const verified = async () =>
    expect(await verifyStock(world.db.database, world.org.organization.orgId)).toMatchObject({ ok: true });
  const shippedOf = async (productCode: string) => {
    const [row] = await world.db.sql<{ quantity: number }>(
      `select coalesce(sum(quantity), 0)::integer as quantity from movements where kind = 'dispatch' and product_code = $1`,
      [productCode],
    );
    return row?.quantity;
  };

  /** A request, and the only reason with which an earlier recall may refuse it; null if none may. */
  interface Step {
    name: string;
    send(): Promise<Answer>;
    refusedWith: string | null;
  }

  /** A product with documents in every state, and the requests that take each a step further. */
  async function busyProduct(productCode: string): Promise<Step[]> {
    const { enter, order, newDispatch, pick, must } = world;
    await enter(productCode, 'B1', 100);
    const steps: Step[] = [];
    const add = (name: string, refusedWith: string | null, send: Step['send']) =>
      steps.push({ name, refusedWith, send });
    for (let n = 0; n < 3; n++) {
      const orderId = await order(productCode, 2, {}, 'HOSP-1');
      add('approve', 'insufficient_stock', () => there(`/v2/orders/${orderId}/approve`, {}));
      const unpicked = await newDispatch(productCode, 3, {}, 'HOSP-2');
      const picks = [{ lineNo: 1, batchNo: 'B1', quantity: 3 }];
      add('pick', 'batch_recalled', () =>
        there(`/v2/dispatches/${unpicked.dispatchId}/picks`, { picks }, picker),
      );
      const picked = await newDispatch(productCode, 4, {}, 'HOSP-3');
      await pick(picked.dispatchId, 'B1', 4);
      add('recheck', 'transition_not_allowed', () =>
        there(`/v2/dispatches/${picked.dispatchId}/recheck`, { result: 'pass' }),
      );
      const { receiptId } = await must<{ receiptId: string }>('/v2/receipts', {
        receiptNo: `${productCode}-${n}`,
        supplierCode: 'SUP-1',
        warehouse: 'WH-2',
        lines: [{ lineNo: 1, productCode, batchNo: `R${n}`, expiryDate: null, quantity: 5 }],
      });
      const verdict = { lineNo: 1, acceptedQuantity: 5, rejectedQuantity: 0 };
      add('accept', null, () => there(`/v2/receipts/${receiptId}/acceptance`, { lines: [verdict] }));
    }
    return steps;
  }

  it('no recalled stock leaves after the response, with any concurrent work on it', async () => {
    let left = 0;
    let stopped = 0;
    const outcomes = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const product = await world.newProduct();
      const steps = await busyProduct(product);
      // The recall starts at different moments of the work, so that both outcomes of each step occur.
      const send = async ({ name, refusedWith, send }: Step) => {
        let answer = await send();
        // On a busy system the lock of the product takes longer than a request waits for it; callers then try again.
        while (answer.reason === 'record_locked') answer = await send();
        const { status, reason, text } = answer;
        const allowed = refusedWith === null ? [] : [`400 ${refusedWith}`];
        expect(['200', ...allowed], `${name}: ${text}`).toContain(
          status === 200 ? '200' : `${status} ${reason}`,
        );
        outcomes.add(`${name} ${status}`);
      };
      const before = steps.splice(0, round % 4 === 0 ? 0 : 2 * (round % 4)).map(send);
      const recalling = world.ask(product).then(async (answer) => {
        expect(answer, answer.text).toMatchObject({ status: 200 });
        return { answered: answer.data, shipped: await shippedOf(product) };
      });
      await Promise.all([...before, ...steps.map(send)]);
      const { answered, shipped } = await recalling;
      expect(answered.effectiveness.shippedQuantity).toBe(shipped);
      expect(await shippedOf(product)).toBe(shipped);
      const [available, reserved, blocked] = await world.quantities(product);
      const { affectedStock } = await world.read(answered.recallId);
      expect([available, reserved]).toEqual([0, 0]);
      expect(affectedStock.reduce((sum, each) => sum + each.quantity, 0)).toBe(blocked);
      const waiting = await world.db.sql<{ status: string; picks: number }>(
        `select d.status, count(k.*)::integer as picks from dispatches d
         join order_lines l on l.org_id = d.org_id and l.order_id = d.order_id
         left join dispatch_picks k on k.org_id = d.org_id and k.dispatch_id = d.dispatch_id
         where l.product_code = $1 and d.status in ('picking', 'rechecking') group by d.dispatch_id, d.status`,
        [product],
      );
      for (const dispatch of waiting) expect(dispatch).toEqual({ status: 'picking', picks: 0 });
      expect(answered.openDispatches).toHaveLength(waiting.length);
      left += shipped ?? 0;
      stopped += waiting.length;
    }
    expect(stopped).toBeGreaterThan(0);
    // Goods may always arrive, on hold; some of the other steps came after the recall.
    expect([...outcomes].filter((each) => each.endsWith('400')).length).toBeGreaterThan(0);
    expect(outcomes).toContain('accept 200');
    expect(left + stopped).toBeGreaterThan(ROUNDS);
    await verified();
  });

  /** Waits until that many transactions wait for a lock. */
  async function untilWaiting(count: number): Promise<void> {
    for (let waiting = 0; waiting < count; ) waiting = (await world.db.waiting()).length;
  }

  it('stops a dispatch opened while the recall waited for the product lock', async () => {
    const { newProduct, enter, order, must, ask, db, org } = world;
    const product = await newProduct();
    await enter(product, 'B1', 10);
    const orderId = await order(product, 2);
    await must(`/v2/orders/${orderId}/approve`, {});
    const principal = systemPrincipal(org.organization.orgId, 'operator@test.example');
    const { dispatching, recalling } = await transact(db.database, principal, async (tx) => {
      await lockProductOf(tx, product);
      const dispatching = there<{ dispatchId: string }>('/v2/dispatches', { orderId });
      await untilWaiting(1);
      const recalling = ask(product);
      await untilWaiting(2);
      return { dispatching: [dispatching], recalling: [recalling] };
    });
    const [opened] = await Promise.all(dispatching);
    const [answer] = await Promise.all(recalling);
    expect([opened?.status, answer?.status]).toEqual([200, 200]);
    expect(answer?.data.openDispatches).toMatchObject([{ dispatchId: opened?.data.dispatchId, quantity: 2 }]);
  });

  it('two concurrent recalls of one batch are both opened, and each must be closed', async () => {
    const { newProduct, enter, newDispatch, pick, ask, closeRecall, finish, quantities } = world;
    const product = await newProduct();
    await enter(product, 'B1', 10);
    const { dispatchId } = await newDispatch(product, 4);
    await pick(dispatchId, 'B1', 4);
    const [one, other] = await Promise.all([
      ask(product, { batchNos: ['B1'] }),
      recallThere(product, { batchNos: ['B1'] }),
    ]);
    expect([one.status, other.status]).toEqual([200, 200]);
    const stoppedBy = [one, other].flatMap(({ data }) => data.openDispatches);
    expect(stoppedBy).toMatchObject([{ dispatchId, quantity: 4 }]);
    const refused = await closeRecall(one.data.recallId);
    expect(refused).toMatchObject({ status: 400, reason: 'recall_not_settled' });
    expect(await quantities(product)).toEqual([0, 0, 10]);
    for (const { data } of [one, other]) expect((await finish(data.recallId)).status).toBe(200);
    expect(await quantities(product)).toEqual([0, 0, 0]);
    await verified();
  });

  it('of two concurrent recalls with the same number, one is opened', async () => {
    const { newProduct, enter, ask } = world;
    const [first, second] = [await newProduct(), await newProduct()];
    for (const product of [first, second]) await enter(product, 'B1', 10);
    const answers = await Promise.all([
      ask(first, { recallNo: 'ONE-NUMBER' }),
      recallThere(second, { recallNo: 'ONE-NUMBER' }),
    ]);
    expect(answers.map(({ status, reason }) => [status, reason]).sort()).toEqual([
      [200, undefined],
      [400, 'recall_exists'],
    ]);
  });

  it('two products of one dispatch can be recalled concurrently, and of two concurrent closes one succeeds', async () => {
    const { newProduct, enter, must, ask, settle, closeRecall, db } = world;
    for (let round = 0; round < ROUNDS; round++) {
      const products = [await newProduct(), await newProduct()];
      for (const product of products) await enter(product, 'B1', 10);
      const lines = products.map((productCode, n) => ({
        lineNo: n + 1,
        productCode,
        quantity: 2,
        unitPrice: '1',
      }));
      const sale = { customerCode: 'HOSP-1', warehouse: 'WH-1', currency: 'EUR', lines };
      const orderNo = `BOTH-${round}`;
      const { orderId } = await must<{ orderId: string }>('/v2/orders', { orderNo, ...sale });
      await must(`/v2/orders/${orderId}/approve`, {});
      const { dispatchId } = await must<{ dispatchId: string }>('/v2/dispatches', { orderId });
      const picks = [1, 2].map((lineNo) => ({ lineNo, batchNo: 'B1', quantity: 2 }));
      await must(`/v2/dispatches/${dispatchId}/picks`, { picks }, 'POST', picker);
      const [first = '', other = ''] = products;
      const [one, two] = await Promise.all([ask(first), recallThere(other)]);
      for (const { data } of [one, two])
        expect(data.openDispatches).toMatchObject([{ dispatchId, quantity: 2 }]);
      expect(await db.sql('select 1 from dispatch_picks where dispatch_id = $1', [dispatchId])).toEqual([]);
      const { recallId } = one.data;
      await settle(recallId);
      const closings = await Promise.all([
        closeRecall(recallId),
        there(`/v2/recalls/${recallId}/close`, { reason: 'all found' }),
      ]);
      expect(closings.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
    await verified();
  });

  it('an organization reads one list of recalls after another, and its other reads do not wait for them', async () => {
    const { db, call } = world;
    const holder = new pg.Client({ connectionString: db.url });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('lock table lotward.recalls in access exclusive mode');
      const lists = Array.from({ length: 5 }, () => call('GET', '/v2/recalls'));
      const waiting = async () => (await db.waiting({ statement: 'recalls' })).length;
      await expect.poll(waiting).toBe(1);
      for (let n = 0; n < 5; n++) expect((await call('GET', '/v2/warehouses')).status).toBe(200);
      expect(await waiting()).toBe(1);
      await holder.query('rollback');
      expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    } finally {
      await holder.end();
    }
  });
});
