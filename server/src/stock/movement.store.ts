import { advanceMovementCounts } from '../catalogue/index.js';
import { type Matches, pairChoice } from '../indexing/index.js';
import {
  bulkRows,
  Filter,
  filteredStatement,
  organizationRow,
  statement,
  type Tx,
} from '../platform/database/index.js';
import { newId } from '../platform/ids/index.js';
import { productName } from './product-name.js';
import { DOCUMENT_TYPES, type Movement } from './stock.js';

const ledgerColumns = {
  movement_id: 'text',
  kind: 'text',
  product_code: 'text',
  warehouse: 'text',
  batch_no: 'text',
  quantity: 'integer',
  quantity_delta: 'integer',
  document_type: 'text',
  document_id: 'text',
  document_no: 'text',
  document_line: 'integer',
  counterparty_type: 'text',
  counterparty_code: 'text',
  reason: 'text',
  occurred_at: 'timestamptz',
  recorded_at: 'timestamptz',
  actor: 'text',
  unmatched: 'boolean',
  dispatch_id: 'text',
  hold_id: 'text',
} as const;
const ledgerRows = bulkRows(ledgerColumns);
/**
 * `following` counts the later movements of the same product in the batch. Only the database knows the product's counter,
 * from which it is subtracted.
 */
const newRows = bulkRows({ ...ledgerColumns, following: 'bigint' });
const countRows = bulkRows({ product_code: 'text', count: 'bigint' });
// A left join: a movement of a missing product gets no position, which the table refuses.
const insertMovements = statement(`
  with counted as (${advanceMovementCounts(countRows.from('n', 3))}),
  kept as (
  insert into movements (org_id, position, credential_id, ${ledgerRows.names()})
  select g.org_id, c.movements_made - m.following, $2, ${ledgerRows.names('m')}
  from ${organizationRow('g')}, ${newRows.from('m', 5)}
  left join counted c on c.product_code = m.product_code
  returning 1)
  select count(*) from kept`);
const insertSerials = statement(`
  insert into movement_serials (org_id, movement_id, product_code, serial_no)
  select g.org_id, s.movement_id, s.product_code, s.serial_no from ${organizationRow('g')}, unnest($2::text[], $3::text[], $4::text[]) as s(movement_id, product_code, serial_no)
  returning 1`);

/**
 * The ledger is append-only. The movements of a product are numbered without gaps, under the product lock that the caller
 * holds. Their timestamps are taken before the lock, so they need not be in the order of the numbers.
 */
export function appendMovements(tx: Tx, movements: readonly Movement[]): void {
  const counts = new Map<string, number>();
  for (const { productCode } of movements) counts.set(productCode, (counts.get(productCode) ?? 0) + 1);
  const following = new Map(counts);
  const followingOf = (productCode: string): number => {
    const count = (following.get(productCode) ?? 0) - 1;
    following.set(productCode, count);
    return count;
  };
  tx.send(insertMovements, [
    tx.orgId,
    tx.credentialId,
    ...countRows.values([...counts], ([product_code, count]) => ({ product_code, count })),
    ...newRows.values(movements, (m) => ({
      movement_id: m.movementId,
      kind: m.kind,
      product_code: m.productCode,
      warehouse: m.warehouse,
      batch_no: m.batchNo,
      quantity: m.quantity,
      quantity_delta: m.quantityDelta,
      document_type: m.document.type,
      document_id: m.document.id,
      document_no: m.document.no,
      document_line: m.document.line,
      counterparty_type: m.counterparty?.type ?? null,
      counterparty_code: m.counterparty?.code ?? null,
      reason: m.reason,
      occurred_at: m.occurredAt,
      recorded_at: m.recordedAt,
      actor: m.actor,
      unmatched: m.unmatched,
      dispatch_id: m.dispatchId,
      hold_id: m.holdId,
      following: followingOf(m.productCode),
    })),
  ]);
  const units = movements.flatMap((m) =>
    m.serials.map((serialNo) => ({ id: m.movementId, code: m.productCode, serialNo })),
  );
  if (units.length === 0) return;
  tx.send(insertSerials, [
    tx.orgId,
    units.map((p) => p.id),
    units.map((p) => p.code),
    units.map((p) => p.serialNo),
  ]);
}

const heldRows = bulkRows({
  movement_id: 'text',
  warehouse: 'text',
  batch_no: 'text',
  quantity: 'integer',
  document_id: 'text',
});
const insertHeld = statement(`
  with counted as (${advanceMovementCounts('(values ($3::text, $4::bigint)) as n(product_code, count)')}),
  kept as (
  insert into movements (org_id, position, credential_id, kind, product_code, quantity_delta, document_type, reason, occurred_at, recorded_at,
    actor, ${heldRows.names()})
  select g.org_id, c.movements_made - $4::bigint + m.place, $2, 'hold', $3, 0, 'hold', $5, $6, $6, $7, ${heldRows.names('m')}
  from ${organizationRow('g')} cross join ${heldRows.fromPlaced('m', 8)}
  left join counted c on c.product_code = $3
  returning 1)
  select count(*) from kept`);

