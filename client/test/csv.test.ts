import { describe, expect, it } from 'vitest';
import { writeCsv } from '../src/csv.js';

const cell = (value: string | number) => writeCsv([[value]]).slice(1, -2);

describe('a file for spreadsheets', () => {
  it('is marked as UTF-8 and ends every row as RFC 4180 has it', () => {
    expect(writeCsv([['a', 1], ['ö']])).toBe('\uFEFFa,1\r\nö\r\n');
  });

  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "a"', '"say ""a"""'],
    ['two\nlines', '"two\nlines"'],
    [-5, '-5'],
    ['a;b', '"a;b"'],
    ['A-1; B-2', '"A-1; B-2"'],
    ['a - b = c', 'a - b = c'],
  ])('keeps %j whole', (value, written) => expect(cell(value)).toBe(written));

  it.each([
    ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\ttext'],
    ...['＝1+1', '＋1', '－1', '＠SUM(A1)', ' =1', '\u200B=1', '\uFEFF=1', '"=1'],
  ])('takes %j for text', (value) => expect(cell(value).replace(/^"/, '')).toMatch(/^'/));

  it.each([';=1+1', 'a;=1+1', 'a; ＝1', 'a\t@x', 'a\n=1', ';"=1'])(
    'has no formula in %j where a spreadsheet divides at semicolons or tabs and knows no quotes in the middle',
    (value) => {
      for (const part of cell(value)
        .split(/[;\t\r\n]/)
        .slice(1))
        expect(part).toMatch(/^'/);
      expect(cell(value)).toMatch(/^".*"$/s);
    },
  );
});
