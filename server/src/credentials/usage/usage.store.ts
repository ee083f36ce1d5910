import { organizationsWhere } from '../../organizations/index.js';
import { userExists } from '../../people/index.js';
import {
  batchStatement,
  bulkRows,
  organizationRow,
  type Pool,
  queryBatch,
  statement,
  type Tx,
} from '../../platform/database/index.js';
import type { HourOfUse, UsageCounts, UsageKind, UsageStep } from './usage.js';

const usageColumns = bulkRows({
  org_id: 'text',
  kind: 'text',
  credential_id: 'text',
  hour: 'timestamptz',
  requests: 'bigint',
  client_errors: 'bigint',
  server_errors: 'bigint',
  limited: 'bigint',
});
// Sorted, so that two processes that write concurrently lock rows in the same sequence. Summed first, because a batch
// contains an hour twice after a failed write.
const add = batchStatement(
  8,
  ({ given }) => `
  insert into credential_usage as u (${usageColumns.names()})
  select ${given ? 'g' : 'c'}.org_id, c.kind, c.credential_id, c.hour, sum(c.requests), sum(c.client_errors), sum(c.server_errors), sum(c.limited)
  from ${given ? `${organizationRow('g', given)}, ` : ''}${usageColumns.from('c', 1)}
  group by 1, 2, 3, 4 order by ${given ? '' : 'c.org_id collate "C", '}c.kind collate "C", c.credential_id collate "C", c.hour
  on conflict (org_id, kind, credential_id, hour) do update set requests = u.requests + excluded.requests,
    client_errors = u.client_errors + excluded.client_errors, server_errors = u.server_errors + excluded.server_errors,
    limited = u.limited + excluded.limited${given ? ' returning 1' : ''}`,
);

export async function addUsage(worker: Pool, hours: readonly HourOfUse[]): Promise<void> {
  await queryBatch(worker, add, hours, (own) =>
    usageColumns.values(own, (each) => ({
      org_id: each.orgId,
      kind: each.kind,
      credential_id: each.credentialId,
      hour: each.hour,
      requests: each.requests,
      client_errors: each.clientErrors,
      server_errors: each.serverErrors,
      limited: each.limited,
    })),
  );
}

const counts = `coalesce(sum(u.requests), 0)::bigint as requests, coalesce(sum(u.client_errors), 0)::bigint as "clientErrors",
  coalesce(sum(u.server_errors), 0)::bigint as "serverErrors", coalesce(sum(u.limited), 0)::bigint as limited`;
// Steps begin at local midnight of the time zone $5; a day on which the clocks change has a different length.
const series = (step: UsageStep) =>
  statement(`
  select s.at, ${counts}
  from (
    select local at time zone $5 as at, (local + interval '1 ${step}') at time zone $5 as until from generate_series(
      date_trunc('${step}', $3::timestamptz at time zone $5), $4::timestamptz at time zone $5, interval '1 ${step}') as local) s
  left join credential_usage u on u.org_id = $1 and u.hour >= s.at and u.hour < s.until
    and ($2::text is null or u.credential_id = $2)
  where s.at < $4 group by s.at order by s.at`);

const seriesBy: Readonly<Record<UsageStep, ReturnType<typeof statement>>> = {
  hour: series('hour'),
  day: series('day'),
};

export interface UsageSpan {
  credentialId: string | null;
  from: Date;
  to: Date;
  step: UsageStep;
  timeZone: string;
}

/** Includes hours and days without a request. */
export async function readUsage(tx: Tx, span: UsageSpan): Promise<(UsageCounts & { at: Date })[]> {
  const { credentialId, from, to, timeZone } = span;
  return tx.query(seriesBy[span.step], [tx.orgId, credentialId, from, to, timeZone]);
}

const known = statement(`
  select exists (select from api_keys where org_id = $1 and key_id = $2)
    or exists (select from oauth_clients where org_id = $1 and client_id = $2)
    or ${userExists} as known`);

export async function isKnownCredential(tx: Tx, credentialId: string): Promise<boolean> {
  const [row] = await tx.query<{ known: boolean }>(known, [tx.orgId, credentialId]);
  return row?.known ?? false;
}

const summary = statement(`
  select kind, credential_id as "credentialId", hour >= $3 as "isRecent", ${counts}
  from credential_usage u where u.org_id = $1 and u.hour >= $2
  group by 1, 2, 3 order by 1, 2`);

export interface UsageSince extends UsageCounts {
  kind: UsageKind;
  credentialId: string;
  isRecent: boolean;
}

/** The counts of each credential since `from`, split at `recent`. */
export async function readUsageSince(tx: Tx, from: Date, recent: Date): Promise<UsageSince[]> {
  return tx.query<UsageSince>(summary, [tx.orgId, from, recent]);
}

const organizationsWithOld = statement(
  organizationsWhere('exists (select from credential_usage u where u.org_id = o.org_id and u.hour < $1)'),
);
const removeOld = statement(`
  delete from credential_usage u where u.org_id = $1 and u.hour = any(array(
    select distinct hour from credential_usage where org_id = $1 and hour < $2 order by hour limit $3))
  returning 1`);

export async function organizationsWithOldUsage(worker: Pool, before: Date): Promise<string[]> {
  return (await worker.query<{ orgId: string }>(organizationsWithOld, [before])).map((row) => row.orgId);
}

/** Removes the oldest hours; returns the number of rows removed. */
export async function removeUsageBefore(tx: Tx, before: Date, hoursMax: number): Promise<number> {
  return (await tx.query(removeOld, [tx.orgId, before, hoursMax])).length;
}
