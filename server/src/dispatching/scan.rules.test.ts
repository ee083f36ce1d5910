import { describe, expect, it } from 'vitest';
import { Refusal } from '../platform/errors/index.js';
import type { ScannedItem } from '../scanning/index.js';
import type { Dispatch, DispatchLine, DispatchPick, DispatchScan } from './dispatch.js';
import { assignScans, goodsOf, newScans, requireAsPicked, requireInDate } from './scan.rules.js';

const line = (lineNo: number, quantity: number, reserved: Record<string, number>): DispatchLine => ({
  lineNo,
  productCode: 'P',
  productName: 'P',
  specification: null,
  model: null,
  manufacturer: null,
  registrationNo: null,
  unit: null,
  tracking: 'batch',
  quantity,
  toPick: Object.entries(reserved).map(([batchNo, count]) => ({ batchNo, quantity: count })),
  picks: [],
});
const item = (batchNo: string | null, units = 1, more: Partial<ScannedItem> = {}): ScannedItem => ({
  code: `${batchNo}x${units}`,
  productCode: 'P',
  tracking: 'batch',
  packageUnits: units,
  units,
  batchNo,
  serialNo: null,
  manufactureDate: null,
  expiryDate: null,
  ...more,
});
const unknown = () => undefined;
const pick = (lineNo: number, batchNo: string, quantity: number): DispatchPick => ({
  lineNo,
  batchNo,
  quantity,
  serials: [],
  reason: null,
});

