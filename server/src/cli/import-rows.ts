import type { TextEncoding } from '@lotward/client/csv';
import { Type } from 'typebox';
import { Code, compile } from '../platform/http/index.js';
import { bodyOf, type Column, columnAt, columnsOf } from './csv-columns.js';
import { type CsvRow, readCsv } from './csv-file.js';
import type { Body, ImportKind } from './import-kinds.js';
import { UsageError } from './output.js';

export interface RefusedRow {
  line: number;
  /** The column, or null for the row as a whole. */
  path: string | null;
  reason: string;
  message: string;
}

export interface ImportRow {
  line: number;
  share: number;
  code: string;
  body: Body;
  /** A row with issues is not written. */
  refusals: RefusedRow[];
}

/** The rows of a file, each checked by itself and against those before it. */
export async function* readRows(
  kind: ImportKind,
  file: string,
  encoding: TextEncoding,
): AsyncGenerator<ImportRow> {
  const check = rowChecker(kind);
  const lineOfCode = new Map<string, number>();
  let columns: Column[] | null = null;
  for await (const row of readCsv(file, encoding)) {
    if (!columns) {
      columns = requireHeader(kind, row.cells);
      continue;
    }
    const body = bodyOf(columns, row.cells);
    const code = kind.codeOf(body);
    const refusals = check(columns, row, body);
    const first = lineOfCode.get(code);
    if (first !== undefined) refusals.push(duplicate(kind, code, first, row.line));
    else if (body[kind.codeColumn] !== undefined) lineOfCode.set(code, row.line);
    yield { line: row.line, share: row.share, code, body, refusals };
  }
  if (!columns) throw new UsageError(`${file} is empty: its first line must name the columns.`);
}

const duplicate = (kind: ImportKind, code: string, first: number, line: number): RefusedRow => ({
  line,
  path: kind.codeColumn,
  reason: 'duplicate_row',
  message: `${code} stands in line ${first} and in line ${line}`,
});

function requireHeader(kind: ImportKind, names: readonly string[]): Column[] {
  const known = columnsOf(kind.schema);
  const columns = names.map((name) => {
    const column = known.find((candidate) => candidate.name === name);
    if (column) return column;
    throw new UsageError(
      `The column "${name}" is not known. Columns of ${kind.name}: ${known.map((k) => k.name).join(', ')}.`,
    );
  });
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new UsageError(`The column "${twice}" appears twice in the header.`);
  const { required = [] } = kind.schema as { required?: string[] };
  const missing = [kind.codeColumn, ...required].filter((name) => !names.includes(name));
  if (missing.length > 0) throw new UsageError(`The header lacks: ${missing.join(', ')}.`);
  return columns;
}

/** Spreadsheets save long numbers like this; the original code is lost. */
const SHORTENED = /^\d[.,]\d+e\+\d+$/i;

function rowChecker(kind: ImportKind) {
  const checks = [
    // The API has the code in its path, so the body's schema does not insist on it.
    compile(Type.Object({ [kind.codeColumn]: Code() }), 'body'),
    compile(kind.schema, 'body'),
  ];
  return (columns: readonly Column[], { line, cells }: CsvRow, body: Body): RefusedRow[] => {
    const refuse = (path: string | null, reason: string, message: string) => ({
      line,
      path,
      reason,
      message,
    });
    if (cells.length !== columns.length)
      return [refuse(null, 'wrong_cell_count', `has ${cells.length} cells, the header ${columns.length}`)];
    if (SHORTENED.test(String(body[kind.codeColumn])))
      return [
        refuse(kind.codeColumn, 'shortened_number', 'a spreadsheet rounded this code: format it as text'),
      ];
    const issues = checks.flatMap((check) => check(body)?.issues ?? []);
    return issues.map((issue) => refuse(columnAt(columns, issue.path), issue.reason, issue.message));
  };
}
