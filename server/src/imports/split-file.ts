import { Refusal } from '../platform/errors/index.js';
import { refuseImport } from './import.errors.js';
import { type Import, REFUSALS_STORED_MAX, ROWS_MAX, ROWS_PER_PART } from './import.js';
import type { ImportPart } from './import.store.js';
import { kindOf, type RowToWrite } from './import-kinds.js';
import { type RefusedRow, readRows } from './import-rows.js';

/** A file as the parts in which it is written, or why it cannot be read as a whole. */
export type Split =
  | { rows: number; parts: ImportPart[]; refused: RefusedRow[]; refusedCount: number }
  | { stopped: { reason: string; message: string } };

type Source = Pick<Import, 'kind' | 'format'>;

/** Reads the file: rows that pass the checks are divided into parts, the others are refused right away. */
export async function splitFile(source: Source, content: string): Promise<Split> {
  try {
    return await split(source, content);
  } catch (error) {
    const [issue] = error instanceof Refusal ? error.issues : [];
    if (!issue) throw error;
    return { stopped: { reason: issue.reason, message: issue.message } };
  }
}

async function split({ kind, format }: Source, content: string): Promise<Split> {
  const refused: RefusedRow[] = [];
  const parts: ImportPart[] = [];
  let part: RowToWrite[] = [];
  let rows = 0;
  let refusedCount = 0;
  const endPart = () => {
    if (part.length > 0) parts.push({ position: parts.length + 1, content: JSON.stringify(part) });
    part = [];
  };
  for await (const { line, code, body, errors } of readRows(kindOf(kind), format, content)) {
    if (++rows > ROWS_MAX)
      throw refuseImport('file_too_long', '/content', `The file has more than ${ROWS_MAX} rows.`);
    if (errors.length === 0) part.push({ line, code, body });
    else if (++refusedCount <= REFUSALS_STORED_MAX) refused.push({ line, errors });
    if (part.length === ROWS_PER_PART) endPart();
  }
  if (rows === 0) throw refuseImport('no_rows', '/content');
  endPart();
  return { rows, parts, refused, refusedCount };
}
