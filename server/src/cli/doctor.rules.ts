interface ExaminedNode {
  host: string;
  port: number;
  isReachable: boolean;
  shards: number;
  bytes: number | null;
}

/** The parts of an examination that can be wrong. */
export interface Examined {
  missing: readonly string[];
  cluster: { nodes: readonly ExaminedNode[]; plain: readonly string[]; unfinishedCommits: number } | null;
}

/** Below this size, moving rows gains nothing. */
const WORTH_MOVING_BYTES = 2 ** 30;
const SKEW_MAX = 2;

/** Everything that an operator should act on, each with the remedy. */
export function findProblems({ missing, cluster }: Examined): string[] {
  const problems: string[] = [];
  if (missing.length > 0) problems.push(`The database lacks ${missing.join(', ')}. Run "lotward migrate".`);
  if (!cluster) return problems;
  for (const { host, port, isReachable } of cluster.nodes)
    if (!isReachable)
      problems.push(
        `The coordinator cannot reach ${host}:${port}. Organizations on this node get 500 / 9999 until it is back.`,
      );
  if (cluster.plain.length > 0)
    problems.push(
      `${cluster.plain.length} tables of organizations are on the coordinator alone (${cluster.plain.join(', ')}). Run "lotward migrate --distribute" while no other Lotward process runs.`,
    );
  if (cluster.unfinishedCommits > 0 && cluster.nodes.some(({ isReachable }) => !isReachable))
    problems.push(
      `${cluster.unfinishedCommits} commits wait for an unreachable node. Their rows stay locked until it is back.`,
    );
  return [...problems, ...skewOf(cluster.nodes)];
}

function skewOf(nodes: readonly ExaminedNode[]): string[] {
  const holding = nodes.filter(({ shards }) => shards > 0);
  const [largest, ...others] = [...holding].sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0));
  const smallest = others.at(-1);
  if (!largest || !smallest || largest.bytes === null || smallest.bytes === null) return [];
  const isSkewed = largest.bytes > WORTH_MOVING_BYTES && largest.bytes > SKEW_MAX * smallest.bytes;
  return isSkewed
    ? [
        `${largest.host}:${largest.port} holds more than twice as much as ${smallest.host}:${smallest.port}. Move organizations with "select citus_rebalance_start()".`,
      ]
    : [];
}