/** Goods of a product that holds of whole batches cover from now on. */
export interface NewlyHeld {
  holdId: string;
  warehouse: string;
  batchNo: string;
  quantity: number;
}

/** Appends the same rows as `appendMovements` would. They differ in few columns, and a recall may have tens of thousands. */
export function appendHolds(
  tx: Tx,
  { productCode, reason }: Pick<Movement, 'productCode' | 'reason'>,
  held: readonly NewlyHeld[],
): void {
  if (held.length === 0) return;
  tx.send(insertHeld, [
    ...[tx.orgId, tx.credentialId, productCode, held.length, reason, tx.now, tx.actor],
    ...heldRows.values(held, ({ holdId, warehouse, batchNo, quantity }) => ({
      movement_id: newId('mov', tx.now),
      warehouse,
      batch_no: batchNo,
      quantity,
      document_id: holdId,
    })),
  ]);
}

export interface MovementFilter {
  /** Limited to those found by text. */
  matches?: Matches<'product' | 'batch' | 'serial' | 'receipt' | 'dispatch'> | undefined;
  productCode?: string | undefined;
  warehouse?: string | undefined;
  batchNo?: string | undefined;
  serialNo?: string | undefined;
  kind?: readonly string[] | undefined;
  documentId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** SQL for the changed dates of a correction, null for other movements. `$1` is the organization. */
export const correctionOf = (m: string): string => `(select json_build_object(
    'expiryDate', json_build_object('before', c.expiry_date_before, 'after', c.expiry_date_after),
    'manufactureDate', json_build_object('before', c.manufacture_date_before, 'after', c.manufacture_date_after))
  from batch_corrections c where ${m}.document_type = 'correction' and c.org_id = $1 and c.correction_id = ${m}.document_id)`;

const columns = `m.movement_id as "movementId", m.kind, m.product_code as "productCode", m.warehouse, m.batch_no as "batchNo",
  m.quantity, m.quantity_delta as "quantityDelta",
  coalesce((select array_agg(s.serial_no order by s.serial_no) from movement_serials s
    where s.org_id = $1 and s.movement_id = m.movement_id), '{}') as serials,
  json_build_object('type', m.document_type, 'id', m.document_id, 'no', m.document_no, 'line', m.document_line) as document,
  case when m.counterparty_type is null then null
    else json_build_object('type', m.counterparty_type, 'code', m.counterparty_code) end as counterparty,
  m.reason, m.unmatched, m.dispatch_id as "dispatchId", m.hold_id as "holdId", ${correctionOf('m')} as correction, m.occurred_at as "occurredAt", m.recorded_at as "recordedAt", m.actor`;

/** The maximum number of matches for a text in any search. */
const IDS_MAX = 10_000;

/** The newest movements of these serialized units. */
async function idsBySerials(tx: Tx, serials: readonly string[]): Promise<string[]> {
  if (serials.length === 0) return [];
  const units = new Filter('s.org_id = $1', [tx.orgId, IDS_MAX]);
  units.either([pairChoice(serials, 's.product_code', 's.serial_no')]);
  const text = `select distinct s.movement_id as id from movement_serials s where ${units.where} order by id desc limit $2`;
  return (await tx.query<{ id: string }>(filteredStatement(units, text), units.values)).map(({ id }) => id);
}

/** Newest first. */
export async function listMovements(
  tx: Tx,
  filter: MovementFilter,
  before: string | null,
  limit: number,
): Promise<Movement[]> {
  const list = new Filter('m.org_id = $1', [tx.orgId, limit]);
  list.and(`m.movement_id < ?`, before);
  const { matches } = filter;
  list.either([
    { 'm.movement_id': matches && [matches.text, ...(await idsBySerials(tx, matches.serial))] },
    { 'm.product_code': matches?.product },
    pairChoice(matches?.batch, 'm.product_code', 'm.batch_no'),
    { 'm.document_type': ['receipt'], 'm.document_id': matches?.receipt },
    { 'm.document_type': ['dispatch'], 'm.document_id': matches?.dispatch },
    { 'm.document_type': DOCUMENT_TYPES, 'm.document_id': matches && [matches.text] },
  ]);
  list.and(`m.product_code = ?`, filter.productCode);
  list.and(`m.warehouse = ?`, filter.warehouse);
  list.and(`m.batch_no = ?`, filter.batchNo);
  list.anyOf('m.kind', filter.kind);
  // All types are listed, so that the index is used.
  list.and(
    `m.document_type in (${DOCUMENT_TYPES.map((type) => `'${type}'`).join(', ')}) and m.document_id = ?`,
    filter.documentId,
  );
  list.and(`m.recorded_at >= ?`, filter.since);
  list.and(`m.recorded_at < ?`, filter.until);
  list.and(
    `exists (select from movement_serials s where s.org_id = $1 and s.product_code = m.product_code
      and s.serial_no = ? and s.movement_id = m.movement_id)`,
    filter.serialNo,
  );
  const sql = `select ${columns}, ${productName('m')} from movements m where ${list.where} order by m.movement_id desc limit $2`;
  return tx.query<Movement>(filteredStatement(list, sql), list.values);
}
