import { describe, expect, it } from 'vitest';
import { readCsv, writeCsv } from './csv.js';

const cellsOf = (text: string) => readCsv(text).map(({ cells }) => cells);

describe('a CSV file', () => {
  it('is read as it was written: quotes, separators and line breaks inside cells included', () => {
    const rows = [
      ['code', 'name'],
      ['A-1', 'Stent, "coated"'],
      ['A-2', 'two\nlines'],
      ['A-3', ''],
    ];
    expect(cellsOf(writeCsv(rows))).toEqual(rows);
  });

  it('announces UTF-8 and ends its lines as RFC 4180 has it', () => {
    expect(writeCsv([['a', 1, true, null, undefined]])).toBe('\uFEFFa,1,true,,\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])(
    'keeps %j from being a formula in a spreadsheet',
    (cell) => {
      expect(writeCsv([[cell]])).toContain(`'${cell}`);
    },
  );

  it('leaves a negative number a number', () => {
    expect(writeCsv([[-5]])).toBe('\uFEFF-5\r\n');
  });

  it.each([',', ';', '\t'])('is read with %j between its cells', (separator) => {
    expect(cellsOf(`code${separator}name\nA-1${separator}Stent`)).toEqual([
      ['code', 'name'],
      ['A-1', 'Stent'],
    ]);
  });

  it('finds the separator outside of quotes', () => {
    expect(cellsOf('"a;b;c",name\n1,2')).toEqual([
      ['a;b;c', 'name'],
      ['1', '2'],
    ]);
  });

  it('leaves out empty lines and names the line each row begins in', () => {
    const rows = readCsv('code\r\n\r\n"A\nB"\r\n ,\r\nC');
    expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
      [1, 'code'],
      [3, 'A\nB'],
      [6, 'C'],
    ]);
  });

  it('is read to its end without a last line break, and is nothing when empty', () => {
    expect(cellsOf('a,b')).toEqual([['a', 'b']]);
    expect(cellsOf('')).toEqual([]);
    expect(cellsOf('\uFEFF')).toEqual([]);
  });
});
