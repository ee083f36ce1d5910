import { describe, expect, it } from 'vitest';
import { readImport } from './import-rows.js';
import { PARTNER_COLUMNS } from './partner-columns.js';
import { PRODUCT_COLUMNS } from './product-columns.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const partners = (text: string) => readImport(bytes(text), PARTNER_COLUMNS);
const rowsOf = (reading: ReturnType<typeof readImport>) => {
  if (!reading.ok) throw new Error(reading.problem);
  return reading.rows;
};

describe('a file to import', () => {
  it('becomes rows to send, with the line each stands in', () => {
    const [row] = rowsOf(partners('code,name,roles\nHOSP-1,City hospital,customer\n'));
    expect(row).toMatchObject({ line: 2, code: 'HOSP-1', problems: [] });
    expect(row?.body).toMatchObject({ name: 'City hospital', roles: ['customer'] });
  });

  it.each([
    ['code,name,roles\n', 'empty', undefined],
    ['', 'empty', undefined],
    ['code,name,roles,colour\nA,B,customer,red\n', 'unknownColumn', 'colour'],
    ['code,roles\nA,customer\n', 'missingColumn', 'name'],
  ])('%j is refused as a whole: %s', (text, problem, column) => {
    expect(partners(text)).toEqual({ ok: false, problem, ...(column === undefined ? {} : { column }) });
  });

  it('in no known encoding is refused', () => {
    expect(readImport(Uint8Array.from([0x4d, 0xfc, 0x6c]), PARTNER_COLUMNS)).toEqual({
      ok: false,
      problem: 'unreadable',
    });
  });

  it('may have the columns that an export writes but an import cannot set', () => {
    expect(rowsOf(partners('code,name,roles,updatedAt\nA,B,customer,2026-01-01\n'))[0]?.problems).toEqual([]);
  });
});

describe('a row to import', () => {
  const problemsOf = (text: string, at = 0) => rowsOf(partners(`code,name,roles\n${text}`))[at]?.problems;

  it('says which required cell is empty, and how many cells it has too many or too few', () => {
    expect(problemsOf('A,,customer')).toEqual([{ kind: 'missing', column: 'name' }]);
    expect(problemsOf('A,B,customer,x')).toEqual([{ kind: 'cellCount', cells: 4, columns: 3 }]);
  });

  it('says which cell has no allowed value', () => {
    expect(problemsOf('A,B,friend')).toEqual([{ kind: 'cell', column: 'roles', problem: 'notChoice' }]);
  });

  it('names the line that has the same code, a GTIN of any length being one code', () => {
    expect(problemsOf('A,B,customer\nA,C,customer', 1)).toEqual([{ kind: 'duplicate', line: 2 }]);
    const products = readImport(
      bytes('productCode,productName\n6901234567892,A\n06901234567892,B\n'),
      PRODUCT_COLUMNS,
    );
    expect(rowsOf(products)[1]?.problems).toEqual([{ kind: 'duplicate', line: 2 }]);
  });

  it('notices a code that a spreadsheet rounded', () => {
    expect(problemsOf('6.90123E+12,B,customer')).toEqual([{ kind: 'shortened' }]);
  });

  it('loses line breaks and the apostrophe before a formula, and keeps everything else', () => {
    const [row] = rowsOf(partners(`code,name,roles\nA,"City\n hospital",customer\n'=B,"'+ plus",customer`));
    expect(row?.body).toMatchObject({ name: 'City hospital' });
    expect(rowsOf(partners(`code,name,roles\n'=B,'+ plus,customer`))[0]).toMatchObject({
      code: '=B',
      body: { name: '+ plus' },
    });
  });
});
