import { type Database, type Tx, transact } from '../database/index.js';
import { systemPrincipal } from '../principal.js';
import type { SealPlace, SecretBox } from '../secrets/index.js';
import { openAt, type SealedRows } from './sealed-rows.js';

export interface ResealOptions {
  orgIds: readonly string[];
  rowsMax?: number;
  /** Called after each batch is committed. */
  onBatch?: (kind: string, resealed: number) => void | Promise<void>;
}

export interface ResealedKind {
  kind: string;
  resealed: number;
  /** Rows that cannot be opened: their key is missing, or they were sealed for another row. They stay unchanged. */
  unopenable: number;
}

const ROWS_MAX = 200;
const OPERATOR = 'operator@lotward.invalid';

/**
 * Seals stale data again, batch by batch, each in its own transaction. A row is replaced only if its seals are unchanged
 * since they were opened, so the service can keep running. Run it again after an interruption to continue.
 */
export async function resealRows(
  database: Database,
  box: SecretBox,
  rows: SealedRows,
  { orgIds, rowsMax = ROWS_MAX, onBatch }: ResealOptions,
): Promise<ResealedKind> {
  const total = { kind: rows.kind, resealed: 0, unopenable: 0 };
  for (const scope of await scopesOf(database, rows, orgIds)) {
    let after: string | null = '';
    while (after !== null) {
      const from: string = after;
      const batch = await transact(database, systemPrincipal(scope.orgId, OPERATOR), async (tx) => {
        await scope.enter(tx);
        return resealBatch(tx, box, rows, from, rowsMax);
      });
      after = batch.next;
      total.resealed += batch.resealed;
      total.unopenable += batch.unopenable;
      // An owner has few rows, so all of them form one batch.
      if (batch.resealed > 0 && !rows.owners) await onBatch?.(rows.kind, total.resealed);
    }
  }
  if (rows.owners && total.resealed > 0) await onBatch?.(rows.kind, total.resealed);
  return total;
}

/** The transactions that together see all rows. */
async function scopesOf({ worker }: Database, rows: SealedRows, orgIds: readonly string[]) {
  const { owners } = rows;
  if (!owners) {
    const enter = async () => {};
    return (rows.hasOrganization ? orgIds : ['']).map((orgId) => ({ orgId, enter }));
  }
  const ids = await worker.query<{ id: string }>(owners.list, []);
  return ids.map(({ id }) => ({
    orgId: '',
    enter: async (tx: Tx) => void (await tx.query(owners.enter, [id])),
  }));
}

interface StoredSeals {
  id: string;
  sealed: (string | null)[];
  earlier?: SealPlace | null;
}

async function resealBatch(tx: Tx, box: SecretBox, rows: SealedRows, after: string, rowsMax: number) {
  const page = await tx.query<StoredSeals>(rows.read, [tx.orgId, after, rowsMax]);
  let resealed = 0;
  let unopenable = 0;
  for (const row of page) {
    const { id, sealed } = row;
    if (!row.earlier && !sealed.some((each) => each !== null && box.isStale(each))) continue;
    const fresh = sealedAgain(box, row, rows.place(tx.orgId, id));
    if (!fresh) unopenable++;
    else resealed += (await tx.query(rows.replace, [tx.orgId, id, sealed, fresh])).length;
  }
  return { next: page.length < rowsMax ? null : (page.at(-1)?.id ?? null), resealed, unopenable };
}

function sealedAgain(
  box: SecretBox,
  { sealed, earlier }: StoredSeals,
  place: SealPlace,
): (string | null)[] | null {
  try {
    return sealed.map((each) => each && box.seal(openAt(box, each, place, earlier), place));
  } catch {
    return null;
  }
}
