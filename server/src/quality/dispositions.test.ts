import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization } from '../../test/harness/index.js';
import { openQualityWorld } from '../../test/harness/quality-world.js';

let world: Awaited<ReturnType<typeof openQualityWorld>>;
beforeAll(async () => {
  world = await openQualityWorld();
});
afterEach(() => world.verified());
afterAll(() => world.close());

describe('a disposition takes two people', () => {
  it('the proposer cannot approve it, and nothing moves before it is approved and executed', async () => {
    const goods = await world.stocked('batch', 10);
    const { holdId } = await goods.hold({ quantity: 4, warehouse: 'WH-1' });
    const { data: proposed } = await world.propose({ holdIds: [holdId] });
    expect(proposed).toMatchObject({
      status: 'proposed',
      lines: [{ holdId, quantity: 4, warehouse: 'WH-1' }],
    });
    const { dispositionId } = proposed;
    expect((await world.step(dispositionId, 'approve')).reason).toBe('same_person');
    expect((await world.step(dispositionId, 'execute', { witness: 'w' })).reason).toBe(
      'transition_not_allowed',
    );
    const approved = await world.step(dispositionId, 'approve', {}, world.second);
    expect(approved.data).toMatchObject({ status: 'approved', approvedBy: 'second@quality.example' });
    expect(await goods.quantities()).toEqual([10, 6, 4]);
    const executed = await world.step(dispositionId, 'execute', { witness: 'Ann' });
    expect(executed.data).toMatchObject({ status: 'executed', witness: 'Ann' });
    expect(await goods.quantities()).toEqual([6, 6, 0]);
    expect(await goods.holds()).toEqual([]);
    expect((await goods.movements()).find(({ kind }) => kind === 'destruction')).toMatchObject({
      quantityDelta: -4,
      document: { type: 'disposition', id: dispositionId },
      holdId,
    });
    for (const action of ['approve', 'execute', 'reject'])
      expect(
        (await world.step(dispositionId, action, action === 'reject' ? { reason: 'x' } : {}, world.second))
          .reason,
      ).toBe('transition_not_allowed');
    expect(await world.read(`/v2/quality/dispositions/${dispositionId}`)).toEqual(executed.data);
  });

  it('the database itself refuses an approval by the proposer', async () => {
    const goods = await world.stocked('batch', 1);
    const { holdId } = await goods.hold();
    const { dispositionId } = (await world.propose({ holdIds: [holdId] })).data;
    const forged = world.service.db.sql(
      `update dispositions set status = 'approved', approved_at = now(), approved_by = proposed_by where disposition_id = $1`,
      [dispositionId],
    );
    await expect(forged).rejects.toThrow('dispositions_two_people');
  });

  it('has a number that people can read out, its own also where several are proposed at once, by which it is found', async () => {
    const holds = [];
    for (let i = 0; i < 5; i++) holds.push(await (await world.stocked('batch', 1)).hold());
    const proposed = await Promise.all(holds.map(({ holdId }) => world.propose({ holdIds: [holdId] })));
    const numbers = proposed.map(({ data }) => data.dispositionNo);
    expect(numbers.every((no) => /^DP-[1-9]\d*$/.test(no))).toBe(true);
    expect(new Set(numbers).size).toBe(5);
    for (const { data } of proposed) {
      const found = await world.read<{ items: { dispositionId: string }[] }>(
        `/v2/quality/dispositions?q=${data.dispositionNo.toLowerCase()}`,
      );
      expect(found.items.map(({ dispositionId }) => dispositionId)).toEqual([data.dispositionId]);
    }
  });

  it('a destruction needs a witness', async () => {
    const goods = await world.stocked('batch', 2);
    const { holdId } = await goods.hold();
    const executed = await world.dispose({ holdIds: [holdId] }, {});
    expect([executed.status, executed.reason]).toEqual([400, 'witness_required']);
    expect(await goods.quantities()).toEqual([2, 0, 2]);
  });

  it('a rejected one sets the goods free to be decided about again, also once it was approved', async () => {
    const goods = await world.stocked('batch', 5);
    const { holdId } = await goods.hold({ quantity: 5, warehouse: 'WH-1' });
    const { dispositionId } = (await world.propose({ holdIds: [holdId] })).data;
    const claimed = await world.propose({ lines: [{ holdId, quantity: 1 }] });
    expect([claimed.status, claimed.reason]).toEqual([400, 'not_undecided']);
    await world.step(dispositionId, 'approve', {}, world.second);
    expect((await world.step(dispositionId, 'reject', {})).status).toBe(400);
    const rejected = await world.step(dispositionId, 'reject', { reason: 'tested again' });
    expect(rejected.data).toMatchObject({ status: 'rejected', rejectReason: 'tested again' });
    expect((await world.dispose({ kind: 'release', holdIds: [holdId] })).data.status).toBe('executed');
    expect(await goods.quantities()).toEqual([5, 5, 0]);
  });

  it('of two executions at once, one moves the goods', async () => {
    const goods = await world.stocked('batch', 6);
    const { holdId } = await goods.hold();
    const { dispositionId } = (await world.propose({ lines: [{ holdId, quantity: 4 }] })).data;
    await world.step(dispositionId, 'approve', {}, world.second);
    const both = await Promise.all([1, 2].map(() => world.step(dispositionId, 'execute', { witness: 'w' })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await goods.quantities()).toEqual([2, 0, 2]);
  });

  it('of two proposals at once for the same goods, one is taken', async () => {
    const goods = await world.stocked('batch', 6);
    const { holdId } = await goods.hold();
    const both = await Promise.all([1, 2].map(() => world.propose({ holdIds: [holdId] })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('a disposition decides about a part', () => {
  it('of a quantity, and the rest stays on hold', async () => {
    const goods = await world.stocked('batch', 10);
    const { holdId } = await goods.hold({ quantity: 6, warehouse: 'WH-1' });
    await world.dispose({ kind: 'release', lines: [{ holdId, quantity: 2 }] });
    expect(await goods.quantities()).toEqual([10, 6, 4]);
    await world.dispose({ kind: 'rework', lines: [{ holdId, quantity: 1 }] });
    expect(await goods.quantities()).toEqual([10, 7, 3]);
    expect(await goods.holds()).toMatchObject([{ holdId, quantity: 3 }]);
    expect((await world.propose({ lines: [{ holdId, quantity: 4 }] })).reason).toBe('not_undecided');
  });

  it('of a whole batch in two warehouses: what is not released goes under holds of its own', async () => {
    const goods = await world.stocked('batch', 10, 5);
    const { holdId } = await goods.hold();
    expect((await world.propose({ lines: [{ holdId, quantity: 3 }] })).reason).toBe('warehouse_required');
    await world.dispose({ kind: 'release', lines: [{ holdId, warehouse: 'WH-1', quantity: 3 }] });
    expect(await goods.quantities('WH-1')).toEqual([10, 3, 7]);
    expect(await goods.quantities('WH-2')).toEqual([5, 0, 5]);
    const rests = await goods.holds();
    expect(
      rests
        .map(({ warehouse, quantity, category, splitFrom }) => [warehouse, quantity, category, splitFrom])
        .sort(),
    ).toEqual([
      ['WH-1', 7, 'quality', holdId],
      ['WH-2', 5, 'quality', holdId],
    ]);
    await world.dispose({ kind: 'release', holdIds: rests.map((rest) => rest.holdId) });
    expect(await goods.quantities()).toEqual([15, 15, 0]);
  });

  it('of a whole batch: what is destroyed leaves, and the hold goes on for later arrivals', async () => {
    const goods = await world.stocked('batch', 10);
    const { holdId } = await goods.hold();
    await world.dispose({ holdIds: [holdId] });
    expect(await goods.quantities()).toEqual([0, 0, 0]);
    await goods.receive('WH-1', 2);
    expect(await goods.quantities()).toEqual([2, 0, 2]);
    expect(await goods.holds()).toMatchObject([{ holdId, extent: 'batch' }]);
  });

  it('of serialized units, by their numbers', async () => {
    const goods = await world.stocked('serial', 4, 0, '06901234567809');
    const { holdId } = await goods.hold({ serials: ['S1', 'S2', 'S3'] });
    expect((await world.propose({ lines: [{ holdId, quantity: 2 }] })).reason).toBe('serials_required');
    expect((await world.propose({ lines: [{ holdId, serials: ['S4'] }] })).reason).toBe('not_undecided');
    await world.dispose({ lines: [{ holdId, serials: ['S2'] }] });
    await world.dispose({ kind: 'release', lines: [{ holdId, serials: ['S1'] }] });
    expect(await goods.quantities()).toEqual([3, 2, 1]);
    expect(await goods.holds()).toMatchObject([{ holdId, quantity: 1, serials: ['S3'] }]);
    const traced = async (serialNo: string) => {
      const code = encodeURIComponent(`(01)${goods.productCode}(21)${serialNo}`);
      const { status, chain } = await world.read<{ status: string; chain: { items: { step: string }[] } }>(
        `/v2/udi?code=${code}`,
      );
      return [status, chain.items.at(-1)?.step];
    };
    expect(await traced('S1')).toEqual(['in_stock', 'released']);
    expect(await traced('S2')).toEqual(['removed', 'destroyed']);
    expect(await traced('S3')).toEqual(['on_hold', 'held']);
  });

  it('of a whole batch of serialized units, and units that another hold names stay blocked', async () => {
    const goods = await world.stocked('serial', 4, 1);
    const { holdId } = await goods.hold();
    await goods.hold({ serials: ['S1'] });
    await world.dispose({ kind: 'release', lines: [{ holdId, serials: ['S1', 'S2'] }] });
    expect(await goods.quantities('WH-1')).toEqual([4, 1, 3]);
    expect(await goods.quantities('WH-2')).toEqual([1, 0, 1]);
    expect((await goods.holds()).map(({ serials }) => serials).sort()).toEqual([
      ['S1'],
      ['S3', 'S4'],
      ['S5'],
    ]);
  });

  it('refuses to release part of a batch beside a hold of a quantity, and destroys it all the same', async () => {
    const goods = await world.stocked('batch', 10);
    await goods.hold({ quantity: 3, warehouse: 'WH-1' });
    const { holdId } = await goods.hold();
    const refused = await world.dispose({ kind: 'release', lines: [{ holdId, quantity: 2 }] });
    expect([refused.status, refused.reason]).toEqual([400, 'held_otherwise']);
    const [waiting] = (
      await world.read<{ items: { dispositionId: string }[] }>(
        `/v2/quality/dispositions?status=approved&productCode=${goods.productCode}`,
      )
    ).items;
    await world.step(waiting?.dispositionId ?? '', 'reject', { reason: 'the other hold first' });
    await world.dispose({ lines: [{ holdId, quantity: 7 }] });
    expect(await goods.quantities()).toEqual([3, 0, 3]);
  });

  it('cannot be executed once the goods are no longer there', async () => {
    const goods = await world.stocked('batch', 10);
    const { holdId } = await goods.hold();
    const { dispositionId } = (await world.propose({ holdIds: [holdId] })).data;
    await world.step(dispositionId, 'approve', {}, world.second);
    await world.must('/v2/stock/adjustments', {
      productCode: goods.productCode,
      warehouse: 'WH-1',
      batchNo: 'B1',
      quantityDelta: -1,
      reason: 'broken',
    });
    const executed = await world.step(dispositionId, 'execute', { witness: 'w' });
    expect([executed.status, executed.reason]).toEqual([400, 'hold_changed']);
    expect(await goods.quantities()).toEqual([9, 0, 9]);
  });
});

describe('goods that go back to their supplier', () => {
  it('leave the stock with the supplier as counterparty', async () => {
    const goods = await world.stocked('batch', 5);
    const { holdId } = await goods.hold({ quantity: 2, warehouse: 'WH-1' });
    const { data } = await world.dispose(
      { kind: 'return_to_supplier', holdIds: [holdId] },
      { carrier: 'DHL', trackingNo: '42' },
    );
    expect(data).toMatchObject({
      supplierCode: 'SUP-1',
      supplierName: 'Acme Devices',
      carrier: 'DHL',
      trackingNo: '42',
    });
    expect((await goods.movements()).find(({ kind }) => kind === 'supplier_return')).toMatchObject({
      quantityDelta: -2,
      counterparty: { type: 'supplier', code: 'SUP-1' },
    });
    expect(await goods.quantities()).toEqual([3, 3, 0]);
  });

  it('need a supplier that is on record or named', async () => {
    const goods = await world.stocked('batch', 0);
    const { productCode } = goods;
    const opening = {
      productCode,
      warehouse: 'WH-1',
      batchNo: 'B1',
      expiryDate: null,
      quantityDelta: 3,
      reason: 'opening',
    };
    await world.must('/v2/stock/adjustments', opening);
    const { holdId } = await goods.hold();
    const body = { kind: 'return_to_supplier', holdIds: [holdId] };
    expect((await world.propose(body)).reason).toBe('supplier_required');
    expect((await world.propose({ ...body, supplierCode: 'NOBODY' })).reason).toBe('unknown_reference');
    expect((await world.propose({ ...body, supplierCode: 'HOSP-1' })).reason).toBe('wrong_partner_role');
    expect((await world.propose({ ...body, supplierCode: 'SUP-1' })).data.supplierCode).toBe('SUP-1');
  });
});

describe('a hold in a disposition', () => {
  it('is neither released nor shrunk by an adjustment until the disposition is rejected or executed', async () => {
    const goods = await world.stocked('batch', 3);
    const { holdId } = await goods.hold({ quantity: 3, warehouse: 'WH-1' });
    const { dispositionId } = (await world.propose({ holdIds: [holdId] })).data;
    const release = () => world.call('POST', `/v2/stock/holds/${holdId}/release`, { reason: 'conforms' });
    const adjust = () =>
      world.call('POST', '/v2/stock/adjustments', {
        productCode: goods.productCode,
        warehouse: 'WH-1',
        batchNo: 'B1',
        quantityDelta: -1,
        reason: 'broken',
      });
    for (const answer of [await release(), await adjust()])
      expect([answer.status, answer.reason]).toEqual([400, 'hold_in_disposition']);
    await world.step(dispositionId, 'reject', { reason: 'x' });
    for (const answer of [await adjust(), await release()]) expect(answer.status).toBe(200);
  });

  it('keeps its units where they are, also against a transfer that names another hold of them', async () => {
    const goods = await world.stocked('serial', 2);
    const { productCode } = goods;
    const place = { productCode, batchNo: 'B1' };
    const { ncId } = await world.must<{ ncId: string }>('/v2/quality/nonconformities', {
      ...{ ...place, warehouse: 'WH-1', quantity: 1, serials: ['S1'], reason: 'wet' },
    });
    const other = await goods.hold({ serials: ['S1'] });
    const { data } = await world.propose({ ncIds: [ncId] });
    const { status, reason } = await world.call('POST', '/v2/stock/transfers', {
      ...{ ...place, from: 'WH-1', to: 'WH-2', quantity: 1, serials: ['S1'], holdId: other.holdId },
    });
    const again = await world.propose({ lines: [{ ncId, serials: ['S1'] }] });
    expect([again.status, again.reason]).toEqual([400, 'not_undecided']);
    expect([status, reason]).toEqual([400, 'hold_in_disposition']);
    await world.step(data.dispositionId, 'approve', {}, world.second);
    expect((await world.step(data.dispositionId, 'execute', { witness: 'Ann' })).status).toBe(200);
  });
});

describe('the routes of dispositions', () => {
  it('name what is wrong in a body', async () => {
    const goods = await world.stocked('batch', 1);
    const { holdId } = await goods.hold();
    const nobody = { holdIds: ['hld_unknown', holdId], ncIds: ['nc_unknown'] };
    const { json } = await world.propose(nobody);
    expect(json.errors.map(({ path, reason }) => [path, reason])).toEqual([
      ['/holdIds/0', 'unknown_reference'],
      ['/ncIds/0', 'unknown_reference'],
    ]);
    expect((await world.propose({})).reason).toBe('lines_required');
    expect((await world.propose({ lines: [{ quantity: 1 }] })).reason).toBe('hold_or_entry_required');
    expect((await world.propose({ holdIds: [holdId], kind: 'burn' })).status).toBe(400);
    expect((await world.propose({ holdIds: [holdId], reason: undefined })).status).toBe(400);
    expect((await world.propose({ lines: [{ holdId, serials: ['S1'] }] })).reason).toBe(
      'serials_not_tracked',
    );
    await world.must(`/v2/stock/holds/${holdId}/release`, { reason: 'conforms' });
    expect((await world.propose({ holdIds: [holdId] })).reason).toBe('hold_released');
  });

  it('are listed by status, kind, product and batch, page by page, and exported', async () => {
    const goods = await world.stocked('batch', 9);
    const { holdId } = await goods.hold();
    for (const kind of ['destroy', 'return_to_supplier', 'destroy'])
      await world.propose({ kind, lines: [{ holdId, quantity: 1 }] });
    const { productCode } = goods;
    const ids = async (query: string) =>
      (
        await world.read<{ items: { kind: string }[] }>(
          `/v2/quality/dispositions?productCode=${productCode}${query}`,
        )
      ).items;
    expect(await ids('')).toHaveLength(3);
    expect(await ids('&kind=destroy')).toHaveLength(2);
    expect(await ids('&status=executed')).toHaveLength(0);
    expect(await ids('&batchNo=B2')).toHaveLength(0);
    expect(await ids('&since=2999-01-01T00:00:00Z')).toHaveLength(0);
    expect(await ids('&until=2000-01-01T00:00:00Z')).toHaveLength(0);
    const first = await world.read<{ items: object[]; nextCursor: string }>(
      `/v2/quality/dispositions?productCode=${productCode}&limit=2`,
    );
    const rest = await world.read<{ items: object[]; nextCursor: string | null }>(
      `/v2/quality/dispositions?productCode=${productCode}&limit=2&cursor=${first.nextCursor}`,
    );
    expect([first.items.length, rest.items.length]).toEqual([2, 1]);
    const csv = await world.call(
      'GET',
      `/exports/quality/dispositions.csv?productCode=${productCode}&kind=destroy`,
    );
    expect(csv.text.trim().split('\r\n')).toHaveLength(3);
  });

  it('show and decide nothing of another organization', async () => {
    const goods = await world.stocked('batch', 2);
    const { holdId } = await goods.hold();
    const { dispositionId } = (await world.propose({ holdIds: [holdId] })).data;
    const other = await newOrganization(world.service.db);
    const path = `/v2/quality/dispositions/${dispositionId}`;
    expect((await world.call('GET', path, undefined, other.key)).status).toBe(404);
    for (const action of ['approve', 'execute'])
      expect((await world.step(dispositionId, action, {}, other.key)).status).toBe(404);
    expect((await world.step(dispositionId, 'reject', { reason: 'x' }, other.key)).status).toBe(404);
    expect((await world.propose({ holdIds: [holdId] }, other.key)).reason).toBe('unknown_reference');
  });
});
