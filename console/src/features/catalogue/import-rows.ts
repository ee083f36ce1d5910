import { canonicalCode } from '@lotward/client';
import { type CsvRow, decodeText, readCsv, type TextEncoding } from '@lotward/client/csv';
import type { CellProblem, CsvColumn } from './csv-columns.js';

export type RowProblem =
  | { kind: 'cellCount'; cells: number; columns: number }
  | { kind: 'missing'; column: string }
  | { kind: 'shortened' }
  | { kind: 'duplicate'; line: number }
  | { kind: 'cell'; column: string; problem: CellProblem };

export interface ImportRow {
  line: number;
  code: string;
  body: Record<string, unknown>;
  cells: string[];
  problems: RowProblem[];
}

export type FileReading =
  | { ok: true; encoding: TextEncoding; header: string[]; rows: ImportRow[] }
  | { ok: false; problem: 'empty' | 'unreadable' }
  | { ok: false; problem: 'unknownColumn' | 'missingColumn'; column: string };

/** Fields of an exported file that cannot be written: allowed as columns, and ignored. */
const IGNORED = new Set(['id', 'updatedAt']);
/** A code as a spreadsheet shortens it: `6.90123E+12`. */
const SHORTENED = /^\d([.,]\d+)?E\+?\d+$/i;

/** A file as rows to send, each with its problems; nothing is sent before the user has seen them. */
export function readImport(bytes: Uint8Array, columns: readonly CsvColumn<never>[]): FileReading {
  const decoded = decodeText(bytes);
  if (!decoded) return { ok: false, problem: 'unreadable' };
  const [first, ...rest] = readCsv(decoded.text);
  const header = first?.cells.map((each) => each.trim()) ?? [];
  const unknown = header.find((name) => !IGNORED.has(name) && !columns.some((each) => each.name === name));
  if (unknown !== undefined) return { ok: false, problem: 'unknownColumn', column: unknown };
  const missing = columns.find((each) => each.required && !header.includes(each.name));
  if (first && missing) return { ok: false, problem: 'missingColumn', column: missing.name };
  if (rest.length === 0) return { ok: false, problem: 'empty' };
  const codeColumn = columns[0]?.name ?? '';
  const seen = new Map<string, number>();
  const rows = rest.map((row) => {
    const read = readRow(row, header, columns, codeColumn);
    const before = seen.get(canonicalCode(read.code));
    if (before !== undefined && read.code !== '') read.problems.push({ kind: 'duplicate', line: before });
    else seen.set(canonicalCode(read.code), row.line);
    return read;
  });
  return { ok: true, encoding: decoded.encoding, header, rows };
}

function readRow(
  { line, cells: given }: CsvRow,
  header: readonly string[],
  columns: readonly CsvColumn<never>[],
  codeColumn: string,
): ImportRow {
  const cells = given.map(clean);
  const problems: RowProblem[] = [];
  const body: Record<string, unknown> = {};
  if (cells.length !== header.length)
    problems.push({ kind: 'cellCount', cells: cells.length, columns: header.length });
  header.forEach((name, i) => {
    const column = columns.find((each) => each.name === name);
    const cell = cells[i] ?? '';
    if (!column) return;
    if (cell === '') {
      if (column.required) problems.push({ kind: 'missing', column: name });
      return;
    }
    const reading = column.read(cell);
    if ('problem' in reading) problems.push({ kind: 'cell', column: name, problem: reading.problem });
    else put(body, name, reading.value);
  });
  const code = cells[header.indexOf(codeColumn)] ?? '';
  if (SHORTENED.test(code)) problems.push({ kind: 'shortened' });
  return { line, code, body, cells, problems };
}

/** No field has line breaks, but a cell may; exports put an apostrophe before a formula. */
const clean = (cell: string): string =>
  cell
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .trim()
    .replace(/^'(?=[=+\-@])/, '');

function put(body: Record<string, unknown>, name: string, value: unknown): void {
  const [field = name, inner] = name.split('.');
  body[field] = inner === undefined ? value : { ...(body[field] as object | undefined), [inner]: value };
}
