import {
  bulkRows,
  Filter,
  type ListPage,
  listRows,
  organizationRow,
  type Pool,
  readInIndexOrder,
  statement,
  type Tx,
} from '../platform/database/index.js';
import type { AuditEntry, AuditedEntity } from './audit.js';
import type { ChainedEntry } from './chain.rules.js';

const newEntryColumns = bulkRows({
  entry_id: 'text',
  actor: 'text',
  credential_id: 'text',
  request_id: 'text',
  action: 'text',
  entity_type: 'text',
  entity_id: 'text',
  reason: 'text',
  before: 'lines',
  after: 'lines',
});
const insertEntries = statement(`
  insert into audit_entries (org_id, entry_id, at, actor, credential_id, request_id, action, entity_type, entity_id, reason, before, after)
  select g.org_id, e.entry_id, $2, e.actor, e.credential_id, e.request_id, e.action, e.entity_type, e.entity_id, e.reason, e.before::jsonb, e.after::jsonb
  from ${organizationRow('g')}, ${newEntryColumns.from('e', 3)}
  returning 1`);

export interface NewEntry {
  entryId: string;
  by: { actor: string; credentialId: string; requestId: string | null };
  action: string;
  entityType: string;
  entityId: string;
  reason: string | null;
  before: string | null;
  after: string | null;
}

export async function insertAuditEntries(tx: Tx, entries: readonly NewEntry[]): Promise<void> {
  tx.send(insertEntries, [
    tx.orgId,
    tx.now,
    ...newEntryColumns.values(entries, (e) => ({
      entry_id: e.entryId,
      actor: e.by.actor,
      credential_id: e.by.credentialId,
      request_id: e.by.requestId,
      action: e.action,
      entity_type: e.entityType,
      entity_id: e.entityId,
      reason: e.reason,
      before: e.before,
      after: e.after,
    })),
  ]);
}

const alikeColumns = bulkRows({ entry_id: 'text', entity_id: 'text', own: 'jsonb' });
const insertAlike = statement(`
  insert into audit_entries (org_id, at, actor, credential_id, request_id, action, entity_type, reason, entry_id, entity_id, after)
  select g.org_id, $2, $3, $4, $5, $6, $7, $8, e.entry_id, e.entity_id, $9::jsonb || e.own
  from ${organizationRow('g')}, ${alikeColumns.from('e', 10)}
  returning 1`);

/** New entries of one caller for records created together: `shared` is common to all, `own` belongs to one of them. */
export interface EntriesAlike extends Pick<NewEntry, 'by' | 'action' | 'entityType' | 'reason'> {
  shared: string;
  entries: readonly { entryId: string; entityId: string; own: string }[];
}

export function insertAuditEntriesAlike(tx: Tx, alike: EntriesAlike): void {
  const { by, action, entityType, reason, shared, entries } = alike;
  tx.send(insertAlike, [
    ...[tx.orgId, tx.now, by.actor, by.credentialId, by.requestId, action, entityType, reason, shared],
    ...alikeColumns.values(entries, ({ entryId, entityId, own }) => ({
      ...{ entry_id: entryId, entity_id: entityId, own },
    })),
  ]);
}

// Formatted in SQL, so that the hash does not depend on how a process or session prints instants or JSON.
const chained = `entry_id as "entryId", to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, actor,
  credential_id as "credentialId", request_id as "requestId", action, entity_type as "entityType",
  entity_id as "entityId", reason, before::text as before, after::text as after`;
const organizationsToSeal = statement(
  'select org_id as "orgId" from audit_entries where position is null group by org_id',
);
const lockHead = statement('select position, hash from audit_heads where org_id = $1 for update');
const startHead = statement(`
  insert into audit_heads (org_id, position, hash, sealed_at) values ($1, 0, $2, $3) on conflict do nothing`);
const unsealed = statement(`
  select ${chained} from audit_entries where org_id = $1 and position is null order by audit_entries.at, entry_id limit $2`);
// Selected by key alone. With a join, or "position is null", the planner could scan the whole backlog for every batch,
// because its statistics usually show no unsealed entries. The head is locked, so these are still unsealed. Each gets its
// new values through a coalesce, because a distributed database rejects a bare array element there.
const seal = statement(`
  update audit_entries set position = coalesce(($3::bigint[])[array_position($2::text[], entry_id)], position),
    hash = coalesce(($4::text[])[array_position($2::text[], entry_id)], hash)
  where org_id = $1 and entry_id = any($2)`);
const takenPositions = statement(`
  select position from audit_entries where org_id = $1 and position > $2 order by position limit $3`);
