import type { Tx } from '../platform/database/index.js';
import { refuseImport } from './import.errors.js';
import { type Import, REFUSALS_STORED_MAX, ROWS_MAX, ROWS_PER_PART } from './import.js';
import { type Advance, type ImportPart, saveParts, saveRefusals } from './import.store.js';
import { kindOf } from './import-kinds.js';
import { type RefusedRow, type RowToWrite, readRows } from './import-rows.js';

/** Parts that are inserted with one statement. */
const PARTS_AT_A_TIME = 40;

/**
 * Reads the file and replaces it with the rows that pass the checks, in parts; the others are refused already. Throws a Refusal
 * if the file cannot be read as a whole: then no row has been written.
 */
export async function splitFile(
  tx: Tx,
  { importId, kind, format }: Import,
  content: string,
): Promise<Advance> {
  const refused: RefusedRow[] = [];
  const parts: ImportPart[] = [];
  let part: RowToWrite[] = [];
  let rows = 0;
  let refusedCount = 0;
  let position = 0;
  const endPart = () => {
    if (part.length > 0) parts.push({ position: ++position, content: JSON.stringify(part) });
    part = [];
  };
  for await (const { line, code, body, errors } of readRows(kindOf(kind), format, content)) {
    if (++rows > ROWS_MAX) throw refuseImport('file_too_long', '/content', `The file has more than ${ROWS_MAX} rows.`);
    if (errors.length === 0) part.push({ line, code, body });
    else if (++refusedCount <= REFUSALS_STORED_MAX) refused.push({ line, errors });
    if (part.length === ROWS_PER_PART) endPart();
  }
  if (rows === 0) throw refuseImport('no_rows', '/content');
  endPart();
  for (let at = 0; at < parts.length; at += PARTS_AT_A_TIME)
    saveParts(tx, importId, parts.slice(at, at + PARTS_AT_A_TIME));
  if (refused.length > 0) saveRefusals(tx, importId, refused);
  return { rows, created: 0, updated: 0, refused: refusedCount };
}