/** The assigned scans as `line batch quantity`, or the reason and path of the refusal. */
function assigned(
  lines: DispatchLine[],
  scans: [batchNo: string, units: number][],
  { given = [], reason = null }: { given?: DispatchPick[]; reason?: string | null } = {},
) {
  try {
    const goods = goodsOf(
      { lines },
      scans.map(([batchNo, units]) => item(batchNo, units)),
      unknown,
    );
    const { picks } = assignScans({ lines }, given, goods, reason);
    return picks.map((each) => `${each.lineNo} ${each.batchNo} ${each.quantity}`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `${error.issues[0]?.reason} ${error.issues[0]?.path}`;
  }
}

describe('scans are given to lines', () => {
  const two = () => [line(1, 6, { A: 6 }), line(2, 4, { A: 2, B: 2 })];
  it.each<[string, [string, number][], object, string[] | string]>([
    ['in the order of the lines', [['A', 5]], {}, ['1 A 5']],
    ['a package over two of them', [['A', 8]], {}, ['1 A 6', '2 A 2']],
    ['where the batch is reserved', [['B', 2]], {}, ['2 B 2']],
    [
      'first to reservations, regardless of the scanning order',
      [
        ['C', 1],
        ['A', 8],
        ['B', 1],
      ],
      { reason: 'x' },
      ['2 C 1', '1 A 6', '2 A 2', '2 B 1'],
    ],
    ['beside what is named', [['A', 1]], { given: [pick(1, 'A', 5)] }, ['1 A 6']],
    ['after what is named', [['A', 2]], { given: [pick(1, 'A', 5)] }, ['1 A 6', '2 A 1']],
    ['not more of a batch than reserved without a reason', [['B', 3]], {}, 'reason_required /scans/0'],
    ['more of it with one', [['B', 3]], { reason: 'x' }, ['1 B 1', '2 B 2']],
    [
      'never more than is wanted, also with a reason',
      [
        ['A', 8],
        ['B', 3],
      ],
      { reason: 'x' },
      'scan_too_many /scans/1',
    ],
    ['too many is said before the reason is asked for', [['C', 11]], {}, 'scan_too_many /scans/0'],
  ])('%s', (_what, scans, options, expected) => {
    const result = assigned(two(), scans, options);
    expect(Array.isArray(result) ? [...result].sort() : result).toEqual(
      Array.isArray(expected) ? [...expected].sort() : expected,
    );
  });

  it('a reservation counts once, for all scans of its batch together', () => {
    const scans: [string, number][] = [
      ['B', 2],
      ['B', 1],
    ];
    expect(assigned(two(), scans)).toBe('reason_required /scans/1');
  });

  it('and stay in the order in which they were scanned', () => {
    const goods = goodsOf({ lines: two() }, [item('C'), item('A'), item('B')], unknown);
    const { scans } = assignScans({ lines: two() }, [], goods, 'x');
    expect(scans.map((scan) => scan.batchNo)).toEqual(['C', 'A', 'B']);
  });

  it('and no unit is lost or made on the way', () => {
    for (let units = 1; units <= 10; units++) {
      const goods = goodsOf({ lines: two() }, [item('A', units)], unknown);
      const { picks, scans } = assignScans({ lines: two() }, [], goods, 'x');
      const sum = (each: readonly { quantity: number }[]) =>
        each.reduce((total, one) => total + one.quantity, 0);
      expect([units, sum(picks), sum(scans)]).toEqual([units, units, units]);
    }
  });
});

describe('goods are in date', () => {
  const batch = (expiryDate: string | null) => [{ productCode: 'P', batchNo: 'A', expiryDate }];
  const judge = (label: string | null, known: string | null) => () =>
    requireInDate(
      goodsOf({ lines: [line(1, 1, {})] }, [item('A', 1, { expiryDate: label })], unknown),
      batch(known),
      '2026-11-15',
    );
  it.each([
    [null, null],
    [null, '2026-11-15'],
    ['2026-11-15', '2026-11-15'],
  ])('label %s, batch %s', (label, known) => {
    expect(judge(label, known)).not.toThrow();
  });
  it.each([
    ['2026-11-14', '2028-01-01', /expired on 2026-11-14/],
    [null, '2026-11-14', /expired on 2026-11-14/],
    ['2028-01-01', '2026-11-14', /expired on 2026-11-14/],
    ['2028-01-02', '2028-01-01', /known with expiry date 2028-01-01/],
    ['2028-01-02', null, /known with expiry date none/],
  ])('not with label %s, batch %s', (label, known, message) => {
    expect(judge(label, known)).toThrow(message);
  });
});

describe('a re-check compares with what was picked', () => {
  const picked = (lines: DispatchLine[], ...picks: DispatchPick[]) => ({
    lines: lines.map((each) => ({
      ...each,
      picks: picks.filter((one) => one.lineNo === each.lineNo).map((one) => ({ ...one, expiryDate: null })),
    })),
  });
  const dispatch = picked(
    [line(1, 6, {}), line(2, 4, {})],
    pick(1, 'A', 6),
    pick(2, 'A', 2),
    pick(2, 'B', 2),
  );
  const check = (...items: ScannedItem[]) => requireAsPicked(dispatch, goodsOf(dispatch, items, unknown));

  it('however it is packed, line by line', () => {
    const scans = check(item('B'), item('A', 5), item('A'), item('A', 2), item('B'));
    expect(scans.map((scan) => [scan.lineNo, scan.batchNo, scan.quantity])).toEqual([
      [2, 'B', 1],
      [1, 'A', 5],
      [1, 'A', 1],
      [2, 'A', 2],
      [2, 'B', 1],
    ]);
  });

  it('and names what is missing and too much', () => {
    expect(() => check(item('A', 8), item('B', 1))).toThrow('missing: 1 of P batch B');
    expect(() => check(item('A', 8), item('B', 3))).toThrow('too much: 1 of P batch B');
    expect(() => check(item('A', 8), item('C', 2))).toThrow(
      'missing: 2 of P batch B; too much: 2 of P batch C',
    );
  });
});

describe('a re-check of serialized units', () => {
  const lines = [
    {
      ...line(1, 2, {}),
      tracking: 'serial' as const,
      picks: [{ ...pick(1, 'A', 2), serials: ['S1', 'S2'], expiryDate: null }],
    },
  ];
  const unit = (serialNo: string) => item('A', 1, { tracking: 'serial', serialNo });
  const check = (...serials: string[]) =>
    requireAsPicked({ lines }, goodsOf({ lines }, serials.map(unit), unknown));

  it('compares unit by unit, also within a batch', () => {
    expect(check('S2', 'S1').map((scan) => scan.serialNo)).toEqual(['S2', 'S1']);
    expect(() => check('S1', 'S3')).toThrow('missing: serial S2 of P; too much: serial S3 of P');
  });

  it('is only asked for where stock tracks them: another serial number on the label does not matter', () => {
    const ofBatch = [{ ...line(1, 1, {}), picks: [{ ...pick(1, 'A', 1), expiryDate: null }] }];
    const goods = goodsOf({ lines: ofBatch }, [item('A', 1, { serialNo: 'S9' })], unknown);
    expect(requireAsPicked({ lines: ofBatch }, goods)).toMatchObject([{ batchNo: 'A', serialNo: 'S9' }]);
  });
});

describe('scans of picks are kept once in a round', () => {
  const kept = (
    code: string,
    scannedAt: string,
    purpose: DispatchScan['purpose'] = 'pick',
  ): DispatchScan => ({
    purpose,
    code,
    lineNo: 1,
    batchNo: 'A',
    serialNo: null,
    quantity: 1,
    scannedBy: 'x',
    scannedAt,
  });
  const evidence = (code: string) => ({
    lineNo: 1,
    code,
    productCode: 'P',
    batchNo: 'A',
    serialNo: null,
    quantity: 1,
  });
  const of = (recheckedAt: string | null, ...scans: DispatchScan[]) =>
    ({ scans, recheckedAt: recheckedAt === null ? null : new Date(recheckedAt) }) as Dispatch;
  const morning = '2026-11-15T08:00:00Z';
  const noon = '2026-11-15T12:00:00Z';

  it.each<[string, Dispatch, string[]]>([
    ['all of the first', of(null), ['a', 'a', 'b']],
    ['only what is more', of(null, kept('a', morning)), ['a', 'b']],
    ['nothing that is there', of(null, kept('a', morning), kept('a', morning), kept('b', morning)), []],
    ['all again after a re-check', of(noon, kept('a', morning), kept('b', morning)), ['a', 'a', 'b']],
    ['only what is more since the re-check', of(morning, kept('a', noon)), ['a', 'b']],
    ['also what the re-check scanned', of(morning, kept('a', noon, 'recheck')), ['a', 'a', 'b']],
  ])('%s', (_what, dispatch, expected) => {
    const scans = ['a', 'a', 'b'].map(evidence);
    expect(newScans(dispatch, scans).map((scan) => scan.code)).toEqual(expected);
  });
});
