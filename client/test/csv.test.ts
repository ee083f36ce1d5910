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
  ])('keeps %j whole', (value, written) => expect(cell(value)).toBe(written));

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('takes %j for text', (value) =>
    expect(cell(value).replace(/^"/, '')).toMatch(/^'/),
  );
});
