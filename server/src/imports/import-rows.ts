import { setImmediate } from 'node:timers/promises';
import { Type } from 'typebox';
import { ApiError, type Issue } from '../platform/errors/index.js';
import { Code, compile, parseJsonBody } from '../platform/http/index.js';
import { bodyOf, type Column, columnsOf } from './csv-columns.js';
import { type CsvRow, csvRowsOf, withoutMark } from './csv-rows.js';
import { importReasons, refuseImport } from './import.errors.js';
import type { Body, ImportKind, RowToWrite } from './import-kinds.js';

export const IMPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** A row as it was read; one with errors is not written. Error paths are those of the API's body. */
export interface ImportRow extends RowToWrite {
  errors: Issue[];
}

/** A row that was not written, and why. */
export interface RefusedRow {
  line: number;
  errors: readonly Issue[];
}

/** The rows of a file, each checked by itself and against earlier ones. Throws a Refusal if the file cannot be read. */
export const readRows = (
  kind: ImportKind,
  format: ImportFormat,
  content: string,
): AsyncGenerator<ImportRow> =>
  format === 'csv' ? readCsvRows(kind, csvRowsOf(content)) : readJsonRows(kind, content);

/** Refuses a file with a wrong header or without rows, and reads no further. */
export async function requireReadable(
  kind: ImportKind,
  format: ImportFormat,
  content: string,
): Promise<void> {
  for await (const _row of readRows(kind, format, content)) return;
  throw refuseImport('no_rows', '/content');
}

/** Rows keep what else their source says about them. */
export async function* readCsvRows<R extends CsvRow>(
  kind: ImportKind,
  rows: AsyncIterable<R>,
): AsyncGenerator<ImportRow & Omit<R, 'cells'>> {
  const check = rowChecker(kind);
  let columns: Column[] | null = null;
  for await (const { cells, ...place } of rows) {
    if (!columns) {
      columns = requireHeader(kind, cells);
      continue;
    }
    const body = bodyOf(columns, cells);
    const misfit =
      cells.length === columns.length
        ? null
        : issue(null, 'wrong_cell_count', `has ${cells.length} cells, the header ${columns.length}`);
    yield { ...place, ...check(place.line, body, misfit) };
  }
  if (!columns)
    throw refuseImport('no_rows', '/content', 'The file is empty: its first line must name the columns.');
}

const LINES_AT_A_TIME = 200;

/** One JSON object on each line; empty lines are left out. */
async function* readJsonRows(kind: ImportKind, content: string): AsyncGenerator<ImportRow> {
  const check = rowChecker(kind);
  const text = withoutMark(content);
  let line = 0;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    const json = text.slice(from, to).trim();
    from = to + 1;
    line++;
    if (line % LINES_AT_A_TIME === 0) await setImmediate();
    if (json === '') continue;
    const parsed = parseLine(json);
    yield 'errors' in parsed ? { line, code: '', body: {}, ...parsed } : check(line, parsed.body, null);
  }
}

function parseLine(json: string): { body: Body } | { errors: Issue[] } {
  try {
    const value = parseJsonBody(Buffer.from(json));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { body: value as Body };
    return { errors: [{ path: null, reason: 'wrong_type', message: 'must be object' }] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { errors: [...error.issues] };
  }
}

const issue = (path: string | null, reason: keyof typeof importReasons, message?: string): Issue => ({
  path,
  reason,
  message: message ?? importReasons[reason].meaning,
});

function requireHeader(kind: ImportKind, names: readonly string[]): Column[] {
  const known = columnsOf(kind.schema);
  const columns = names.map((name) => {
    const column = known.find((candidate) => candidate.name === name);
    if (column) return column;
    const list = known.map((each) => each.name).join(', ');
    throw refuseImport(
      'unknown_column',
      '/content',
      `The column "${name.slice(0, NAME_SHOWN_MAX)}" is not known. Columns of ${kind.name}: ${list}.`,
    );
  });
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw refuseImport('duplicate_column', '/content', `The column "${twice}" appears twice in the header.`);
  const missing = requiredFields(kind).filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw refuseImport('missing_column', '/content', `The header lacks: ${missing.join(', ')}.`);
  return columns;
}

const NAME_SHOWN_MAX = 100;

/** For some kinds the API takes the code from its path, so the schema of their body does not require it. */
function requiredFields({ schema, codeColumn }: ImportKind): string[] {
  const { required = [] } = schema as { required?: string[] };
  return [...new Set([codeColumn, ...required])];
}

/** Spreadsheets save long numbers like this; the original code is lost. */
const SHORTENED = /^\d[.,]\d+e\+\d+$/i;

/** Checks rows by the schema of the API, and remembers where each code occurred. */
function rowChecker(kind: ImportKind) {
  const { codeColumn, schema } = kind;
  const { required = [] } = schema as { required?: string[] };
  const checks = [
    ...(required.includes(codeColumn) ? [] : [compile(Type.Object({ [codeColumn]: Code() }), 'body')]),
    compile(schema, 'body'),
  ];
  const lineOfCode = new Map<string, number>();
  const judge = (body: Body): Issue[] =>
    SHORTENED.test(String(body[codeColumn]))
      ? [issue(`/${codeColumn}`, 'shortened_number', 'a spreadsheet rounded this code: format it as text')]
      : checks.flatMap((check) => [...(check(body)?.issues ?? [])]);
  return (line: number, body: Body, misfit: Issue | null): ImportRow => {
    const errors = misfit ? [misfit] : judge(body);
    if (!kind.keyFields.every((field) => typeof body[field] === 'string'))
      return { line, code: '', body, errors };
    const code = kind.codeOf(body);
    const first = lineOfCode.get(code);
    if (first === undefined) lineOfCode.set(code, line);
    else
      errors.push(
        issue(`/${codeColumn}`, 'duplicate_row', `${code} stands in line ${first} and in line ${line}`),
      );
    return { line, code, body, errors };
  };
}
