import type { Tx } from '../platform/database/index.js';
import { type Issue, Refusal } from '../platform/errors/index.js';
import { importReasons } from './import.errors.js';
import type { ImportKind, LockedRows, RowToWrite } from './import-kinds.js';
import type { RefusedRow } from './import-rows.js';

export interface Written {
  created: number;
  updated: number;
  refused: RefusedRow[];
}

/** Writes rows that passed the checks. When one is refused, bisects to find it; the others are written. */
export async function writeRows(tx: Tx, kind: ImportKind, rows: readonly RowToWrite[]): Promise<Written> {
  const locked = await kind.lock(tx, rows);
  const good: RowToWrite[] = [];
  const refused: RefusedRow[] = [];
  const write = async (part: readonly RowToWrite[]): Promise<void> => {
    const outcome = await putUnlessRefused(tx, locked, part);
    if ('together' in outcome && part.length > 1) {
      const middle = part.length >> 1;
      await write(part.slice(0, middle));
      await write(part.slice(middle));
      return;
    }
    for (const [i, row] of part.entries()) {
      const errors = 'together' in outcome ? outcome.together : outcome.each[i];
      if (errors) refused.push({ line: row.line, errors });
      else good.push(row);
    }
  };
  await write(rows);
  const updated = good.filter((row) => locked.isKnown(row.code)).length;
  return { created: good.length - updated, updated, refused };
}

/** Determines what writing the rows would do, and rolls it back. */
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

/** The issues of rows that were refused individually, or those for which none was written. */
type Outcome = { each: readonly (readonly Issue[] | null)[] } | { together: readonly Issue[] };

async function putUnlessRefused(tx: Tx, locked: LockedRows, rows: readonly RowToWrite[]): Promise<Outcome> {
  try {
    const each = await tx.savepoint(() => locked.put(rows.map((row) => row.body)));
    return { each: each ?? [] };
  } catch (error) {
    if (error instanceof Refusal) return { together: error.issues };
    if (isAboutTheRow(error)) return { together: [ROW_FAILED] };
    throw error;
  }
}

const ROW_FAILED: Issue = { path: null, reason: 'row_failed', message: importReasons.row_failed.meaning };

/** Data exceptions and constraint violations recur with every attempt, and concern only the row itself. */
const isAboutTheRow = (error: unknown): boolean =>
  /^2[23]/.test(String((error as { code?: unknown } | null)?.code ?? ''));
