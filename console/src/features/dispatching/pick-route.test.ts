import { describe, expect, it } from 'vitest';
import type { DispatchLine } from './pick-draft.js';
import { firstLine, lineAfter, routeOf } from './pick-route.js';

const line = (lineNo: number, productCode: string) => ({ lineNo, productCode }) as DispatchLine;
const lines = [line(1, 'VACCINE'), line(2, 'STENT'), line(3, 'GLOVE'), line(4, 'STENT')];
const temperatures: Record<string, number> = { VACCINE: 8, STENT: 25 };
const route = routeOf(lines, (code) => ({ temperatureMax: temperatures[code] ?? null }));
const numbers = (of: readonly DispatchLine[]) => of.map(({ lineNo }) => lineNo);
const done =
  (...complete: number[]) =>
  ({ lineNo }: DispatchLine) =>
    complete.includes(lineNo);

describe('the route of a picker', () => {
  it('keeps equal goods together and leaves cold goods to the end', () => {
    expect(numbers(route)).toEqual([3, 2, 4, 1]);
  });

  it('does not depend on the order of the lines', () => {
    expect(
      numbers(routeOf([...lines].reverse(), (code) => ({ temperatureMax: temperatures[code] ?? null }))),
    ).toEqual([3, 2, 4, 1]);
  });
});

describe('the next line', () => {
  it('stays until the line is complete, then comes by itself', () => {
    expect(lineAfter(route, 2, done(3))).toBe(2);
    expect(lineAfter(route, 2, done(3, 2))).toBe(4);
  });

  it('goes back to lines that were left out', () => {
    expect(lineAfter(route, 1, done(1, 2, 4))).toBe(3);
  });

  it('is the last one when everything is complete', () => {
    expect(lineAfter(route, 1, done(1, 2, 3, 4))).toBe(1);
    expect(firstLine(route, done(1, 2, 3, 4))).toBe(3);
    expect(firstLine(route, done(3))).toBe(2);
    expect(firstLine([], done())).toBeUndefined();
  });
});
