import type { Tx } from '../platform/database/index.js';
import { type Issue, Refusal } from '../platform/errors/index.js';
import { importReasons } from './import.errors.js';
import type { ImportKind, RowToWrite } from './import-kinds.js';
import type { RefusedRow } from './import-rows.js';

export interface Written {
  created: number;
  updated: number;
  refused: RefusedRow[];
}

/** Writes rows that passed the checks. When one is refused, bisects to find it; the others are written. */
export async function writeRows(tx: Tx, kind: ImportKind, rows: readonly RowToWrite[]): Promise<Written> {
  const known = await kind.lockKnown(tx, rows);
  const good: RowToWrite[] = [];
  const refused: RefusedRow[] = [];
  const write = async (part: readonly RowToWrite[]): Promise<void> => {
    const errors = await putUnlessRefused(tx, kind, part);
    const [row] = part;
    if (errors === null) good.push(...part);
    else if (part.length === 1 && row) refused.push({ line: row.line, errors });
    else {
      const middle = part.length >> 1;
      await write(part.slice(0, middle));
      await write(part.slice(middle));
    }
  };
  if (kind.isPutTogether) await write(rows);
  else for (const row of rows) await write([row]);
  const updated = good.filter((row) => known.has(row.code)).length;
  return { created: good.length - updated, updated, refused };
}

/** Finds out what writing the rows would do, and takes it back. */
export async function tryRows(tx: Tx, kind: ImportKind, rows: readonly RowToWrite[]): Promise<Written> {
  try {
    return await tx.savepoint(async () => {
      throw new TakenBack(await writeRows(tx, kind, rows));
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.written;
    throw error;
  }
}

/** Rolls back to the savepoint and carries the outcome out of it. */
class TakenBack extends Error {
  readonly written: Written;
  constructor(written: Written) {
    super('taken back');
    this.written = written;
  }
}

async function putUnlessRefused(
  tx: Tx,
  kind: ImportKind,
  rows: readonly RowToWrite[],
): Promise<readonly Issue[] | null> {
  try {
    await tx.savepoint(() =>
      kind.put(
        tx,
        rows.map((row) => row.body),
      ),
    );
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.issues;
    if (isAboutTheRow(error)) return [ROW_FAILED];
    throw error;
  }
}

const ROW_FAILED: Issue = { path: null, reason: 'row_failed', message: importReasons.row_failed.meaning };

/** Data exceptions and violated constraints come again with every attempt; other rows of the file do not share them. */
const isAboutTheRow = (error: unknown): boolean =>
  /^2[23]/.test(String((error as { code?: unknown } | null)?.code ?? ''));
