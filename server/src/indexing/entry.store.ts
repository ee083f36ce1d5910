import { organizationRows } from '../organizations/index.js';
import { bulkRows, organizationRow, type Pool, statement, type Tx } from '../platform/database/index.js';
import type { Kind } from './entry.js';
import { bodyOf, type Findable, gramsOf } from './grams.rules.js';

export interface Head {
  kind: Kind;
  /** The position of the last entry. */
  position: number;
  filledThrough: string;
  isFilled: boolean;
}

export interface Mark {
  markId: string;
  kind: Kind;
  key: string;
}

const startHeads = statement(`
  insert into search_heads (org_id, kind)
  select g.org_id, k.kind from ${organizationRow('g')}, unnest($2::text[]) as k(kind)
  on conflict (org_id, kind) do nothing`);
const headColumns = `kind, position, filled_through as "filledThrough", filled_at is not null as "isFilled"`;
const lockHeads = statement(
  `select ${headColumns} from search_heads where org_id = $1 order by kind for update`,
);
const nextMarks = statement(`
  select mark_id::text as "markId", kind, key from search_marks where org_id = $1 order by mark_id limit $2`);
const dropMarks = statement('delete from search_marks where org_id = $1 and mark_id = any($2::bigint[])');
const moveHead = statement(`
  update search_heads set position = $3, filled_through = $4, filled_at = $5 where org_id = $1 and kind = $2`);
const stored = statement(
  'select key, position, body from search_entries where org_id = $1 and kind = $2 and key = any($3)',
);
const dropEntries = statement('delete from search_entries where org_id = $1 and kind = $2 and key = any($3)');
const entryColumns = bulkRows({
  key: 'text',
  position: 'bigint',
  at: 'timestamptz',
  body: 'text',
  grams: 'text',
});
const saveEntries = statement(`
  insert into search_entries (org_id, kind, key, position, at, body, grams)
  select g.org_id, $2, e.key, e.position, e.at, e.body, e.grams::integer[] from ${organizationRow('g')}, ${entryColumns.from('e', 3)}
  on conflict (org_id, key, kind) do update set body = excluded.body, grams = excluded.grams
  returning 1`);

/** Locks the heads of all kinds, so that no other process adds entries. */
export async function takeHeads(tx: Tx, kinds: readonly Kind[]): Promise<Map<Kind, Head>> {
  tx.send(startHeads, [tx.orgId, kinds]);
  const rows = await tx.query<Head>(lockHeads, [tx.orgId]);
  return new Map(rows.map((head) => [head.kind, head]));
}

export async function readMarks(tx: Tx, limit: number): Promise<Mark[]> {
  return tx.query<Mark>(nextMarks, [tx.orgId, limit]);
}

export function removeMarks(tx: Tx, marks: readonly Mark[]): void {
  tx.send(dropMarks, [tx.orgId, marks.map(({ markId }) => markId)]);
}

export function saveHead(tx: Tx, { kind, position, filledThrough, isFilled }: Head): void {
  tx.send(moveHead, [tx.orgId, kind, position, filledThrough, isFilled ? tx.now : null]);
}

export interface StoredEntry {
  key: string;
  position: number;
  body: string;
}

export async function readEntries(
  tx: Tx,
  kind: Kind,
  keys: readonly string[],
): Promise<Map<string, StoredEntry>> {
  const rows = await tx.query<StoredEntry>(stored, [tx.orgId, kind, keys]);
  return new Map(rows.map((row) => [row.key, row]));
}

export function removeEntries(tx: Tx, kind: Kind, keys: readonly string[]): void {
  if (keys.length > 0) tx.send(dropEntries, [tx.orgId, kind, keys]);
}

export interface NewEntry extends Findable {
  key: string;
  position: number;
  at: Date;
}

export function writeEntries(tx: Tx, kind: Kind, entries: readonly NewEntry[]): void {
  if (entries.length === 0) return;
  tx.send(saveEntries, [
    tx.orgId,
    kind,
    ...entryColumns.values(entries, (entry) => ({
      key: entry.key,
      position: entry.position,
      at: entry.at,
      body: bodyOf(entry),
      grams: `{${gramsOf(entry, { orgId: tx.orgId, kind, position: entry.position }).join(',')}}`,
    })),
  ]);
}

const marked = statement('select distinct org_id as "orgId" from search_marks');
const unfilled = statement(`
  select o.org_id as "orgId" from ${organizationRows()} o
  where (select count(*) from search_heads h where h.org_id = o.org_id and h.filled_at is not null) < $1`);

export async function organizationsWithMarks(worker: Pool): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(marked, [])).map(({ orgId }) => orgId);
}

/** Organizations that may still have records from before marks existed. */
export async function organizationsToFill(worker: Pool, kinds: number): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(unfilled, [kinds])).map(({ orgId }) => orgId);
}
