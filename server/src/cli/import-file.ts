import { stat } from 'node:fs/promises';
import type { TextEncoding } from '@lotward/client/csv';
import type { Tx } from '../platform/database/index.js';
import { Refusal } from '../platform/errors/index.js';
import { columnAt, columnsOf } from './csv-columns.js';
import { encodingOf } from './csv-file.js';
import { claimImport, keepStatistics, planAnew } from './import.store.js';
import type { ImportKind } from './import-kinds.js';
import { type ImportRow, type RefusedRow, readRows } from './import-rows.js';
import { UsageError } from './output.js';

export interface ImportReport {
  created: number;
  updated: number;
  /** How many rows; each may be refused for several reasons. */
  refused: number;
  rows: RefusedRow[];
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

interface Written {
  created: number;
  updated: number;
  rows: RefusedRow[];
}

/** Far below the limit of a statement, and large enough that round trips do not matter. */
const ROWS_PER_CHUNK = 1_000;

/** Checks the whole file before writing; then writes all rows, or with `partial` the valid ones. */
export async function importFile(given: ImportOptions): Promise<ImportReport> {
  const seen = await stamp(given.file);
  const options = { ...given, encoding: await encodingOf(given.file) };
  const reportOf = (written: Written, isWritten: boolean): ImportReport => ({
    ...summarize(written),
    written: isWritten,
    encoding: options.encoding,
  });
  const bad = await checkRows(options);
  if (bad.length > 0 && !options.partial) return reportOf({ created: 0, updated: 0, rows: bad }, false);
  if (options.partial) {
    const done = await writeChunks(options, (chunk) =>
      options.transact((tx) => writeChunk(tx, options.kind, chunk)),
    );
    return reportOf({ ...done, rows: [...bad, ...done.rows] }, done.created + done.updated > 0);
  }
  try {
    const done = await options.transact(async (tx) => {
      if (!(await claimImport(tx)))
        throw new UsageError('Another file is being imported: try again when it is done, or use --partial.');
      await keepStatistics(tx);
      const all = await writeChunks(options, (chunk) => writeChunk(tx, options.kind, chunk));
      if (all.rows.length > 0) throw new NothingWritten(all.rows);
      if ((await stamp(options.file)) !== seen)
        throw new UsageError(`${options.file} was changed while it was read: nothing was written.`);
      return all;
    });
    return reportOf(done, true);
  } catch (error) {
    if (!(error instanceof NothingWritten)) throw error;
    return reportOf({ created: 0, updated: 0, rows: error.rows }, false);
  }
}

/** Rolls the transaction back and carries the reasons out of it. */
class NothingWritten extends Error {
  readonly rows: RefusedRow[];
  constructor(rows: RefusedRow[]) {
    super('nothing was written');
    this.rows = rows;
  }
}

async function stamp(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return `${found?.size} ${found?.mtimeMs}`;
}

function summarize({ created, updated, rows }: Written) {
  const refused = new Set(rows.map((row) => row.line)).size;
  return { created, updated, refused, rows: rows.sort((a, b) => a.line - b.line) };
}

interface ReadOptions extends ImportOptions {
  encoding: TextEncoding;
}

async function checkRows({ kind, file, encoding, onProgress }: ReadOptions): Promise<RefusedRow[]> {
  const bad: RefusedRow[] = [];
  let count = 0;
  for await (const row of readRows(kind, file, encoding)) {
    for (const refusal of row.refusals) bad.push(refusal);
    onProgress('Checking', ++count, row.share);
  }
  return bad;
}

async function writeChunks(
  { kind, file, encoding, onProgress }: ReadOptions,
  write: (chunk: readonly ImportRow[]) => Promise<Written>,
): Promise<Written> {
  const sum: Written = { created: 0, updated: 0, rows: [] };
  let count = 0;
  let chunk: ImportRow[] = [];
  const flush = async () => {
    const { created, updated, rows } = await write(chunk);
    sum.created += created;
    sum.updated += updated;
    for (const row of rows) sum.rows.push(row);
    chunk = [];
  };
  for await (const row of readRows(kind, file, encoding)) {
    if (row.refusals.length === 0) chunk.push(row);
    if (chunk.length === ROWS_PER_CHUNK) await flush();
    onProgress('Writing', ++count, row.share);
  }
  if (chunk.length > 0) await flush();
  return sum;
}

/** Writes all rows together; when a rule refuses one, bisects to find it. */
async function writeChunk(tx: Tx, kind: ImportKind, chunk: readonly ImportRow[]): Promise<Written> {
  await planAnew(tx);
  const known = await kind.known(
    tx,
    chunk.map((row) => row.code),
  );
  const good: ImportRow[] = [];
  const bad: RefusedRow[] = [];
  const write = async (rows: readonly ImportRow[]): Promise<void> => {
    const refusal = await putUnlessRefused(tx, kind, rows);
    const [row] = rows;
    if (refusal === null) good.push(...rows);
    else if (rows.length === 1 && row) bad.push(...refusalsOf(kind, row, refusal));
    else {
      const middle = rows.length >> 1;
      await write(rows.slice(0, middle));
      await write(rows.slice(middle));
    }
  };
  await write(chunk);
  const updated = good.filter((row) => known.has(row.code)).length;
  return { created: good.length - updated, updated, rows: bad };
}

async function putUnlessRefused(
  tx: Tx,
  kind: ImportKind,
  rows: readonly ImportRow[],
): Promise<Refusal | null> {
  try {
    const bodies = rows.map((row) => row.body);
    await tx.savepoint(() => kind.put(tx, bodies));
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function refusalsOf(kind: ImportKind, { line }: ImportRow, refusal: Refusal): RefusedRow[] {
  const columns = columnsOf(kind.schema);
  return refusal.issues.map(({ path, reason, message }) => ({
    line,
    path: columnAt(columns, path),
    reason,
    message,
  }));
}
