const BYTE_ORDER_MARK = '\uFEFF';

export type Cell = string | number | boolean | null | undefined;

/**
 * Rows as RFC 4180 has them, for spreadsheets: UTF-8 is announced, and a cell that a spreadsheet would take for a formula
 * is kept from being one by an apostrophe.
 */
export const writeCsv = (rows: readonly (readonly Cell[])[]): string =>
  BYTE_ORDER_MARK + rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

function cellOf(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export interface CsvRow {
  /** Where in the file it begins, counted from 1. */
  line: number;
  cells: string[];
}

/** Spreadsheets save commas, semicolons or tabs, by locale and file type: the header has most of whichever it is. */
function separatorOf(text: string): string {
  const header = (text.split(/\r?\n/, 1)[0] ?? '').replaceAll(/"[^"]*"/g, '');
  return [',', ';', '\t'].reduce((best, mark) =>
    header.split(mark).length > header.split(best).length ? mark : best,
  );
}

/** Reads a file as RFC 4180 has it; lines without anything are left out. */
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

/** Hands a text to whoever looks at the page as a file. */
export function saveFile(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
