import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exceptionsIn } from './flow-invariants.js';
import { openFlow, type DispatchView as PlainView, type World } from './flow-world.js';

interface DispatchView extends PlainView {
  scans: {
    purpose: string;
    code: string;
    lineNo: number | null;
    batchNo: string;
    serialNo: string | null;
    quantity: number;
    scannedBy: string;
    scannedAt: string;
  }[];
}

let world: World;
beforeAll(async () => {
  world = await openFlow();
});
afterAll(async () => {
  expect(await exceptionsIn(world.db, world.org.organization.orgId)).toEqual({});
  await world.close();
});

let made = 0;
/** An unused GTIN. */
function newDi(): string {
  const body = `0690${String(++made).padStart(9, '0')}`;
  const sum = [...body].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

/** A product with ten of SOON and ten of LATE, sold also in boxes of five. */
async function stocked(input: object = {}) {
  const [di, box] = [newDi(), newDi()];
  const packaging = [{ udiDi: box, level: 'box', quantity: 5 }];
  const productCode = await world.newProduct({ udiDi: di, packaging, ...input });
  await world.receive({ productCode, batchNo: 'LATE', expiryDate: '2030-01-01' });
  await world.receive({ productCode, batchNo: 'SOON', expiryDate: '2027-01-01' });
  const late = '(17)300101(10)LATE';
  const soon = '(17)270101(10)SOON';
  return {
    productCode,
    soon: `(01)${di}${soon}`,
    late: `(01)${di}${late}`,
    soonBox: `(01)${box}${soon}`,
    di: `(01)${di}`,
  };
}

const opened = async (...lines: { productCode: string; quantity: number }[]) =>
  (await world.open((await world.approved(...lines)).orderId)).dispatchId;
const picks = (dispatchId: string, body: object) =>
  world.on(dispatchId, 'picks', body) as Promise<DispatchView>;
const recheck = (dispatchId: string, body: object) =>
  world.on(dispatchId, 'recheck', body, world.second) as Promise<DispatchView>;
const times = (count: number, code: string) => Array.from({ length: count }, () => code);
async function refusal(dispatchId: string, action: 'picks' | 'recheck', body: object) {
  const before = await world.must('GET', `/v2/dispatches/${dispatchId}`);
  const key = action === 'recheck' ? world.second : undefined;
  const answer = await world.call('POST', `/v2/dispatches/${dispatchId}/${action}`, body, key);
  expect([answer.status, answer.code], answer.text).toEqual([400, 1001]);
  expect(await world.must('GET', `/v2/dispatches/${dispatchId}`), 'nothing changes').toEqual(before);
  const [issue] = answer.json.errors ?? [];
  return [issue?.reason, issue?.path];
}

describe('what is scanned while picking', () => {
  it('becomes picks, a package with all its units, and stays as evidence', async () => {
    const { productCode, soon, soonBox } = await stocked();
    const dispatchId = await opened({ productCode, quantity: 7 });
    const view = await picks(dispatchId, { scans: [soonBox, soon, soon] });
    expect(view).toMatchObject({
      status: 'rechecking',
      lines: [{ picks: [{ batchNo: 'SOON', quantity: 7, serials: [] }] }],
    });
    const shared = { purpose: 'pick', lineNo: 1, batchNo: 'SOON', serialNo: null };
    const [box, one] = [
      { ...shared, code: soonBox, quantity: 5 },
      { ...shared, code: soon, quantity: 1 },
    ];
    expect(view.scans).toMatchObject([box, one, one]);
    expect(view.scans[0]).toMatchObject({
      scannedBy: expect.stringContaining('@'),
      scannedAt: world.db.clock.now().toISOString(),
    });
    expect(await world.must('GET', `/v2/dispatches/${dispatchId}`)).toEqual(view);
  });

  it('stands beside what is named, and sending all again unit by unit keeps each once', async () => {
    const { productCode, soon } = await stocked();
    const dispatchId = await opened({ productCode, quantity: 5 });
    const named = { picks: [{ lineNo: 1, batchNo: 'SOON', quantity: 2 }] };
    await picks(dispatchId, { ...named, scans: [soon] });
    await picks(dispatchId, { ...named, scans: [soon, soon] });
    const view = await picks(dispatchId, { ...named, scans: [soon, soon, soon] });
    expect(view).toMatchObject({ status: 'rechecking', lines: [{ picks: [{ quantity: 5 }] }] });
    expect(view.scans).toHaveLength(3);
  });

  it('goes to the line its batch is reserved for, in the order of the lines', async () => {
    const { productCode, soon, late } = await stocked();
    const { orderId } = await world.approved(
      { productCode, quantity: 4, batchNo: 'LATE' },
      { productCode, quantity: 3 },
    );
    const { dispatchId } = await world.open(orderId);
    const view = await picks(dispatchId, { scans: [...times(3, soon), ...times(4, late)] });
    expect(view.lines.map((line) => line.picks.map((pick) => [pick.batchNo, pick.quantity]))).toEqual([
      [['LATE', 4]],
      [['SOON', 3]],
    ]);
    expect(view.scans.map((scan) => scan.lineNo)).toEqual([2, 2, 2, 1, 1, 1, 1]);
  });

  it('another batch than reserved needs a reason, as it does without scanning', async () => {
    const { productCode, late } = await stocked();
    const dispatchId = await opened({ productCode, quantity: 1 });
    expect(await refusal(dispatchId, 'picks', { scans: [late] })).toEqual(['reason_required', '/scans/0']);
    const view = await picks(dispatchId, { scans: [late], reason: 'asked for by the ward' });
    expect(view.lines[0]).toMatchObject({
      toPick: [{ batchNo: 'LATE', quantity: 1 }],
      picks: [{ batchNo: 'LATE', reason: 'asked for by the ward' }],
    });
  });

  it('serialized units by their serial number, whose batch the stock knows', async () => {
    const di = newDi();
    const productCode = await world.newProduct({ udiDi: di, tracking: 'serial' });
    await world.receive({ productCode, batchNo: 'P1', quantity: 3, serials: ['S1', 'S2', 'S3'] });
    const unit = (serial: string, batch = '') => `(01)${di}${batch}(21)${serial}`;
    const dispatchId = await opened({ productCode, quantity: 2 });
    expect(await refusal(dispatchId, 'picks', { scans: [unit('S1'), unit('S1')] })).toEqual([
      'scanned_twice',
      '/scans/1',
    ]);
    const named = [{ lineNo: 1, batchNo: 'P1', quantity: 1, serials: ['S1'] }];
    expect(await refusal(dispatchId, 'picks', { picks: named, scans: [unit('S1')] })).toEqual([
      'scanned_twice',
      '/scans/0',
    ]);
    expect(await refusal(dispatchId, 'picks', { scans: [unit('S9')] })).toEqual([
      'serial_not_in_stock',
      '/scans/0',
    ]);
    expect(await refusal(dispatchId, 'picks', { scans: [unit('S1', '(10)P2')] })).toEqual([
      'scan_mismatch',
      '/scans/0',
    ]);
    expect(await refusal(dispatchId, 'picks', { scans: [`(01)${di}(10)P1`] })).toEqual([
      'serials_mismatch',
      '/scans/0',
    ]);
    const held = { productCode, batchNo: 'P1', serials: ['S3'], reason: 'dented' };
    await world.post('/v2/stock/holds', held);
    expect(await refusal(dispatchId, 'picks', { scans: [unit('S3')] })).toEqual([
      'stock_blocked',
      '/scans/0',
    ]);
    const view = await picks(dispatchId, { scans: [unit('S2'), unit('S1', '(10)P1')] });
    expect(view.lines[0]?.picks).toMatchObject([{ batchNo: 'P1', quantity: 2, serials: ['S2', 'S1'] }]);
    expect(await refusal(dispatchId, 'recheck', { result: 'pass', scans: [unit('S1'), unit('S3')] })).toEqual(
      ['scan_mismatch', '/scans'],
    );
    const passed = await recheck(dispatchId, { result: 'pass', scans: [unit('S1'), unit('S2')] });
    expect(passed.status).toBe('dispatched');
  });

  it('is refused by the code that does not belong, and nothing of it is kept', async () => {
    const { productCode, soon, late, soonBox, di } = await stocked();
    const other = await stocked();
    const dispatchId = await opened({ productCode, quantity: 3 });
    const refused = (...scans: string[]) => refusal(dispatchId, 'picks', { scans });
    expect(await refused(soon, other.soon)).toEqual(['scan_not_on_list', '/scans/1']);
    expect(await refused(soon, soon, soon, soon)).toEqual(['scan_too_many', '/scans/3']);
    expect(await refused(soonBox)).toEqual(['scan_too_many', '/scans/0']);
    expect(await refused(soon, di)).toEqual(['batch_required', '/scans/1']);
    expect(await refused(`${di}(17)261114(10)SOON`)).toEqual(['batch_expired', '/scans/0']);
    expect(await refused(`${di}(17)270102(10)SOON`)).toEqual(['scan_mismatch', '/scans/0']);
    expect(await refused('(01)06900000000000')).toEqual(['bad_check_digit', '/scans/0']);
    expect(await refused('(01)00844588003288')).toEqual(['unknown_reference', '/scans/0']);
    expect(await refused(`${soon}(21)X`, `${soon}(21)X`)).toEqual(['scanned_twice', '/scans/1']);
    expect(await refusal(dispatchId, 'picks', {})).toEqual(['required', '/picks']);
    await world.post('/v2/stock/holds', { productCode, batchNo: 'LATE', reason: 'dented' });
    expect(await refused(late)).toEqual(['stock_blocked', '/scans/0']);
  });

  it('never expired or recalled goods, with any reason', async () => {
    const { productCode, di, late } = await stocked();
    const opening = { productCode, warehouse: 'WH-1', quantityDelta: 5, reason: 'found' };
    await world.post('/v2/stock/adjustments', { ...opening, batchNo: 'OLD', expiryDate: '2026-11-14' });
    const dispatchId = await opened({ productCode, quantity: 3 });
    const scans = (code: string) => ({ scans: [code], reason: 'nothing else there' });
    expect(await refusal(dispatchId, 'picks', scans(`${di}(10)OLD`))).toEqual(['batch_expired', '/scans/0']);
    const recall = {
      recallNo: world.next('RC'),
      productCode,
      batchNos: ['LATE'],
      class: 'II',
      reason: 'leaks',
    };
    await world.post('/v2/recalls', recall);
    expect(await refusal(dispatchId, 'picks', scans(late))).toEqual(['batch_recalled', '/scans/0']);
  });
});

describe('what is scanned at the re-check', () => {
  it('is exactly what was picked, or nothing leaves', async () => {
    const { productCode, soon, late, soonBox } = await stocked();
    const dispatchId = await opened({ productCode, quantity: 12 });
    await picks(dispatchId, { scans: [soonBox, soonBox, late, late] });
    const wrong = [
      [soonBox, soonBox, late],
      [soonBox, soonBox, late, late, late],
      [soonBox, soonBox, late, soon],
      [],
    ];
    for (const scans of wrong)
      expect(await refusal(dispatchId, 'recheck', { result: 'pass', scans })).toEqual([
        'scan_mismatch',
        '/scans',
      ]);
    const other = await stocked();
    expect(await refusal(dispatchId, 'recheck', { result: 'pass', scans: [other.soon] })).toEqual([
      'scan_not_on_list',
      '/scans/0',
    ]);
    // The serialized units of a box may be scanned one by one.
    const scans = [...times(2, late), soonBox, ...times(5, soon)];
    const view = await recheck(dispatchId, { result: 'pass', scans });
    expect(view.status).toBe('dispatched');
    expect(view.scans.filter((scan) => scan.purpose === 'recheck')).toHaveLength(8);
    expect(await world.stock(productCode)).toEqual([8, 8, 0, 0]);
  });

  it('says what is missing and what is too much', async () => {
    const { productCode, soon, late } = await stocked();
    const dispatchId = await opened({ productCode, quantity: 2 });
    await picks(dispatchId, { scans: [soon, soon] });
    const body = { result: 'pass', scans: [soon, late] };
    const { json } = await world.call('POST', `/v2/dispatches/${dispatchId}/recheck`, body, world.second);
    expect(json.errors?.[0]?.message).toBe(
      `missing: 1 of ${productCode} batch SOON; too much: 1 of ${productCode} batch LATE`,
    );
  });

  it('stays as evidence of a re-check that failed, foreign goods too, and the next round begins anew', async () => {
    const { productCode, soon } = await stocked();
    const other = await stocked();
    const dispatchId = await opened({ productCode, quantity: 1 });
    await picks(dispatchId, { scans: [soon] });
    world.db.clock.advance(1_000);
    const scans = [soon, other.late];
    const failed = await recheck(dispatchId, { result: 'fail', reason: 'wrong goods in the box', scans });
    expect(failed.status).toBe('picking');
    expect(failed.scans.slice(1)).toMatchObject([
      { purpose: 'recheck', code: soon, lineNo: 1 },
      { purpose: 'recheck', code: other.late, lineNo: null, batchNo: 'LATE' },
    ]);
    world.db.clock.advance(1_000);
    expect((await picks(dispatchId, { scans: [soon] })).scans).toHaveLength(4);
  });
});
