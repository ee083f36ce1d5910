import { type Database, type Tx, transact } from '../database/index.js';
import { systemPrincipal } from '../principal.js';
import type { SecretBox } from '../secrets/index.js';
import type { SealedRows } from './sealed-rows.js';

export interface ResealOptions {
  orgIds: readonly string[];
  rowsMax?: number;
  /** Called after each batch is committed. */
  onBatch?: (kind: string, resealed: number) => void | Promise<void>;
}

export interface ResealedKind {
  kind: string;
  resealed: number;
  /** Rows that do not open: their key is missing, or they were sealed for another row. They stay as they are. */
  unopenable: number;
}

const ROWS_MAX = 200;
const OPERATOR = 'operator@lotward.invalid';

/**
 * Seals again what is stale, batch by batch, each in a transaction of its own. A row is replaced only if its seals are
 * those that were opened, so the service can go on. Run again after an interruption, it finds what is left.
 */
export async function resealRows(
  database: Database,
  box: SecretBox,
  rows: SealedRows,
  { orgIds, rowsMax = ROWS_MAX, onBatch }: ResealOptions,
): Promise<ResealedKind> {
  const total = { kind: rows.kind, resealed: 0, unopenable: 0 };
  for (const orgId of rows.hasOrganization ? orgIds : ['']) {
    let after: string | null = '';
    while (after !== null) {
      const from: string = after;
      const batch = await transact(database, systemPrincipal(orgId, OPERATOR), (tx) =>
        resealBatch(tx, box, rows, from, rowsMax),
      );
      after = batch.next;
      total.resealed += batch.resealed;
      total.unopenable += batch.unopenable;
      if (batch.resealed > 0) await onBatch?.(rows.kind, total.resealed);
    }
  }
  return total;
}

async function resealBatch(tx: Tx, box: SecretBox, rows: SealedRows, after: string, rowsMax: number) {
  const page = await tx.query<{ id: string; sealed: (string | null)[] }>(rows.read, [
    tx.orgId,
    after,
    rowsMax,
  ]);
  let resealed = 0;
  let unopenable = 0;
  for (const { id, sealed } of page) {
    if (!sealed.some((each) => each !== null && box.isStale(each))) continue;
    const fresh = sealedAgain(box, rows, tx.orgId, id, sealed);
    if (!fresh) unopenable++;
    else resealed += (await tx.query(rows.replace, [tx.orgId, id, sealed, fresh])).length;
  }
  return { next: page.length < rowsMax ? null : (page.at(-1)?.id ?? null), resealed, unopenable };
}

function sealedAgain(
  box: SecretBox,
  rows: SealedRows,
  orgId: string,
  id: string,
  sealed: readonly (string | null)[],
): (string | null)[] | null {
  const place = rows.place(orgId, id);
  try {
    return sealed.map((each) => each && box.seal(box.open(each, place), place));
  } catch {
    return null;
  }
}
