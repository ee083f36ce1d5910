import { calendarColumns, organizationRows, organizationsWhere } from '../organizations/index.js';
import {
  bulkRows,
  composedStatement,
  Filter,
  type ListPage,
  organizationRow,
  type Pool,
  statement,
  type Tx,
} from '../platform/database/index.js';
import type { Calendar } from '../platform/principal.js';
import type { Import, ImportStatus, Requester } from './import.js';
import type { RefusedRow } from './import-rows.js';

const columns = `i.import_id as "importId", i.kind, i.format, i.dry_run as "dryRun", i.status, i.stopped_reason as "stoppedReason",
  i.stopped_message as "stoppedMessage", i.row_count as rows, i.created_count as created, i.updated_count as updated,
  i.refused_count as "refusedCount", i.created_at as "createdAt", i.created_by as "createdBy", i.updated_at as "updatedAt",
  i.finished_at as "finishedAt"`;
const byId = statement(`select ${columns} from imports i where i.org_id = $1 and i.import_id = $2`);
const lockById = statement(`${byId.text} for update`);
const insert = statement(`
  insert into imports (org_id, import_id, kind, format, dry_run, status, due_at, created_at, updated_at, created_by, credential_id,
    requester_key_id, requester_client_id, requester_user_id, requester_grant)
  values ($1, $2, $3, $4, $5, 'queued', $6, $6, $6, $7, $8, $9, $10, $11, $12)`);
const insertFile = statement(
  'insert into import_parts (org_id, import_id, position, content) values ($1, $2, 0, $3)',
);

// Two concurrent creations must not both see room for one.
const lockCount = statement("select pg_advisory_xact_lock(hashtextextended('lotward imports of ' || $1, 0))");
const count = statement('select count(*) as count from imports where org_id = $1 and due_at is not null');

/** The number of unfinished imports. No other is created until the transaction ends. */
export async function lockUnfinishedCount(tx: Tx): Promise<number> {
  tx.send(lockCount, [tx.orgId]);
  const [row] = await tx.query<{ count: number }>(count, [tx.orgId]);
  return row?.count ?? 0;
}

export type NewImport = Pick<Import, 'importId' | 'kind' | 'format' | 'dryRun'> & { content: string };

export function saveNewImport(tx: Tx, made: NewImport, requester: Requester): void {
  const { importId, kind, format, dryRun, content } = made;
  const { actor, credentialId, keyId, clientId, userId, grantHash } = requester;
  tx.send(insert, [
    ...[tx.orgId, importId, kind, format, dryRun, tx.now, actor, credentialId],
    ...[keyId, clientId, userId, grantHash],
  ]);
  tx.send(insertFile, [tx.orgId, importId, content]);
}

export async function findImport(tx: Tx, importId: string): Promise<Import | null> {
  const [row] = await tx.query<Import>(byId, [tx.orgId, importId]);
  return row ?? null;
}

export async function lockImport(tx: Tx, importId: string): Promise<Import | null> {
  const [row] = await tx.query<Import>(lockById, [tx.orgId, importId]);
  return row ?? null;
}

export interface ImportFilter {
  kind?: readonly string[] | undefined;
  status?: readonly ImportStatus[] | undefined;
  dryRun?: boolean | undefined;
}

/** Newest first. */
export async function listImports(tx: Tx, filter: ImportFilter, page: ListPage): Promise<Import[]> {
  const where = new Filter('i.org_id = $1', [tx.orgId])
    .anyOf('i.kind', filter.kind)
    .anyOf('i.status', filter.status)
    .and('i.dry_run = ?', filter.dryRun);
  const order = where.page(page, { id: 'i.import_id', direction: 'desc', updatedAt: 'i.updated_at' });
  const sql = `select ${columns} from imports i where ${where.where} order by ${order} limit ${page.limit}`;
  return tx.query<Import>(composedStatement(sql), where.values);
}

const refusals = statement(`
  select line, errors from import_refusals where org_id = $1 and import_id = $2 order by line limit $3`);

export async function readRefusals(tx: Tx, importId: string, max: number): Promise<RefusedRow[]> {
  return tx.query<RefusedRow>(refusals, [tx.orgId, importId, max]);
}

const due = statement(`
  select o.org_id as "orgId", ${calendarColumns} from ${organizationRows()} o
  join (select distinct i.org_id from imports i where i.due_at <= $1) d on d.org_id = o.org_id
  where o.status = 'active'`);

/** Active organizations with an import that can continue. */
export async function organizationsWithDueImports(
  worker: Pool,
  now: Date,
): Promise<({ orgId: string } & Calendar)[]> {
  return worker.query(due, [now]);
}

// Only the first import of the organization, because imports are carried out in the order they were sent. Another worker
// that processes it holds the lock, which ends with its transaction even if it dies.
const claim = statement(`
  select ${columns}, i.credential_id as "credentialId", i.requester_key_id as "keyId", i.requester_client_id as "clientId",
    i.requester_user_id as "userId", i.requester_grant as "grantHash"
  from imports i where i.org_id = $1 and i.due_at <= $2 and i.import_id = (
    select min(f.import_id) from imports f where f.org_id = $1 and f.due_at is not null)
  for update of i skip locked`);

export type ClaimedImport = Import & Omit<Requester, 'actor'>;

/** Locks the next import of the organization; null if there is none, or another worker is at work. */
export async function claimNextImport(tx: Tx): Promise<ClaimedImport | null> {
  const [row] = await tx.query<ClaimedImport>(claim, [tx.orgId, tx.now]);
  return row ?? null;
}

