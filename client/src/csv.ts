/** Reading and writing CSV files as spreadsheets save them, for the server and the console alike. */

const BYTE_ORDER_MARK = '\uFEFF';

/** A value of one cell; null and undefined are written as an empty cell. */
export type CsvCell = string | number | boolean | null | undefined;

/**
 * Writes rows as RFC 4180 describes. A byte order mark announces UTF-8 to spreadsheets, and a cell that a spreadsheet would
 * take for a formula gets an apostrophe in front.
 *
 * @param rows - The header, if there is one, and the rows below it.
 */
export const writeCsv = (rows: readonly (readonly CsvCell[])[]): string =>
  BYTE_ORDER_MARK + rows.map((row) => `${row.map(writeCell).join(',')}\r\n`).join('');

/** The beginning of a formula: also in full width, and after spaces, quotes or invisible characters. */
const FORMULA = `["'\\u200B-\\u200F\\u2060\\uFEFF]*[^\\S\\t\\r\\n]*["']*[=+\\-@＝＋－＠]`;
const AT_START = new RegExp(`^(?=[\\t\\r\\n]|${FORMULA})`);
/** In another locale, a spreadsheet splits cells at semicolons or tabs, and ignores quotes in the middle of a line. */
const WITHIN = new RegExp(`[;\\t\\r\\n](?=${FORMULA})`, 'g');

const neutralized = (value: string): string => value.replace(WITHIN, "$&'").replace(AT_START, "'");

function writeCell(value: CsvCell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = neutralized(value);
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A row of a CSV file. */
export interface CsvRow {
  /** The line of the file on which the row begins, counted from 1. */
  line: number;
  cells: string[];
}

/**
 * The separator of a file: spreadsheets save commas, semicolons or tabs, by locale and file type.
 *
 * @param text - The beginning of the file, with its whole header.
 */
export function separatorOf(text: string): string {
  const header = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)[0] ?? '';
  return [',', ';', '\t'].reduce((best, mark) =>
    header.split(mark).length > header.split(best).length ? mark : best,
  );
}

/**
 * Reads a whole file as RFC 4180 describes. Skips empty lines.
 *
 * @param file - The decoded text, with or without a byte order mark.
 */
export function readCsv(file: string): CsvRow[] {
  const text = file.startsWith(BYTE_ORDER_MARK) ? file.slice(1) : file;
  const separator = separatorOf(text);
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let cell = '';
  let line = 1;
  let quoted = false;
  const endCell = () => {
    row.cells.push(cell);
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (row.cells.some((each) => each.trim() !== '')) rows.push(row);
    row = { line: line + 1, cells: [] };
  };
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? '';
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (character === '"' && cell.trim() === '') {
      cell = '';
      quoted = true;
    } else if (character === separator) endCell();
    else if (character === '\n') endRow();
    else if (character !== '\r') cell += character;
    if (character === '\n') line++;
  }
  if (cell !== '' || row.cells.length > 0) endRow();
  return rows;
}

export * from './text-encoding.js';
