import type pg from 'pg';
import { isCluster, tenantTables } from './distribution.js';

type Client = Pick<pg.ClientBase, 'query'>;

interface NodeHealth {
  host: string;
  port: number;
  isReachable: boolean;
  shards: number;
  /** Null while a node is unavailable: sizes are queried from all nodes. */
  bytes: number | null;
}

export interface ClusterHealth {
  version: string;
  nodes: NodeHealth[];
  /** Tables with rows of organizations, by whether they are spread over the nodes. */
  distributed: number;
  plain: string[];
  /** The organizations that share the shard group with the most data. */
  largestGroup: { bytes: number; organizations: number } | null;
  /** Two-phase commits that a crash left undecided; the cluster resolves them by itself within a minute or two. */
  unfinishedCommits: number;
}

const nodes = `
  select n.nodename as host, n.nodeport as port, bool_and(coalesce(h.result, false)) as "isReachable",
    (select count(*)::integer from pg_dist_placement p join pg_dist_shard s on s.shardid = p.shardid
     where p.groupid = n.groupid and s.logicalrelid::text like 'lotward.%') as shards
  from pg_dist_node n
  join citus_check_cluster_node_health() h on h.to_nodename = n.nodename and h.to_nodeport = n.nodeport
  where n.isactive and h.from_nodeport = (select nodeport from pg_dist_node where groupid = 0)
    and h.from_nodename = (select nodename from pg_dist_node where groupid = 0)
  group by n.groupid, n.nodename, n.nodeport order by n.groupid`;
const sizes = `
  select nodename as host, nodeport as port, sum(shard_size)::float8 as bytes from citus_shards
  where table_name::text like 'lotward.%' group by 1, 2`;
// Tables of organizations are colocated, so their shards with the same hash interval contain the same organizations.
const largestGroup = `
  select s.shardminvalue::integer as low, s.shardmaxvalue::integer as high, sum(c.shard_size)::float8 as bytes from citus_shards c
  join pg_dist_shard s on s.shardid = c.shardid where c.table_name::text like 'lotward.%' and s.shardminvalue is not null
  group by 1, 2 order by 3 desc limit 1`;
const organizationsBetween = `
  select count(*)::integer as count from lotward.organizations where worker_hash(org_id) between $1 and $2`;

/** The state of a cluster, from its coordinator; null for a plain PostgreSQL. */
export async function examineCluster(client: Client): Promise<ClusterHealth | null> {
  if (!(await isCluster(client))) return null;
  const one = async <R>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await client.query(text, values)).rows as R[];
  const [version] = await one<{ version: string }>('select citus_version() as version');
  const tables = await one<{ name: string; isDistributed: boolean }>(tenantTables);
  const found = await one<Omit<NodeHealth, 'bytes'>>(nodes);
  const isWhole = found.every(({ isReachable }) => isReachable);
  const bytes = isWhole ? await one<{ host: string; port: number; bytes: number }>(sizes) : null;
  const plain = tables.filter(({ isDistributed }) => !isDistributed).map(({ name }) => name);
  const [group] =
    isWhole && plain.length === 0
      ? await one<{ low: number; high: number; bytes: number }>(largestGroup)
      : [];
  const [members] = group ? await one<{ count: number }>(organizationsBetween, [group.low, group.high]) : [];
  const [unfinished] = await one<{ count: number }>(
    'select count(*)::integer as count from pg_dist_transaction',
  );
  return {
    version: version?.version ?? '',
    nodes: found.map((node) => ({
      ...node,
      bytes:
        bytes?.find(({ host, port }) => host === node.host && port === node.port)?.bytes ??
        (bytes ? 0 : null),
    })),
    distributed: tables.length - plain.length,
    plain,
    largestGroup: group ? { bytes: group.bytes, organizations: members?.count ?? 0 } : null,
    unfinishedCommits: unfinished?.count ?? 0,
  };
}
