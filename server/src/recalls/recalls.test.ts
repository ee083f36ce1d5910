import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, sized } from '../../test/harness/index.js';
import { openRecallWorld, type RecallAnswer } from '../../test/harness/recall-world.js';
import { verifyStock } from '../stock/index.js';

const NOW = '2026-11-15T10:00:00.000Z';

describe('recalls', () => {
  let world: Awaited<ReturnType<typeof openRecallWorld>>;
  beforeAll(async () => {
    world = await openRecallWorld();
  });
  afterAll(async () => {
    const { orgId } = world.org.organization;
    expect(await verifyStock(world.db.database, orgId)).toMatchObject({ ok: true });
    await world.close();
  });

  /** Batch B1 in two warehouses, at three customers and picked for one of them; batch B2 as well. */
  async function spreadOut() {
    const { newProduct, enter, ship, newDispatch, pick } = world;
    const product = await newProduct();
    await enter(product, 'B1', 50);
    await enter(product, 'B1', 20, { warehouse: 'WH-2' });
    await enter(product, 'B2', 30);
    const b1 = { product, batchNo: 'B1' };
    const shipped = [
      await ship({ ...b1, quantity: 3, customer: 'HOSP-1' }),
      await ship({ ...b1, quantity: 4, customer: 'HOSP-2' }),
      await ship({ ...b1, quantity: 1, customer: 'HOSP-2' }),
      await ship({ ...b1, quantity: 5, customer: 'HOSP-3' }),
    ].map(({ dispatchId }) => expect.objectContaining({ type: 'dispatch', id: dispatchId }));
    await ship({ product, batchNo: 'B2', quantity: 7, customer: 'HOSP-1' });
    const open = await newDispatch(product, 6, { batchNo: 'B1' }, 'HOSP-3');
    expect((await pick(open.dispatchId, 'B1', 6)).data.status).toBe('rechecking');
    const other = await newDispatch(product, 2, { batchNo: 'B2' });
    await pick(other.dispatchId, 'B2', 2);
    return { product, shipped, open, other };
  }

  it('notes the changed figures of a warehouse once for all batches that expire on the same day', async () => {
    const { newProduct, enter, recall } = world;
    const product = await newProduct();
    for (const batchNo of ['B1', 'B2', 'B3', 'B4']) await enter(product, batchNo, 5);
    await enter(product, 'B5', 5, { expiryDate: '2031-01-01' });
    await enter(product, 'B1', 5, { warehouse: 'WH-2' });
    const marks = async () =>
      (
        await world.db.sql<{ warehouse: string; held: number }>(
          `select warehouse, held_delta as held from stock_change_marks where product_code = $1 and held_delta <> 0 order by warehouse, held_delta`,
          [product],
        )
      ).map(({ warehouse, held }) => [warehouse, held]);
    expect(await marks()).toEqual([]);
    await recall(product, {});
    expect(await marks()).toEqual([
      ['WH-1', 5],
      ['WH-1', 20],
      ['WH-2', 5],
    ]);
  });

  it('lists exactly the goods in two warehouses, in one open dispatch and at three customers', async () => {
    const { product, shipped, open } = await spreadOut();
    const found = await world.recall(product, { recallNo: 'RC-EXACT', batchNos: ['B1'] });
    const consignee = (customerCode: string, quantity: number, documents: unknown[]) => ({
      customerCode,
      customerName: `Hospital ${customerCode}`,
      quantity,
      batchNos: ['B1'],
      serials: [],
      documents,
      answer: null,
      unansweredReason: null,
      acknowledgedAt: null,
      note: null,
      returnedQuantity: 0,
    });
    const orderNo = expect.stringMatching(/^SO-/);
    expect(found).toEqual({
      recallId: expect.stringMatching(/^rcl_/),
      recallNo: 'RC-EXACT',
      productCode: product,
      productName: 'Valve',
      extent: 'batches',
      batchNos: ['B1'],
      serials: [],
      class: 'II',
      reason: 'cracks',
      status: 'open',
      openedAt: NOW,
      openedBy: `owner@${world.org.organization.code}.example`,
      closedAt: null,
      closedBy: null,
      closeReason: null,
      affectedStock: [
        { warehouse: 'WH-1', batchNo: 'B1', quantity: 37 },
        { warehouse: 'WH-2', batchNo: 'B1', quantity: 20 },
      ],
      openDispatches: [{ ...open, orderNo, customerCode: 'HOSP-3', status: 'picking', quantity: 6 }],
      consignees: [
        consignee('HOSP-1', 3, shipped.slice(0, 1)),
        consignee('HOSP-2', 5, shipped.slice(1, 3)),
        consignee('HOSP-3', 5, shipped.slice(3)),
      ],
      effectiveness: {
        consignees: 3,
        acknowledged: 0,
        answered: 0,
        shippedQuantity: 13,
        returnedQuantity: 0,
        share: 0,
      },
      version: 1,
      updatedAt: '2026-11-15T10:00:00.000Z',
    });
    expect(await world.read(found.recallId)).toEqual(found);
    // B2: 30 less 7 shipped, of which 2 are reserved.
    expect(await world.quantities(product)).toEqual([21, 2, 57]);
  });

  it('stops the dispatch that contains recalled goods, and no other', async () => {
    const { pick, recheck, recall, call } = world;
    const { product, open, other } = await spreadOut();
    await recall(product, { recallNo: 'RC-STOP', batchNos: ['B1'] });
    expect(await pick(open.dispatchId, 'B1', 6)).toMatchObject({ status: 400, reason: 'batch_recalled' });
    expect((await pick(open.dispatchId, 'B1', 6, { reason: 'no other' })).reason).toBe('batch_recalled');
    expect((await recheck(open.dispatchId)).reason).toBe('transition_not_allowed');
    const path = `/v2/dispatches/${open.dispatchId}`;
    const { data: stopped } = await call<{ lines: { picks: unknown[]; toPick: unknown[] }[] }>('GET', path);
    expect(stopped.lines[0]).toMatchObject({ picks: [], toPick: [] });
    expect(await recheck(other.dispatchId)).toMatchObject({ status: 200 });
    const { data: audit } = await call<{ items: object[] }>('GET', `/v2/audit?entityId=${open.dispatchId}`);
    expect(audit.items).toContainEqual(
      expect.objectContaining({ action: 'dispatch.stop', reason: 'recall RC-STOP' }),
    );
    expect(await pick(open.dispatchId, 'B2', 6, { reason: 'recall' })).toMatchObject({ status: 200 });
    expect(await recheck(open.dispatchId)).toMatchObject({ status: 200 });
  });

  it('counts returns, also earlier ones, and does not offset one customer by another', async () => {
    const { newProduct, enter, ship, giveBack, recall, read } = world;
    const product = await newProduct();
    await enter(product, 'B1', 50);
    await ship({ product, batchNo: 'B1', quantity: 10, customer: 'HOSP-1' });
    await ship({ product, batchNo: 'B1', quantity: 10, customer: 'HOSP-2' });
    await giveBack({ product, batchNo: 'B1', quantity: 2, customer: 'HOSP-1' });
    const { recallId, effectiveness } = await recall(product, { batchNos: ['B1'] });
    expect(effectiveness).toMatchObject({ shippedQuantity: 20, returnedQuantity: 2, share: 0.1 });
    await giveBack({ product, batchNo: 'B1', quantity: 12, customer: 'HOSP-1' });
    // This customer never received any of the batch.
    await giveBack({ product, batchNo: 'B1', quantity: 1, customer: 'HOSP-3' });
    const { consignees, effectiveness: after } = await read(recallId);
    expect(consignees.map((each) => [each.customerCode, each.quantity, each.returnedQuantity])).toEqual([
      ['HOSP-1', 10, 14],
      ['HOSP-2', 10, 0],
    ]);
    expect(after).toMatchObject({ shippedQuantity: 20, returnedQuantity: 14, share: 0.5 });
  });

  it('a closed recall keeps its holds and its content, and is final', async () => {
    const { newProduct, enter, ship, giveBack, recall, read, finish, closeRecall, answer, quantities, call } =
      world;
    const product = await newProduct();
    await enter(product, 'B1', 50);
    await ship({ product, batchNo: 'B1', quantity: 10, customer: 'HOSP-1' });
    const { recallId } = await recall(product, { batchNos: ['B1'] });
    await giveBack({ product, batchNo: 'B1', quantity: 4, customer: 'HOSP-1' });
    const second = await recall(product, { batchNos: ['B1'] });
    expect(await quantities(product)).toEqual([0, 0, 44]);
    const { data: holds } = await call<{ items: { holdId: string; source: string }[] }>(
      'GET',
      `/v2/stock/holds?productCode=${product}&status=active`,
    );
    const held = holds.items.find((hold) => hold.source === 'recall');
    const release = await call('POST', `/v2/stock/holds/${held?.holdId}/release`, {});
    expect(release).toMatchObject({ status: 400, reason: 'recall_hold' });

    expect((await finish(second.recallId)).status).toBe(200);
    expect(await quantities(product)).toEqual([0, 0, 0]);
    const closed = await finish(recallId);
    expect(closed.data).toMatchObject({
      status: 'closed',
      closedAt: NOW,
      closeReason: 'all found',
      affectedStock: [],
      version: 3,
      effectiveness: { shippedQuantity: 10, returnedQuantity: 4, share: 0.4 },
    });
    await giveBack({ product, batchNo: 'B1', quantity: 1, customer: 'HOSP-1' });
    await enter(product, 'B1', 5);
    expect(await quantities(product)).toEqual([0, 0, 6]);
    const affectedStock = [{ warehouse: 'WH-1', batchNo: 'B1', quantity: 6 }];
    expect(await read(recallId)).toEqual({ ...closed.data, affectedStock });
    const refused = [
      await closeRecall(recallId),
      await answer(recallId, 'HOSP-1', { used: 1 }),
      await call('POST', `/v2/recalls/${recallId}/acknowledgements`, { customerCode: 'HOSP-1' }),
    ];
    expect(refused.map(({ reason }) => reason)).toEqual(refused.map(() => 'transition_not_allowed'));
  });

  it('accepts one acknowledgement per consignee', async () => {
    const { newProduct, enter, ship, recall, read, call } = world;
    const product = await newProduct();
    await enter(product, 'B1', 50);
    await ship({ product, batchNo: 'B1', quantity: 1, customer: 'HOSP-1' });
    await ship({ product, batchNo: 'B1', quantity: 1, customer: 'HOSP-2' });
    const { recallId } = await recall(product, { batchNos: ['B1'] });
    const say = (body: object) =>
      call<RecallAnswer>('POST', `/v2/recalls/${recallId}/acknowledgements`, body);
    const acknowledgedAt = '2026-11-15T09:30:00.000Z';
    const { data } = await say({ customerCode: 'HOSP-2', note: 'two on the shelf', acknowledgedAt });
    expect(data).toMatchObject({ version: 2, effectiveness: { consignees: 2, acknowledged: 1 } });
    expect(data.consignees[1]).toMatchObject({ acknowledgedAt, note: 'two on the shelf' });
    expect((await say({ customerCode: 'HOSP-2' })).reason).toBe('already_acknowledged');
    expect((await say({ customerCode: 'HOSP-3' })).reason).toBe('not_a_consignee');
    expect((await say({ customerCode: 'NOBODY' })).reason).toBe('unknown_reference');
    const future = { customerCode: 'HOSP-1', acknowledgedAt: '2026-11-15T11:00:00.000Z' };
    expect((await say(future)).reason).toBe('in_the_future');
    await say({ customerCode: 'HOSP-1' });
    expect((await read(recallId)).consignees[0]).toMatchObject({ acknowledgedAt: NOW, note: null });
  });

  it('a recall of a product holds all its batches, and later ones at arrival', async () => {
    const { newProduct, enter, ship, giveBack, recall, read, finish, quantities, must } = world;
    const product = await newProduct();
    await enter(product, 'B1', 10);
    await enter(product, 'GONE', 5);
    await ship({ product, batchNo: 'GONE', quantity: 5, customer: 'HOSP-1' });
    const { recallId, extent, batchNos } = await recall(product);
    expect([extent, batchNos]).toEqual(['product', []]);
    await enter(product, 'B1', 1, { warehouse: 'WH-2' });
    await enter(product, 'NEW', 7);
    await enter(product, 'NEW', 7);
    await giveBack({ product, batchNo: 'GONE', quantity: 2, customer: 'HOSP-1' });
    const { receiptId } = await must<{ receiptId: string }>('/v2/receipts', {
      receiptNo: `R-${product}`,
      supplierCode: 'SUP-1',
      warehouse: 'WH-2',
      lines: [{ lineNo: 1, productCode: product, batchNo: 'BOUGHT', expiryDate: null, quantity: 3 }],
    });
    const verdict = { lineNo: 1, acceptedQuantity: 3, rejectedQuantity: 0 };
    await must(`/v2/receipts/${receiptId}/acceptance`, { lines: [verdict] });
    expect(await quantities(product)).toEqual([0, 0, 30]);
    const standing = await read(recallId);
    expect(standing.affectedStock.map((each) => [each.warehouse, each.batchNo, each.quantity])).toEqual([
      ['WH-1', 'B1', 10],
      ['WH-1', 'GONE', 2],
      ['WH-1', 'NEW', 14],
      ['WH-2', 'B1', 1],
      ['WH-2', 'BOUGHT', 3],
    ]);
    expect(standing.consignees).toMatchObject([{ quantity: 5, returnedQuantity: 2 }]);
    await finish(recallId);
    expect(await quantities(product)).toEqual([0, 0, 0]);
    await enter(product, 'AFTER', 1);
    expect(await quantities(product)).toEqual([1, 0, 0]);
  });

  it('goods that arrive under a recall are never available, and trigger no low-stock event', async () => {
    const { newProduct, enter, recall, db } = world;
    const product = await newProduct('batch', { safetyStock: 5 });
    await recall(product);
    await enter(product, 'NEW', 3);
    const notifications = await db.sql(
      `select 1 from events where event_type = 'inventory.low_stock' and entity_id = $1`,
      [product],
    );
    expect(notifications).toEqual([]);
  });

  it('recalls a product that has no batches', async () => {
    const { newProduct, enter, ship, recall, quantities } = world;
    const product = await newProduct('none');
    await enter(product, '', 10);
    await ship({ product, batchNo: '', quantity: 4, customer: 'HOSP-1' });
    const { affectedStock, consignees } = await recall(product);
    expect(affectedStock).toEqual([{ warehouse: 'WH-1', batchNo: '', quantity: 6 }]);
    expect(consignees).toMatchObject([{ customerCode: 'HOSP-1', quantity: 4 }]);
    expect(await quantities(product)).toEqual([0, 0, 6]);
  });

  it('counts recalled serialized units in stock, in a dispatch and at customers, and holds one that is returned', async () => {
    const { newProduct, enter, ship, giveBack, newDispatch, pick, recall, read, quantities, finish } = world;
    const product = await newProduct('serial');
    await enter(product, 'B1', 4, { serials: ['S1', 'S2', 'S3', 'S4'] });
    await enter(product, 'B2', 1, { serials: ['T1'] });
    await ship({ product, batchNo: 'B1', quantity: 1, customer: 'HOSP-2', serials: ['S1'] });
    const { dispatchId } = await newDispatch(product, 2, { batchNo: 'B1' });
    await pick(dispatchId, 'B1', 2, { serials: ['S2', 'S3'] });
    const found = await recall(product, { serials: ['T1', 'S2', 'S1'] });
    expect(found).toMatchObject({
      extent: 'serials',
      serials: ['S1', 'S2', 'T1'],
      affectedStock: [
        { warehouse: 'WH-1', batchNo: 'B1', quantity: 1 },
        { warehouse: 'WH-1', batchNo: 'B2', quantity: 1 },
      ],
      openDispatches: [{ dispatchId, status: 'picking', quantity: 1 }],
      consignees: [{ customerCode: 'HOSP-2', quantity: 1 }],
    });
    expect(await quantities(product)).toEqual([0, 2, 2]);
    const again = await pick(dispatchId, 'B1', 2, { serials: ['S2', 'S3'] });
    expect(again).toMatchObject({ status: 400, reason: 'batch_recalled' });
    expect(await pick(dispatchId, 'B1', 2, { serials: ['S3', 'S4'] })).toMatchObject({ status: 200 });
    await giveBack({ product, batchNo: 'B1', quantity: 1, customer: 'HOSP-2', serials: ['S1'] });
    expect((await read(found.recallId)).affectedStock[0]).toMatchObject({ batchNo: 'B1', quantity: 2 });
    const { data: holds } = await world.call<{ items: { holdId: string; source: string }[] }>(
      'GET',
      `/v2/stock/holds?productCode=${product}&status=active`,
    );
    const returned = holds.items.find((hold) => hold.source === 'return');
    await world.must(`/v2/stock/holds/${returned?.holdId}/release`, { reason: 'good' });
    expect(await quantities(product)).toEqual([0, 2, 3]);
    expect(await finish(found.recallId)).toMatchObject({ status: 200 });
    expect(await quantities(product)).toEqual([0, 2, 0]);
  });

  it('a recall of a batch writes no rows per serialized unit, and finds the same as a recall of all its units', async () => {
    const { newProduct, enter, ship, recall, quantities, db } = world;
    const product = await newProduct('serial');
    const serials = Array.from({ length: sized(500, 10_000) }, (_, n) => `P${n}`);
    await enter(product, 'B1', serials.length, { serials });
    await ship({ product, batchNo: 'B1', quantity: 2, customer: 'HOSP-1', serials: ['P0', 'P1'] });
    const { affectedStock, consignees } = await recall(product, { batchNos: ['B1'] });
    expect(affectedStock).toMatchObject([{ quantity: serials.length - 2 }]);
    expect(consignees).toMatchObject([{ quantity: 2 }]);
    expect(await quantities(product)).toEqual([0, 0, serials.length - 2]);
    const touched = await db.sql(
      `select 1 from serials where product_code = $1 and holds > 0
       union all select 1 from hold_serials where product_code = $1
       union all select 1 from movement_serials s
         join movements m on m.org_id = s.org_id and m.movement_id = s.movement_id
         where m.product_code = $1 and m.kind = 'hold'`,
      [product],
    );
    expect(touched).toEqual([]);
    const named = await recall(product, { serials });
    expect(named).toMatchObject({ affectedStock, consignees: [{ quantity: 2 }] });
  });

  it('refuses an invalid recall and changes nothing', async () => {
    const { newProduct, enter, ask, recall, quantities, call } = world;
    const product = await newProduct();
    await enter(product, 'B1', 10);
    await recall(product, { recallNo: 'RC-TAKEN', batchNos: ['B1'] }).then(({ recallId }) =>
      world.finish(recallId),
    );
    const refused = async (more: object, reason: string, path?: string) => {
      const answer = await ask(product, more);
      expect([answer.status, answer.code, answer.reason]).toEqual([400, 1001, reason]);
      if (path !== undefined) expect(answer.json.errors[0]?.path).toBe(path);
    };
    await refused({ recallNo: 'RC-TAKEN' }, 'recall_exists', '/recallNo');
    await refused({ productCode: 'NOTHING' }, 'unknown_reference', '/productCode');
    await refused({ batchNos: ['B1', 'B9'] }, 'unknown_reference', '/batchNos/1');
    await refused({ serials: ['S9'] }, 'unknown_reference', '/serials/0');
    await refused({ batchNos: ['B1'], serials: ['S1'] }, 'batches_or_serials');
    await refused({ batchNos: [] }, 'bad_item_count');
    await refused({ serials: [] }, 'bad_item_count');
    await refused({ batchNos: ['B1', 'B1'] }, 'duplicate_item');
    await refused({ class: 'IV' }, 'not_allowed');
    await refused({ colour: 'red' }, 'unknown_field');
    const many = Array.from({ length: 100_000 }, (_, n) => `SERIAL-${n}`);
    expect((await ask(product, { serials: many })).status).toBe(400);
    expect(await quantities(product)).toEqual([0, 0, 0]);
    const { data } = await call<{ items: unknown[] }>('GET', `/v2/recalls?productCode=${product}`);
    expect(data.items).toHaveLength(1);
  });

  it('opens one recall for repeated requests with one Idempotency-Key', async () => {
    const { newProduct, enter, ask, call } = world;
    const product = await newProduct();
    await enter(product, 'B1', 10);
    const once = () => ask(product, { recallNo: 'RC-ONCE' }, { 'idempotency-key': 'once' });
    const [first, second] = [await once(), await once()];
    expect(second.text).toBe(first.text);
    const { data } = await call<{ items: unknown[] }>('GET', '/v2/recalls?recallNo=RC-ONCE');
    expect(data.items).toEqual([first.data]);
  });

  it('lists recalls newest first, page by page, by number, product and status', async () => {
    const { newProduct, enter, recall, finish, call, db } = world;
    const product = await newProduct();
    await enter(product, 'B1', 10);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      db.clock.advance(1);
      ids.unshift((await recall(product, { batchNos: ['B1'] })).recallId);
    }
    db.clock.set(NOW);
    await finish(ids[2] ?? '');
    const list = async (query: string) => {
      const { data } = await call<{ items: RecallAnswer[]; nextCursor: string | null }>(
        'GET',
        `/v2/recalls?productCode=${product}${query}`,
      );
      return { ids: data.items.map((item) => item.recallId), next: data.nextCursor };
    };
    const first = await list('&limit=3');
    expect(first.ids).toEqual(ids.slice(0, 3));
    expect(await list(`&limit=3&cursor=${first.next}`)).toEqual({ ids: ids.slice(3), next: null });
    expect((await list('&status=closed')).ids).toEqual([ids[2]]);
    expect((await list('&recallNo=NOBODY')).ids).toEqual([]);
  });

  it('exports the consignees as CSV without formula injection', async () => {
    const { newProduct, enter, ship, giveBack, recall, must, org, api } = world;
    await must('/v2/partners/HOSP-3', { name: '=HYPERLINK("http://x", "y")', roles: ['customer'] }, 'PUT');
    const product = await newProduct();
    await enter(product, 'B1', 50);
    await enter(product, 'B2', 50);
    const first = await ship({ product, batchNo: 'B1', quantity: 3, customer: 'HOSP-1' });
    const second = await ship({ product, batchNo: 'B2', quantity: 4, customer: 'HOSP-1' });
    const third = await ship({ product, batchNo: 'B1', quantity: 5, customer: 'HOSP-3' });
    const { recallId } = await recall(product, { recallNo: 'RC "ö"' });
    await giveBack({ product, batchNo: 'B1', quantity: 1, customer: 'HOSP-1' });
    await world.answer(recallId, 'HOSP-1', { used: 5, returned: 1, note: '=1+1' });
    const { consignees } = await world.read(recallId);
    const no = (id: string) =>
      consignees.flatMap((each) => each.documents).find((each) => each.id === id)?.no;
    const response = await fetch(`${api.url}/exports/recalls/${recallId}.csv`, {
      headers: { authorization: `Bearer ${org.key}` },
    });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=/);
    const text = Buffer.from(await response.arrayBuffer()).toString('utf8');
    const document = ({ dispatchId }: { dispatchId: string }) => `${no(dispatchId)} (${dispatchId})`;
    expect(text).toBe(
      [
        '\uFEFFrecallNo,productCode,batches,customerCode,customerName,quantity,returnedQuantity,acknowledgedAt,documents,onHand,used,returned,destroyed,notFound,notAnswered,answeredAt,answeredBy,answerNote,unansweredReason',
        `"RC ""ö""",${product},"B1; B2",HOSP-1,Hospital HOSP-1,7,1,${NOW},"${document(first)}; ${document(second)}",0,5,1,0,0,1,${NOW},owner@${org.organization.code}.example,'=1+1,`,
        `"RC ""ö""",${product},B1,HOSP-3,"'=HYPERLINK(""http://x"", ""y"")",5,0,,${document(third)},,,,,,5,,,,`,
        '',
      ].join('\r\n'),
    );
    const unknown = await world.call('GET', '/exports/recalls/rcl_unknown.csv');
    expect([unknown.status, unknown.code]).toEqual([404, 1004]);
  });

  it('is invisible to other organizations', async () => {
    const { newProduct, enter, recall, call, db } = world;
    const product = await newProduct();
    await enter(product, 'B1', 10);
    const { recallId } = await recall(product);
    const other = await newOrganization(db);
    for (const path of [
      `/v2/recalls/${recallId}`,
      `/v2/recalls/${recallId}/effectiveness`,
      `/exports/recalls/${recallId}.csv`,
    ])
      expect((await call('GET', path, undefined, other.key)).status).toBe(404);
    const list = await call<{ items: unknown[] }>('GET', '/v2/recalls', undefined, other.key);
    expect(list.data.items).toEqual([]);
  });
});
