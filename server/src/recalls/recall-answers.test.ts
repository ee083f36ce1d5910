import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization } from '../../test/harness/index.js';
import { counts, openRecallWorld, type RecallAnswer } from '../../test/harness/recall-world.js';
import { verifyStock } from '../stock/index.js';

const NOW = '2026-11-15T10:00:00.000Z';

let world: Awaited<ReturnType<typeof openRecallWorld>>;
beforeAll(async () => {
  world = await openRecallWorld();
});
afterAll(async () => {
  expect(await verifyStock(world.db.database, world.org.organization.orgId)).toMatchObject({ ok: true });
  await world.close();
});

/** Batch B1 was shipped to two customers, 10 and 5, and is recalled. */
async function recalled(stock = 50) {
  const product = await world.newProduct();
  await world.enter(product, 'B1', stock);
  await world.ship({ product, batchNo: 'B1', quantity: 10, customer: 'HOSP-1' });
  await world.ship({ product, batchNo: 'B1', quantity: 5, customer: 'HOSP-2' });
  return { product, ...(await world.recall(product, { batchNos: ['B1'] })) };
}

/** The recall's hold of the whole batch. */
async function wholeBatchHold(recallId: string) {
  const [hold] = await world.db.sql<{ holdId: string }>(
    `select h.hold_id as "holdId" from recall_holds x
     join holds h on h.org_id = x.org_id and h.hold_id = x.hold_id
     where x.recall_id = $1 and h.released_at is null and h.extent = 'batch'`,
    [recallId],
  );
  return hold?.holdId;
}

