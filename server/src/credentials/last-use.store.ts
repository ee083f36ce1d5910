import { batchStatement, type Pool, queryBatch } from '../platform/database/index.js';

const lastUses = batchStatement(
  1,
  ({ org }) => `
  select q.named_id as "orgId", greatest(
    (select max(c.last_used_at) from api_keys c where c.org_id = ${org('q.named_id')}),
    (select max(c.last_used_at) from oauth_clients c where c.org_id = ${org('q.named_id')})) as "lastUsedAt"
  from unnest($1::text[]) as q(named_id)`,
);

/** When a key or client of each organization was last used; omits organizations without any use. */
export async function readLastUses(
  pool: Pool,
  orgs: readonly { orgId: string }[],
): Promise<Map<string, Date>> {
  const rows = await queryBatch<{ orgId: string; lastUsedAt: Date | null }, { orgId: string }>(
    pool,
    lastUses,
    orgs,
    (own) => [own.map(({ orgId }) => orgId)],
  );
  return new Map(rows.flatMap(({ orgId, lastUsedAt }) => (lastUsedAt ? [[orgId, lastUsedAt] as const] : [])));
}