const moveHead = statement(
  'update audit_heads set position = $2, hash = $3, sealed_at = $4 where org_id = $1',
);
const sealedFrom = statement(`
  select ${chained}, position, hash from audit_entries where org_id = $1 and position > $2 order by position limit $3`);
const headOf = statement('select position, hash, sealed_at as "sealedAt" from audit_heads where org_id = $1');

export interface Head {
  position: number;
  hash: string;
}

export async function organizationsWithUnsealed(worker: Pool): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(organizationsToSeal, [])).map((row) => row.orgId);
}

export async function lockAuditHead(tx: Tx, start: string): Promise<Head> {
  tx.send(startHead, [tx.orgId, start, tx.now]);
  const [head] = await tx.query<Head>(lockHead, [tx.orgId]);
  if (!head) throw new Error('the audit head could not be made');
  return head;
}

export async function readUnsealed(tx: Tx, limit: number): Promise<ChainedEntry[]> {
  await readInIndexOrder(tx);
  return tx.query<ChainedEntry>(unsealed, [tx.orgId, limit]);
}

/** Positions after the head that are taken: by entries that were not sealed but inserted so. */
export async function readTakenPositions(tx: Tx, after: number, limit: number): Promise<number[]> {
  const rows = await tx.query<{ position: number }>(takenPositions, [tx.orgId, after, limit]);
  return rows.map(({ position }) => position);
}

export async function sealEntries(
  tx: Tx,
  links: readonly (Pick<ChainedEntry, 'entryId'> & Head)[],
): Promise<void> {
  const last = links.at(-1);
  if (!last) return;
  tx.send(seal, [
    tx.orgId,
    links.map((l) => l.entryId),
    links.map((l) => l.position),
    links.map((l) => l.hash),
  ]);
  tx.send(moveHead, [tx.orgId, last.position, last.hash, tx.now]);
}

export async function readSealed(tx: Tx, after: number, limit: number): Promise<(ChainedEntry & Head)[]> {
  return tx.query<ChainedEntry & Head>(sealedFrom, [tx.orgId, after, limit]);
}

export async function readAuditHead(tx: Tx): Promise<(Head & { sealedAt: Date }) | null> {
  const [head] = await tx.query<Head & { sealedAt: Date }>(headOf, [tx.orgId]);
  return head ?? null;
}

export interface AuditFilter {
  /** Only entries of these. */
  entities?: readonly AuditedEntity[] | undefined;
  entityType?: string | undefined;
  entityId?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const entryColumns = `entry_id as "entryId", at, actor, credential_id as "credentialId", request_id as "requestId", action,
  entity_type as "entityType", entity_id as "entityId", reason, before, after, position, hash`;

/** Newest first. */
export async function listAuditEntries(tx: Tx, filter: AuditFilter, page: ListPage): Promise<AuditEntry[]> {
  const list = new Filter('org_id = $1', [tx.orgId, page.limit]);
  list.and('entry_id < ?', page.after?.[0]);
  list.and('entity_type = ?', filter.entityType);
  list.and('entity_id = ?', filter.entityId);
  list.and('actor = ?', filter.actor);
  list.and('action = ?', filter.action);
  list.and('at >= ?', filter.since);
  list.and('at < ?', filter.until);
  const rows = `select ${entryColumns} from audit_entries where ${list.where}`;
  const counted = `select from audit_entries where ${list.where}`;
  if (filter.entities === undefined)
    return listRows<AuditEntry>(tx, page, list, {
      rows: `${rows} order by entry_id desc limit $2`,
      counted: `${counted} limit $2`,
    });
  const parts = [filter.entities.map(({ type }) => type), filter.entities.map(({ id }) => id)];
  const [types, ids] = parts.map((values) => `$${list.values.push(values)}::text[]`);
  // The newest entries of each entity, by the index of entities: a plain condition could make the planner read the whole
  // trail.
  const ofEach = (text: string) => `select e.* from unnest(${types}, ${ids}) as k(type, id)
    cross join lateral (${text} and entity_type = k.type and entity_id = k.id order by entry_id desc limit $2) e`;
  return listRows<AuditEntry>(tx, page, list, {
    rows: `${ofEach(rows)} order by e."entryId" desc limit $2`,
    counted: `${ofEach(counted)} limit $2`,
  });
}

const headsSince = statement(
  'select org_id as "orgId", position, hash from audit_heads where sealed_at > $1 order by org_id',
);

/** The heads of the chains that have grown since an instant. */
export async function readGrownHeads(worker: Pool, since: Date): Promise<(Head & { orgId: string })[]> {
  return worker.query<Head & { orgId: string }>(headsSince, [since]);
}
