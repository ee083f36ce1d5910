export {
  announcedEncoding,
  chineseEvidence,
  NotThisEncoding,
  strictDecoder,
  type TextEncoding,
} from './encoding.js';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Rows as RFC 4180 has them, for spreadsheets: UTF-8 is announced, and a cell that a spreadsheet would take for a formula
 * is kept from being one by an apostrophe.
 */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  BYTE_ORDER_MARK + rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
