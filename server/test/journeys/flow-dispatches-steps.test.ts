import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFlow, type World } from './flow-world.js';

/** A dispatch step by step, as its record and its audit trail show it. */

let world: World;
beforeAll(async () => {
  world = await openFlow();
});
afterAll(() => world.close());

interface Audited {
  action: string;
  before: { version: number } | null;
  after: { version: number };
}

async function opened(): Promise<{ orderId: string; dispatchId: string }> {
  const productCode = await world.newProduct();
  await world.receive({ productCode });
  const { orderId } = await world.approved({ productCode, quantity: 5 });
  return { orderId, dispatchId: (await world.open(orderId)).dispatchId };
}

const pick = (dispatchId: string, quantity: number) => world.pick(dispatchId, { batchNo: 'B1', quantity });

describe('a dispatch', () => {
  it('is picked once all of it is, and keeps the reason of a failed re-check until then', async () => {
    const { dispatchId } = await opened();
    expect(await pick(dispatchId, 3)).toMatchObject({ status: 'picking', pickedAt: null });
    const pickedAt = world.db.clock.now().toISOString();
    expect(await pick(dispatchId, 5)).toMatchObject({ status: 'rechecking', pickedAt });
    await world.on(dispatchId, 'recheck', { result: 'fail', reason: 'label' }, world.second);
    expect(await pick(dispatchId, 3)).toMatchObject({ pickedAt: null, recheckReason: 'label' });
    expect(await pick(dispatchId, 5)).toMatchObject({ pickedAt, recheckReason: null });
  });

  it('has one version more after each step', async () => {
    const { dispatchId } = await opened();
    await pick(dispatchId, 5);
    await world.pass(dispatchId);
    await world.deliver(dispatchId);
    const { items } = await world.must<{ items: Audited[] }>(
      'GET',
      `/v2/audit?entityType=dispatch&entityId=${dispatchId}`,
    );
    const versions = items.map(({ action, before, after }) => [action, before?.version ?? 0, after.version]);
    expect(versions.sort()).toEqual([
      ['dispatch.create', 0, 1],
      ['dispatch.deliver', 3, 4],
      ['dispatch.pass', 2, 3],
      ['dispatch.pick', 1, 2],
    ]);
  });

  it('takes its picks back as it answers them, and refuses the expiry date of another batch', async () => {
    const { dispatchId } = await opened();
    const path = `/v2/dispatches/${dispatchId}/picks`;
    const { lines } = await pick(dispatchId, 3);
    const picks = lines.flatMap(({ lineNo, picks }) => picks.map((each) => ({ lineNo, ...each })));
    expect(picks).toMatchObject([{ batchNo: 'B1', expiryDate: expect.any(String), quantity: 3 }]);
    expect(await world.must('POST', path, { picks })).toMatchObject({ lines });
    for (const expiryDate of ['2031-01-01', null]) {
      const { status, json } = await world.call('POST', path, { picks: [{ ...picks[0], expiryDate }] });
      expect([status, json.errors[0]]).toEqual([
        400,
        expect.objectContaining({ reason: 'batch_expiry_mismatch', path: '/picks/0/expiryDate' }),
      ]);
    }
    expect(await world.must('GET', `/v2/dispatches/${dispatchId}`)).toMatchObject({ lines });
  });

  it('of an order on hold is not re-checked, with either result', async () => {
    const { orderId, dispatchId } = await opened();
    await pick(dispatchId, 5);
    await world.act(orderId, 'hold', { reason: 'credit' });
    for (const recheck of [{ result: 'pass' }, { result: 'fail', reason: 'label' }])
      expect(await world.refused('POST', `/v2/dispatches/${dispatchId}/recheck`, recheck, world.second)).toBe(
        'order_on_hold',
      );
  });

  it('that does not exist is refused by its own name', async () => {
    const answer = await world.call('POST', '/v2/dispatches/dsp_none/picks', {
      picks: [{ lineNo: 1, batchNo: 'B1', quantity: 1 }],
    });
    expect([answer.status, answer.json.errors[0]?.path]).toEqual([404, 'dispatchId']);
  });
});
