import { describe, expect, it } from 'vitest';
import { readFile } from './read-file.js';

describe('a file to import', () => {
  it('is shown as rows, with the line each stands in', () => {
    const text = 'code;name;roles\r\nHOSP-1;"City\r\nhospital";customer\r\nHOSP-2;B;customer\r\n';
    expect(readFile(new TextEncoder().encode(text))).toMatchObject({
      encoding: 'UTF-8',
      header: ['code', 'name', 'roles'],
      rows: [{ line: 2, cells: ['HOSP-1', 'City\r\nhospital', 'customer'] }, { line: 4 }],
    });
  });

  it('in no known encoding is not read', () => {
    expect(readFile(Uint8Array.from([0x4d, 0xfc, 0x6c]))).toBeNull();
  });
});