describe('the answer of a consignee', () => {
  it('says what became of its goods, acknowledges the recall, and is audited', async () => {
    const { recallId } = await recalled();
    const given = { onHand: 3, used: 2, returned: 5, note: 'counted twice' };
    const { status, data, text } = await world.answer(recallId, 'HOSP-1', given);
    expect(status, text).toBe(200);
    const answeredBy = `owner@${world.org.organization.code}.example`;
    expect(data.consignees).toMatchObject([
      {
        customerCode: 'HOSP-1',
        acknowledgedAt: NOW,
        answer: { ...counts(given), answeredAt: NOW, answeredBy },
      },
      { customerCode: 'HOSP-2', acknowledgedAt: null, answer: null },
    ]);
    expect(data).toMatchObject({ version: 2, effectiveness: { acknowledged: 1, answered: 1 } });
    const { data: audit } = await world.call<{ items: object[] }>('GET', `/v2/audit?entityId=${recallId}`);
    expect(audit.items).toContainEqual(
      expect.objectContaining({
        action: 'recall.answer',
        reason: 'counted twice',
        after: { customerCode: 'HOSP-1', ...counts(given) },
      }),
    );
  });

  it('is replaced by a later one, which does not acknowledge again', async () => {
    const { recallId } = await recalled();
    const acknowledgedAt = '2026-11-15T09:30:00.000Z';
    const acknowledgement = { customerCode: 'HOSP-1', acknowledgedAt, note: 'seen' };
    await world.must(`/v2/recalls/${recallId}/acknowledgements`, acknowledgement);
    await world.answer(recallId, 'HOSP-1', { onHand: 10, note: 'all there' });
    const { data } = await world.answer(recallId, 'HOSP-1', { used: 4 });
    expect(data.consignees[0]).toMatchObject({
      acknowledgedAt,
      note: 'seen',
      answer: { ...counts({ used: 4 }), note: null },
    });
    const { data: audit } = await world.call<{ items: { before: object }[] }>(
      'GET',
      `/v2/audit?entityId=${recallId}&action=recall.answer`,
    );
    expect(audit.items.map(({ before }) => before)).toEqual(
      expect.arrayContaining([null, expect.objectContaining({ onHand: 10, note: 'all there' })]),
    );
  });

  it('accounts for no more than was delivered, and the refusal says how many were', async () => {
    const { recallId } = await recalled();
    expect((await world.answer(recallId, 'HOSP-2', { onHand: 2, destroyed: 3 })).status).toBe(200);
    const refused = await world.answer(recallId, 'HOSP-2', { onHand: 3, notFound: 3 });
    expect(refused).toMatchObject({ status: 400, code: 1001, reason: 'more_than_delivered' });
    expect(refused.json.errors[0]?.message).toBe('5 were delivered to HOSP-2; the answer accounts for 6');
    expect((await world.read(recallId)).consignees[1]?.answer).toMatchObject({ onHand: 2, destroyed: 3 });
  });

  it('is refused for what is not there, and for counts that are none', async () => {
    const { recallId } = await recalled();
    const missing = { status: 404, code: 1004, reason: 'not_found' };
    for (const code of ['HOSP-3', 'NOBODY', 'SUP-1'])
      expect(await world.answer(recallId, code)).toMatchObject(missing);
    expect(await world.answer('rcl_none', 'HOSP-1')).toMatchObject(missing);
    const other = await newOrganization(world.db);
    expect(await world.answer(recallId, 'HOSP-1', {}, other.key)).toMatchObject(missing);
    const wrong = [{ onHand: -1 }, { used: 1.5 }, { returned: '1' }, { destroyed: null }, { lost: 1 }];
    for (const given of wrong) expect((await world.answer(recallId, 'HOSP-1', given)).status).toBe(400);
    const path = `/v2/recalls/${recallId}/consignees/HOSP-1/answer`;
    expect((await world.call('POST', path, { onHand: 1 })).status).toBe(400);
    expect((await world.read(recallId)).version).toBe(1);
  });

  it('of two at once, both are recorded in turn', async () => {
    const { recallId } = await recalled();
    const answers = await Promise.all([
      world.answer(recallId, 'HOSP-1', { used: 1 }),
      world.answer(recallId, 'HOSP-1', { used: 2 }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { version, consignees } = await world.read(recallId);
    expect(version).toBe(3);
    expect([1, 2]).toContain(consignees[0]?.answer?.used);
  });
});

describe('the effectiveness of a recall', () => {
  interface Progress extends Record<string, unknown> {
    delivered: number;
    byConsignee: Progress[];
  }
  const PARTS = ['onHand', 'used', 'returned', 'destroyed', 'notFound', 'notAnswered'];
  const effectiveness = async (recallId: string) => {
    const { data } = await world.call<Progress>('GET', `/v2/recalls/${recallId}/effectiveness`);
    for (const each of [data, ...data.byConsignee])
      expect(PARTS.reduce((sum, part) => sum + Number(each[part]), 0)).toBe(each.delivered);
    return data;
  };

  it('adds up the answers against what was delivered, in any state', async () => {
    const { product, recallId, recallNo } = await recalled();
    const all = counts();
    expect(await effectiveness(recallId)).toMatchObject({
      ...{ recallId, recallNo, status: 'open', consignees: 2, acknowledged: 0, answered: 0 },
      ...{ ...all, delivered: 15, notAnswered: 15, returnedQuantity: 0 },
      stock: { onHold: 35, disposed: 0, released: 0 },
    });
    await world.answer(recallId, 'HOSP-1', { onHand: 1, used: 2, returned: 3, destroyed: 1, notFound: 1 });
    await world.giveBack({ product, batchNo: 'B1', quantity: 4, customer: 'HOSP-1' });
    await world.answer(recallId, 'HOSP-2', { used: 5 });
    expect(await effectiveness(recallId)).toMatchObject({
      ...{ consignees: 2, acknowledged: 2, answered: 2, delivered: 15, onHand: 1, used: 7, returned: 3 },
      ...{ destroyed: 1, notFound: 1, notAnswered: 2, returnedQuantity: 4, stock: { onHold: 39 } },
      byConsignee: [
        {
          customerCode: 'HOSP-1',
          answeredAt: NOW,
          delivered: 10,
          used: 2,
          notAnswered: 2,
          returnedQuantity: 4,
        },
        {
          customerCode: 'HOSP-2',
          answeredAt: NOW,
          delivered: 5,
          used: 5,
          notAnswered: 0,
          returnedQuantity: 0,
        },
      ],
    });
  });

  it('counts as released only what left a hold of the recall, and as disposed what left the stock', async () => {
    const { product, recallId } = await recalled();
    const other = await world.recall(product);
    const own = await wholeBatchHold(recallId);
    const stock = async (id = recallId) => (await effectiveness(id)).stock;
    const goods = { productCode: product, batchNo: 'B1', warehouse: 'WH-1', quantity: 5 };
    const { holdId } = await world.must<{ holdId: string }>('/v2/stock/holds', {
      ...goods,
      category: 'quality',
      reason: 'seal broken',
    });
    // Released by quality, the goods stay under the recall; destroyed, they are gone.
    await world.dispose({ kind: 'release', lines: [{ holdId, quantity: 3 }] });
    expect(await stock()).toEqual({ onHold: 35, disposed: 0, released: 0 });
    await world.dispose({ kind: 'destroy', holdIds: [holdId] });
    expect(await stock()).toEqual({ onHold: 33, disposed: 2, released: 0 });
    await world.dispose({ kind: 'destroy', lines: [{ holdId: own, quantity: 6 }] });
    await world.dispose({ kind: 'release', lines: [{ holdId: own, quantity: 12 }] });
    expect(await stock()).toEqual({ onHold: 15, disposed: 8, released: 12 });
    // The rest is under a hold split from the first, which belongs to the same recall.
    const [rest] = await world.db.sql<{ holdId: string }>(
      'select hold_id as "holdId" from holds where split_from = $1',
      [own],
    );
    await world.dispose({ kind: 'rework', lines: [{ holdId: rest?.holdId, quantity: 4 }] });
    expect(await stock()).toEqual({ onHold: 11, disposed: 8, released: 16 });
    expect(await stock(other.recallId)).toEqual({ onHold: 27, disposed: 8, released: 0 });
  });

  it('counts only the recalled units, one by one, of those released together', async () => {
    const product = await world.newProduct('serial');
    await world.enter(product, 'B1', 4, { serials: ['S1', 'S2', 'S3', 'S4'] });
    const hold = { productCode: product, batchNo: 'B1', serials: ['S1', 'S4'], category: 'quality' };
    const { holdId } = await world.must<{ holdId: string }>('/v2/stock/holds', { ...hold, reason: 'bent' });
    const { recallId } = await world.recall(product, { serials: ['S1', 'S2', 'S3'] });
    await world.dispose({ kind: 'release', holdIds: [holdId] });
    expect((await effectiveness(recallId)).stock).toEqual({ onHold: 3, disposed: 0, released: 0 });
    const [own] = await world.db.sql<{ holdId: string }>(
      'select hold_id as "holdId" from recall_holds where recall_id = $1',
      [recallId],
    );
    await world.dispose({ kind: 'release', lines: [{ ...own, serials: ['S1'] }] });
    await world.dispose({ kind: 'destroy', lines: [{ ...own, serials: ['S2'] }] });
    expect((await effectiveness(recallId)).stock).toEqual({ onHold: 1, disposed: 1, released: 1 });
  });

  it('holds for a recall that concerns nobody', async () => {
    const product = await world.newProduct();
    await world.enter(product, 'B1', 3);
    const { recallId } = await world.recall(product);
    expect(await effectiveness(recallId)).toMatchObject({
      ...{ consignees: 0, delivered: 0, notAnswered: 0, byConsignee: [], stock: { onHold: 3 } },
    });
    expect((await world.call('GET', '/v2/recalls/rcl_none/effectiveness')).status).toBe(404);
  });
});

describe('closing a recall', () => {
  const issues = ({ json }: { json: { errors: { path: string | null; message: string }[] } }) =>
    json.errors.map(({ path, message }) => [path, message]);

  it('is refused with everything that is open, and changes nothing', async () => {
    const { product, recallId } = await recalled();
    await world.enter(product, 'B1', 7, { warehouse: 'WH-2' });
    await world.answer(recallId, 'HOSP-2', { used: 5 });
    const before = await world.read(recallId);
    const refused = await world.closeRecall(recallId);
    expect(refused).toMatchObject({ status: 400, code: 1001, reason: 'recall_not_settled' });
    expect(issues(refused)).toEqual([
      [null, '35 of batch B1 in WH-1 are on hold without a disposition'],
      [null, '7 of batch B1 in WH-2 are on hold without a disposition'],
      ['/unanswered', 'HOSP-1 has not answered about the 10 delivered to it'],
    ]);
    expect(await world.read(recallId)).toEqual(before);
  });

  it('excuses a consignee that will not answer only with a reason, which stays with the recall', async () => {
    const { recallId } = await recalled(15);
    await world.answer(recallId, 'HOSP-1', { used: 10 });
    expect((await world.closeRecall(recallId, { unanswered: [{ customerCode: 'HOSP-2' }] })).status).toBe(
      400,
    );
    const excused = { customerCode: 'HOSP-2', reason: 'has closed down' };
    const refusals: [object[], string, string][] = [
      [[excused, { ...excused, customerCode: 'HOSP-3' }], 'not_a_consignee', '/unanswered/1/customerCode'],
      [[{ ...excused, customerCode: 'HOSP-1' }], 'already_answered', '/unanswered/0/customerCode'],
      [[excused, excused], 'duplicate_consignee', '/unanswered/1/customerCode'],
    ];
    for (const [unanswered, reason, path] of refusals) {
      const refused = await world.closeRecall(recallId, { unanswered });
      expect([refused.reason, refused.json.errors[0]?.path]).toEqual([reason, path]);
    }
    const closed = await world.closeRecall(recallId, { unanswered: [excused] });
    expect(closed, closed.text).toMatchObject({ status: 200, data: { status: 'closed' } });
    expect(closed.data.consignees.map((each) => each.unansweredReason)).toEqual([null, 'has closed down']);
    const { data: audit } = await world.call<{ items: object[] }>('GET', `/v2/audit?entityId=${recallId}`);
    expect(audit.items).toContainEqual(
      expect.objectContaining({
        action: 'recall.close',
        after: expect.objectContaining({ unanswered: [excused] }),
      }),
    );
  });

  it('counts units under holds by serial number, and no others', async () => {
    const { newProduct, enter, recall, closeRecall, settle, quantities } = world;
    const product = await newProduct('serial');
    await enter(product, 'B1', 3, { serials: ['S1', 'S2', 'S3'] });
    const { recallId } = await recall(product, { serials: ['S2'] });
    expect(issues(await closeRecall(recallId))).toEqual([
      [null, '1 of batch B1 in WH-1 are on hold without a disposition'],
    ]);
    await settle(recallId);
    expect((await closeRecall(recallId)).status).toBe(200);
    expect(await quantities(product)).toEqual([2, 0, 0]);
  });
});

describe('goods of a recalled batch that arrive after a part of it was released', () => {
  /** Releases all but `kept` of the batch by a disposition: those go under a hold of their own. */
  async function releaseAllBut(recallId: string, product: string, kept: number) {
    const [total] = await world.db.sql<{ quantity: number }>(
      'select sum(quantity)::integer as quantity from balances where product_code = $1',
      [product],
    );
    const line = { holdId: await wholeBatchHold(recallId), quantity: (total?.quantity ?? 0) - kept };
    await world.dispose({ kind: 'release', lines: [line] });
  }

  it('are blocked exactly, and what was released stays released', async () => {
    const { product, recallId } = await recalled();
    await releaseAllBut(recallId, product, 5);
    expect(await world.quantities(product)).toEqual([30, 0, 5]);
    await world.enter(product, 'B1', 8);
    await world.enter(product, 'B1', 2, { warehouse: 'WH-2' });
    expect(await world.quantities(product)).toEqual([30, 0, 15]);
    expect((await world.read(recallId)).affectedStock).toEqual([
      { warehouse: 'WH-1', batchNo: 'B1', quantity: 13 },
      { warehouse: 'WH-2', batchNo: 'B1', quantity: 2 },
    ]);
    await world.ship({ product, batchNo: 'B1', quantity: 30, customer: 'HOSP-3' });
    expect(await world.quantities(product)).toEqual([0, 0, 15]);
  });

  it('are blocked for every recall that covers them, returned or bought', async () => {
    const { product, recallId } = await recalled();
    const second = await world.recall(product);
    await releaseAllBut(recallId, product, 0);
    await releaseAllBut(second.recallId, product, 0);
    expect(await world.quantities(product)).toEqual([35, 0, 0]);
    await world.giveBack({ product, batchNo: 'B1', quantity: 4, customer: 'HOSP-1' });
    await world.enter(product, 'B1', 3);
    expect(await world.quantities(product)).toEqual([35, 0, 7]);
    for (const id of [recallId, second.recallId])
      expect((await world.read(id)).affectedStock).toMatchObject([{ batchNo: 'B1', quantity: 7 }]);
    const { data: holds } = await world.call<{ items: { holdId: string; source: string }[] }>(
      'GET',
      `/v2/stock/holds?productCode=${product}&status=active`,
    );
    expect(holds.items.map(({ source }) => source).sort()).toEqual(['recall', 'return']);
    // The hold of the return blocks recalled goods now: inspecting them does not release them.
    for (const { holdId } of holds.items)
      expect(await world.call('POST', `/v2/stock/holds/${holdId}/release`, { reason: 'fine' })).toMatchObject(
        {
          status: 400,
          reason: 'recall_hold',
        },
      );
  });

  it('are blocked unit by unit where units have numbers', async () => {
    const { newProduct, enter, recall, read, quantities } = world;
    const product = await newProduct('serial');
    await enter(product, 'B1', 2, { serials: ['A', 'B'] });
    const { recallId } = await recall(product, { batchNos: ['B1'] });
    await releaseAllBut(recallId, product, 0);
    await enter(product, 'B1', 1, { serials: ['C'] });
    expect(await quantities(product)).toEqual([2, 0, 1]);
    expect((await read(recallId)).affectedStock).toMatchObject([{ quantity: 1 }]);
  });
});

describe('a credential bound to a customer', () => {
  const keyFor = async (customerCode: string, scopes = ['recalls:read', 'recalls:write']) =>
    (await world.org.newKey({ customerCode, scopes })).apiKey;
  const get = <D = RecallAnswer>(path: string, key: string) => world.call<D>('GET', path, undefined, key);

  it('sees the recalls that concern it, with its own goods and nothing else', async () => {
    const { newProduct, enter, ship, newDispatch, recall, answer, finish } = world;
    const product = await newProduct();
    for (const batchNo of ['B1', 'B2']) await enter(product, batchNo, 50);
    await ship({ product, batchNo: 'B1', quantity: 10, customer: 'HOSP-1' });
    await ship({ product, batchNo: 'B2', quantity: 5, customer: 'HOSP-2' });
    await newDispatch(product, 2, { batchNo: 'B1' }, 'HOSP-1');
    await newDispatch(product, 2, { batchNo: 'B1' }, 'HOSP-2');
    const { recallId } = await recall(product, { batchNos: ['B1', 'B2'] });
    await recall(await newProduct());
    const onlyTwo = await recall(product, { batchNos: ['B2'] });
    const [one, two] = [await keyFor('HOSP-1'), await keyFor('HOSP-2')];
    await answer(recallId, 'HOSP-2', { used: 5 });
    const own = await get(`/v2/recalls/${recallId}`, one);
    expect(own.data).toMatchObject({
      ...{ recallId, batchNos: ['B1'], serials: [], affectedStock: [], status: 'open' },
      consignees: [{ customerCode: 'HOSP-1', quantity: 10, batchNos: ['B1'], answer: null }],
      effectiveness: { consignees: 1, answered: 0, shippedQuantity: 10 },
    });
    expect(own.data.openDispatches.map((each) => each.customerCode)).toEqual(['HOSP-1']);
    expect(own.text).not.toMatch(/HOSP-2|B2/);
    const listed = await get<{ items: RecallAnswer[] }>(`/v2/recalls?productCode=${product}`, one);
    expect(listed.data.items).toEqual([own.data]);
    type Page = { items: RecallAnswer[]; nextCursor: string | null };
    const path = `/v2/recalls?productCode=${product}&limit=1`;
    const first = await get<Page>(path, two);
    const last = await get<Page>(`${path}&cursor=${first.data.nextCursor}`, two);
    const ids = [...first.data.items, ...last.data.items].map((each) => each.recallId);
    expect([ids.sort(), last.data.nextCursor]).toEqual([[recallId, onlyTwo.recallId].sort(), null]);
    // Not concerned, and not there: the same answer.
    for (const id of [onlyTwo.recallId, 'rcl_none']) {
      const answered = await get(`/v2/recalls/${id}`, one);
      expect([answered.status, answered.json.errors]).toEqual([
        404,
        (await get('/v2/recalls/rcl_other', one)).json.errors,
      ]);
    }
    await finish(recallId);
    expect((await get(`/v2/recalls/${recallId}`, one)).data).toMatchObject({
      ...{ status: 'closed', closeReason: null },
    });
  });

  it('sees the serialized units it got, and no others', async () => {
    const { newProduct, enter, ship, recall } = world;
    const product = await newProduct('serial');
    await enter(product, 'B1', 3, { serials: ['S1', 'S2', 'S3'] });
    const unit = { product, batchNo: 'B1', quantity: 1 };
    await ship({ ...unit, customer: 'HOSP-1', serials: ['S1'] });
    await ship({ ...unit, customer: 'HOSP-2', serials: ['S2'] });
    const { recallId } = await recall(product, { serials: ['S1', 'S2', 'S3'] });
    const key = await keyFor('HOSP-1');
    const own = (await get(`/v2/recalls/${recallId}`, key)).data;
    expect([own.serials, own.consignees[0]?.serials]).toEqual([['S1'], ['S1']]);
    const listed = await get<{ items: RecallAnswer[] }>(`/v2/recalls?productCode=${product}`, key);
    expect(listed.data.items.map((each) => each.serials)).toEqual([['S1']]);
    const none = await get<{ items: unknown[] }>(
      `/v2/recalls?productCode=${product}`,
      await keyFor('HOSP-3'),
    );
    expect(none.data.items).toEqual([]);
  });

  it('answers for itself and for nobody else, and nothing else is open to it', async () => {
    const { recallId } = await recalled();
    const own = await world.recall((await recalled()).product, {});
    const key = await keyFor('HOSP-1');
    const answered = await world.answer(recallId, 'HOSP-1', { onHand: 10 }, key);
    expect(answered, answered.text).toMatchObject({
      status: 200,
      data: { affectedStock: [], consignees: [{ customerCode: 'HOSP-1', answer: { onHand: 10 } }] },
    });
    expect(answered.text).not.toContain('HOSP-2');
    const nobody = await world.answer(recallId, 'NOBODY', {}, key);
    expect(nobody.status).toBe(404);
    for (const code of ['HOSP-2', 'HOSP-3', 'SUP-1'])
      expect((await world.answer(recallId, code, {}, key)).json.errors).toEqual(nobody.json.errors);
    const outsider = await keyFor('HOSP-3');
    for (const code of ['HOSP-1', 'HOSP-3'])
      expect((await world.answer(recallId, code, {}, outsider)).json.errors).toEqual(
        (await world.answer('rcl_none', code, {}, outsider)).json.errors,
      );
    const before = await world.read(own.recallId);
    const closed = [
      await world.call('POST', '/v2/recalls', {}, key),
      await world.call('POST', `/v2/recalls/${own.recallId}/close`, { reason: 'x' }, key),
      await world.call(
        'POST',
        `/v2/recalls/${own.recallId}/acknowledgements`,
        { customerCode: 'HOSP-1' },
        key,
      ),
      await get(`/v2/recalls/${own.recallId}/effectiveness`, key),
      await get(`/exports/recalls/${own.recallId}.csv`, key),
    ];
    expect(closed.map(({ status, reason }) => [status, reason])).toEqual(
      closed.map(() => [403, 'customer_bound']),
    );
    expect(await world.read(own.recallId)).toEqual(before);
    const reader = await keyFor('HOSP-1', ['recalls:read']);
    expect(await world.answer(recallId, 'HOSP-1', {}, reader)).toMatchObject({
      ...{ status: 403, reason: 'scope_missing' },
    });
  });
});
