import { organizationsWhere } from '../../organizations/index.js';
import {
  batchStatement,
  bulkRows,
  composedStatement,
  Filter,
  organizationRow,
  type Pool,
  queryBatch,
  statement,
  type Tx,
} from '../../platform/database/index.js';
import type { LoggedIssue, LoggedRequest } from './logged-request.js';

const columns = bulkRows({
  org_id: 'text',
  kind: 'text',
  credential_id: 'text',
  at: 'timestamptz',
  request_id: 'text',
  user_id: 'text',
  caller_request_id: 'text',
  method: 'text',
  route: 'text',
  path: 'text',
  status: 'integer',
  reason: 'text',
  errors: 'text',
  duration_ms: 'float8',
  request_bytes: 'bigint',
  response_bytes: 'bigint',
  count: 'integer',
});

// A batch whose confirmation was lost is written again, and its rows then exist already.
const insert = batchStatement(
  17,
  ({ given }) => `
  insert into credential_requests (${columns.names()})
  select ${given ? 'g' : 'c'}.org_id, c.kind, c.credential_id, c.at, c.request_id, c.user_id, c.caller_request_id, c.method, c.route, c.path,
    c.status, c.reason, c.errors::jsonb, c.duration_ms, c.request_bytes, c.response_bytes, c.count
  from ${given ? `${organizationRow('g', given)}, ` : ''}${columns.from('c', 1)}
  on conflict do nothing${given ? ' returning 1' : ''}`,
);

export async function insertRequests(worker: Pool, requests: readonly LoggedRequest[]): Promise<void> {
  await queryBatch(worker, insert, requests, (own) =>
    columns.values(own, (each) => ({
      org_id: each.orgId,
      kind: each.kind,
      credential_id: each.credentialId,
      at: each.at,
      request_id: each.requestId,
      user_id: each.userId,
      caller_request_id: each.callerRequestId,
      method: each.method,
      route: each.route,
      path: each.path,
      status: each.status,
      reason: each.issues?.[0]?.reason ?? null,
      errors: each.issues === null ? null : JSON.stringify(each.issues),
      duration_ms: each.durationMs,
      request_bytes: each.requestBytes,
      response_bytes: each.responseBytes,
      count: each.count,
    })),
  );
}

export interface RequestFilter {
  credentialId?: string | undefined;
  /** Null: only requests that an OAuth client made for itself. Omitted: on behalf of anyone. */
  userId?: string | null | undefined;
  requestId?: string | undefined;
  statuses?: readonly number[] | undefined;
  method?: readonly string[] | undefined;
  path?: string | undefined;
  reason?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export type StoredRequest = Omit<LoggedRequest, 'orgId' | 'issues'> & {
  reason: string | null;
  errors: LoggedIssue[] | null;
};

const shown = `kind, credential_id as "credentialId", at, request_id as "requestId", user_id as "userId",
  caller_request_id as "callerRequestId", method, route, path, status, reason, errors, duration_ms as "durationMs",
  request_bytes as "requestBytes", response_bytes as "responseBytes", count`;

/** Newest first. `before`: instant and id of the last item on the previous page. */
export async function listRequests(
  tx: Tx,
  filter: RequestFilter,
  before: readonly string[] | null,
  limit: number,
): Promise<StoredRequest[]> {
  const ofItself = filter.userId === null ? ' and user_id is null' : '';
  const list = before
    ? new Filter(`org_id = $1${ofItself} and (at, request_id) < ($3, $4)`, [tx.orgId, limit, ...before])
    : new Filter(`org_id = $1${ofItself}`, [tx.orgId, limit]);
  list.and('credential_id = ?', filter.credentialId);
  list.and('user_id = ?', filter.userId);
  list.and('(request_id = ? or caller_request_id = ?)', filter.requestId);
  // Redundant condition, so that failures are found in the partial index of failures.
  const onlyFailures = filter.statuses?.every((status) => status >= 400) ? 'status >= 400 and ' : '';
  list.and(`${onlyFailures}status = any(?::integer[])`, filter.statuses);
  list.and('method = any(?)', filter.method);
  list.and('starts_with(path, ?)', filter.path);
  list.and('reason = ?', filter.reason);
  list.and('at >= ?', filter.since);
  list.and('at < ?', filter.until);
  const sql = `select ${shown} from credential_requests where ${list.where} order by at desc, request_id desc limit $2`;
  return tx.query<StoredRequest>(composedStatement(sql), list.values);
}

const organizationsSince = statement(
  organizationsWhere('exists (select from credential_requests r where r.org_id = o.org_id and r.at >= $1)'),
);
const credentialsSince = statement(
  'select distinct credential_id as id from credential_requests where org_id = $1 and at >= $2',
);
const withOlder = (failed: string) =>
  statement(
    organizationsWhere(
      `exists (select from credential_requests r where r.org_id = o.org_id and ${failed}r.at < $1)`,
    ),
  );
const organizationsWithOlder = { any: withOlder(''), failures: withOlder('r.status >= 400 and ') };

/** Organizations whose log has entries since an instant. */
export async function organizationsLoggedSince(worker: Pool, since: Date): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(organizationsSince, [since])).map((row) => row.orgId);
}

export async function credentialsLoggedSince(tx: Tx, since: Date): Promise<string[]> {
  return (await tx.query<{ id: string }>(credentialsSince, [tx.orgId, since])).map((row) => row.id);
}

/** Organizations with an entry older than an instant. */
export async function organizationsWithOlderRequests(
  worker: Pool,
  which: keyof typeof organizationsWithOlder,
  before: Date,
): Promise<string[]> {
  const rows = await worker.query<{ orgId: string }>(organizationsWithOlder[which], [before]);
  return rows.map((row) => row.orgId);
}

const removeWhere = (chosen: string) =>
  statement(`
  delete from credential_requests where org_id = $1 and (credential_id, at, request_id) in (
    select credential_id, at, request_id from credential_requests where org_id = $1 and ${chosen})
  returning 1`);
const removeOlder = {
  any: removeWhere('at < $2 order by at limit $3'),
  failures: removeWhere('status >= 400 and at < $2 order by at limit $3'),
};
const beyond = (kind: string) =>
  removeWhere(`credential_id = $2 and ${kind} order by at desc, request_id desc offset $3 limit $4`);
const removeBeyond = { successes: beyond('status < 400'), failures: beyond('status >= 400') };

export async function removeRequestsBefore(
  tx: Tx,
  which: keyof typeof removeOlder,
  before: Date,
  rowsMax: number,
): Promise<number> {
  return (await tx.query(removeOlder[which], [tx.orgId, before, rowsMax])).length;
}

/** Removes the entries of a credential beyond its newest `kept`. */
export async function removeRequestsBeyond(
  tx: Tx,
  outcome: keyof typeof removeBeyond,
  { credentialId, kept }: { credentialId: string; kept: number },
  rowsMax: number,
): Promise<number> {
  return (await tx.query(removeBeyond[outcome], [tx.orgId, credentialId, kept, rowsMax])).length;
}
