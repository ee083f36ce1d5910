import { stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { TextEncoding } from '@lotward/client/csv';
import {
  columnAt,
  columnsOf,
  type ImportKind,
  type ImportRow,
  type RefusedRow,
  type RowToWrite,
  readCsvRows,
  type Written,
  writeRows,
} from '../imports/index.js';
import type { Tx } from '../platform/database/index.js';
import { Refusal } from '../platform/errors/index.js';
import { encodingOf, readCsv } from './csv-file.js';
import { claimImport, keepStatistics, planAnew } from './import.store.js';
import { UsageError } from './output.js';

/** One reason for which a row was refused. */
interface ReportedRow {
  line: number;
  /** The column, or null for the row as a whole. */
  path: string | null;
  reason: string;
  message: string;
}

export interface ImportReport {
  created: number;
  updated: number;
  /** Refused rows; each may have several reasons. */
  refused: number;
  rows: ReportedRow[];
  written: boolean;
  /** The encoding the file was read in. */
  encoding: TextEncoding;
}

export interface ImportOptions {
  kind: ImportKind;
  file: string;
  partial: boolean;
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  onProgress(phase: 'Checking' | 'Writing', rows: number, share: number): void;
}

/** Far below the limit of a statement, yet large enough to make round trips negligible. */
const ROWS_PER_CHUNK = 1_000;
/** Rows read, in about a millisecond, before the database is heard again: it would wait for the next statement meanwhile. */
const ROWS_AT_A_TIME = 100;

/** Checks the whole file before writing; then writes all rows, or with `partial` the valid ones. */
export async function importFile(given: ImportOptions): Promise<ImportReport> {
  const seen = await stamp(given.file);
  const options = { ...given, encoding: await encodingOf(given.file) };
  const reportOf = (written: Written, isWritten: boolean): ImportReport => ({
    ...summarize(options.kind, written),
    written: isWritten,
    encoding: options.encoding,
  });
  const bad = await checkRows(options);
  if (bad.length > 0 && !options.partial) return reportOf({ created: 0, updated: 0, refused: bad }, false);
  if (options.partial) {
    const done = await writeChunks(options, (chunk) =>
      options.transact((tx) => writeChunk(tx, options.kind, chunk)),
    );
    return reportOf({ ...done, refused: [...bad, ...done.refused] }, done.created + done.updated > 0);
  }
  try {
    const done = await options.transact(async (tx) => {
      if (!(await claimImport(tx)))
        throw new UsageError('Another file is being imported: try again when it is done, or use --partial.');
      await keepStatistics(tx);
      const all = await writeChunks(options, (chunk) => writeChunk(tx, options.kind, chunk));
      if (all.refused.length > 0) throw new NothingWritten(all.refused);
      if ((await stamp(options.file)) !== seen)
        throw new UsageError(`${options.file} was changed while it was read: nothing was written.`);
      return all;
    });
    return reportOf(done, true);
  } catch (error) {
    if (!(error instanceof NothingWritten)) throw error;
    return reportOf({ created: 0, updated: 0, refused: error.refused }, false);
  }
}

/** Rolls the transaction back and carries the reasons out of it. */
class NothingWritten extends Error {
  readonly refused: RefusedRow[];
  constructor(refused: RefusedRow[]) {
    super('nothing was written');
    this.refused = refused;
  }
}

async function stamp(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return `${found?.size} ${found?.mtimeMs}`;
}

function summarize(kind: ImportKind, { created, updated, refused }: Written) {
  const columns = columnsOf(kind.schema);
  const rows = refused
    .toSorted((a, b) => a.line - b.line)
    .flatMap(({ line, errors }) =>
      errors.map(({ path, reason, message }) => ({ line, path: columnAt(columns, path), reason, message })),
    );
  return { created, updated, refused: refused.length, rows };
}

interface ReadOptions extends ImportOptions {
  encoding: TextEncoding;
}

async function* readRows({
  kind,
  file,
  encoding,
}: ReadOptions): AsyncGenerator<ImportRow & { share: number }> {
  try {
    yield* readCsvRows(kind, readCsv(file, encoding));
  } catch (error) {
    // The file as a whole cannot be used; refused rows are no failure here.
    if (error instanceof Refusal) throw new UsageError(error.message);
    throw error;
  }
}

async function checkRows(options: ReadOptions): Promise<RefusedRow[]> {
  const bad: RefusedRow[] = [];
  let count = 0;
  for await (const { line, errors, share } of readRows(options)) {
    if (errors.length > 0) bad.push({ line, errors });
    options.onProgress('Checking', ++count, share);
  }
  return bad;
}

async function writeChunks(
  options: ReadOptions,
  write: (chunk: readonly RowToWrite[]) => Promise<Written>,
): Promise<Written> {
  const sum: Written = { created: 0, updated: 0, refused: [] };
  let count = 0;
  let chunk: RowToWrite[] = [];
  let writing: Promise<Written> | null = null;
  const finish = async () => {
    if (!writing) return;
    const { created, updated, refused } = await writing;
    writing = null;
    sum.created += created;
    sum.updated += updated;
    for (const row of refused) sum.refused.push(row);
  };
  // The database writes one chunk while the next is read. A failure surfaces at the end of that.
  const flush = async () => {
    await finish();
    writing = write(chunk);
    writing.catch(() => {});
    chunk = [];
  };
  try {
    for await (const row of readRows(options)) {
      if (row.errors.length === 0) chunk.push(row);
      if (chunk.length === ROWS_PER_CHUNK) await flush();
      options.onProgress('Writing', ++count, row.share);
      if (count % ROWS_AT_A_TIME === 0) await setImmediate();
    }
    if (chunk.length > 0) await flush();
  } finally {
    // Nothing is still being written when the transaction ends, even if the file cannot be read to its end.
    await finish();
  }
  return sum;
}

async function writeChunk(tx: Tx, kind: ImportKind, chunk: readonly RowToWrite[]): Promise<Written> {
  await planAnew(tx);
  return writeRows(tx, kind, chunk);
}