export interface ImportPart {
  position: number;
  content: string;
}

const nextPart = statement(`
  select position, content from import_parts where org_id = $1 and import_id = $2 order by position limit 1`);
const removePart = statement(
  'delete from import_parts where org_id = $1 and import_id = $2 and position = $3',
);
const removeParts = statement('delete from import_parts where org_id = $1 and import_id = $2');
const partColumns = bulkRows({ position: 'integer', content: 'text' });
const insertParts = statement(`
  insert into import_parts (org_id, import_id, ${partColumns.names()})
  select g.org_id, $2, ${partColumns.names('p')} from ${organizationRow('g')}, ${partColumns.from('p', 3)}`);
const refusalColumns = bulkRows({ line: 'integer', errors: 'text' });
const insertRefusals = statement(`
  insert into import_refusals (org_id, import_id, line, errors)
  select g.org_id, $2, r.line, r.errors::json from ${organizationRow('g')}, ${refusalColumns.from('r', 3)}`);

export async function readNextPart(tx: Tx, importId: string): Promise<ImportPart | null> {
  const [row] = await tx.query<ImportPart>(nextPart, [tx.orgId, importId]);
  return row ?? null;
}

export const dropPart = (tx: Tx, importId: string, position: number): void =>
  tx.send(removePart, [tx.orgId, importId, position]);

/** Parts that are inserted with one statement. */
const PARTS_AT_A_TIME = 40;

export function saveParts(tx: Tx, importId: string, parts: readonly ImportPart[]): void {
  for (let at = 0; at < parts.length; at += PARTS_AT_A_TIME)
    tx.send(insertParts, [
      tx.orgId,
      importId,
      ...partColumns.values(parts.slice(at, at + PARTS_AT_A_TIME), ({ position, content }) => ({
        position,
        content,
      })),
    ]);
}

export const saveRefusals = (tx: Tx, importId: string, rows: readonly RefusedRow[]): void =>
  tx.send(insertRefusals, [
    tx.orgId,
    importId,
    ...refusalColumns.values(rows, ({ line, errors }) => ({ line, errors: JSON.stringify(errors) })),
  ]);

export interface Advance {
  rows: number;
  created: number;
  updated: number;
  refused: number;
}

const advance = statement(`
  update imports set status = 'running', row_count = $3, created_count = created_count + $4, updated_count = updated_count + $5,
    refused_count = refused_count + $6, attempts = 0, updated_at = $7
  where org_id = $1 and import_id = $2`);

export function saveAdvance(tx: Tx, importId: string, done: Advance): void {
  tx.send(advance, [...[tx.orgId, importId, done.rows, done.created, done.updated, done.refused, tx.now]]);
}

const end = statement(`
  update imports set status = $3, stopped_reason = $4, stopped_message = $5, due_at = null, finished_at = $6, updated_at = $6
  where org_id = $1 and import_id = $2`);

/** Ends the import; its content is removed. */
export function saveEnd(
  tx: Tx,
  importId: string,
  status: 'done' | 'stopped' | 'cancelled',
  stopped: { reason: string; message: string } | null = null,
): void {
  tx.send(removeParts, [tx.orgId, importId]);
  tx.send(end, [...[tx.orgId, importId, status, stopped?.reason ?? null, stopped?.message ?? null, tx.now]]);
}

/** Seconds until the next attempt, by how many have failed in a row before. */
const BACK_OFF_S = [1, 2, 4, 8, 16, 32, 60];
// The instants are passed as rows, because a cluster refuses to add an interval in an update, and Citus 13.2 crashes on an
// array element there.
const postpone = statement(`
  update imports i set attempts = i.attempts + 1, due_at = w.due_at
  from unnest($2::timestamptz[]) with ordinality as w(due_at, attempt)
  where i.org_id = $1 and i.import_id = (select min(f.import_id) from imports f where f.org_id = $1 and f.due_at is not null)
    and w.attempt = least(i.attempts + 1, cardinality($2::timestamptz[]))
  returning i.import_id as "importId", i.attempts`);

/** Delays the next import of the organization, longer after each failure. Returns the number of consecutive failures. */
export async function postponeNext(tx: Tx): Promise<{ importId: string; attempts: number } | null> {
  const [row] = await tx.query<{ importId: string; attempts: number }>(postpone, [
    tx.orgId,
    BACK_OFF_S.map((seconds) => new Date(tx.now.getTime() + seconds * 1_000)),
  ]);
  return row ?? null;
}

const organizationsWithOld = statement(
  organizationsWhere('exists (select from imports i where i.org_id = o.org_id and i.finished_at < $1)'),
);
const oldIds = statement(`
  select import_id as "importId" from imports where org_id = $1 and finished_at < $2 order by finished_at limit $3`);
const removeRefusals = statement('delete from import_refusals where org_id = $1 and import_id = any($2)');
const removeImports = statement('delete from imports where org_id = $1 and import_id = any($2)');

export async function organizationsWithOldImports(worker: Pool, before: Date): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(organizationsWithOld, [before])).map((row) => row.orgId);
}

/** Removes the oldest imports with their refusals; returns how many. */
export async function removeImportsBefore(tx: Tx, before: Date, max: number): Promise<number> {
  const rows = await tx.query<{ importId: string }>(oldIds, [tx.orgId, before, max]);
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.importId);
  tx.send(removeRefusals, [tx.orgId, ids]);
  tx.send(removeImports, [tx.orgId, ids]);
  return ids.length;
}
