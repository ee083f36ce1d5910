import { describe, expect, it } from 'vitest';
import { documentsOf, scaleOf, staysOf } from './custody.js';
import type { Step } from './trace-query.js';

const party = (kind: 'supplier' | 'warehouse' | 'customer', code: string) => ({ kind, code, name: code });
const [SUP, WH, WH2, HOSP] = [
  party('supplier', 'SUP'),
  party('warehouse', 'WH'),
  party('warehouse', 'WH2'),
  party('customer', 'HOSP'),
];
const step = (
  day: number,
  name: Step['step'],
  quantity: number,
  ends: Partial<Pick<Step, 'from' | 'to' | 'location'>>,
): Step =>
  ({
    ...{ step: name, at: `2026-01-0${day}T00:00:00Z`, quantity, from: null, to: null, location: null },
    ...{ document: { type: name, id: `${name}-${day}`, no: null, line: 1 }, ...ends },
  }) as Step;
const brief = (steps: Step[]) =>
  staysOf(steps).map(({ party: { code }, from, until, most, left }) => [
    code,
    Number(from.slice(8, 10)),
    until && Number(until.slice(8, 10)),
    most,
    left,
  ]);

describe('who had the goods when', () => {
  it('is read from the hand-overs', () =>
    expect(
      brief([
        step(1, 'received', 10, { from: SUP, to: WH }),
        step(2, 'dispatched', 4, { from: WH, to: HOSP }),
        step(3, 'delivered', 4, { from: WH, to: HOSP }),
        step(4, 'dispatched', 6, { from: WH, to: HOSP }),
      ]),
    ).toEqual([
      ['WH', 1, 4, 10, 0],
      ['HOSP', 2, null, 10, 10],
    ]));

  it('a party that gets goods again after all have left has a second stay', () =>
    expect(
      brief([
        step(1, 'received', 1, { from: SUP, to: WH }),
        step(2, 'dispatched', 1, { from: WH, to: HOSP }),
        step(3, 'returned', 1, { from: HOSP, to: WH }),
        step(4, 'destroyed', 1, { from: WH }),
      ]),
    ).toEqual([
      ['WH', 1, 2, 1, 0],
      ['HOSP', 2, 3, 1, 0],
      ['WH', 3, 4, 1, 0],
    ]));

  it('a transfer is one step out and one in', () =>
    expect(
      brief([
        step(1, 'added', 5, { to: WH }),
        step(2, 'moved_out', 5, { from: WH, to: WH2 }),
        step(2, 'moved_in', 5, { from: WH, to: WH2 }),
        step(3, 'removed', 1, { from: WH2 }),
      ]),
    ).toEqual([
      ['WH', 1, 2, 5, 0],
      ['WH2', 2, null, 5, 4],
    ]));

  it('holds and recalls belong to the stay in which they fell', () => {
    const stays = staysOf([
      step(1, 'received', 2, { from: SUP, to: WH }),
      step(2, 'recalled', 2, { location: 'WH' }),
    ]);
    expect(stays[0]?.notes.map((note) => note.step)).toEqual(['recalled']);
    expect(stays.flatMap(documentsOf).map(({ id }) => id)).toEqual(['received-1']);
  });

  it('an arrival that was recorded later than the departure does not turn the stay round', () =>
    expect(
      brief([
        step(5, 'added', 3, { to: WH }),
        step(2, 'dispatched', 1, { from: WH, to: HOSP }),
        step(4, 'dispatched', 2, { from: WH, to: HOSP }),
      ]),
    ).toEqual([
      ['WH', 2, 4, 3, 0],
      ['HOSP', 2, null, 3, 3],
    ]));

  it('a departure without an arrival on record is left out', () =>
    expect(brief([step(1, 'dispatched', 1, { from: WH, to: HOSP })])).toEqual([['HOSP', 1, null, 1, 1]]));
});

it('the line of time ends now, and has a length even for one instant', () => {
  const now = Date.parse('2026-01-03T00:00:00Z');
  const { at } = scaleOf([step(1, 'received', 1, {})], now);
  expect([at('2026-01-01T00:00:00Z'), at('2026-01-02T00:00:00Z'), at(null)]).toEqual([0, 50, 100]);
  expect(scaleOf([], now).at(null)).toBe(100);
});
