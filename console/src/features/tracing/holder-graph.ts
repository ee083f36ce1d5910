import type { Holder, Step } from './trace-query.js';

export const TIERS = ['supplier', 'warehouse', 'customer'] as const;
export type Tier = (typeof TIERS)[number];

export interface Node {
  key: string;
  tier: Tier;
  name: string | null;
  code: string | null;
  /** The quantity held now; null for suppliers, and if nothing is held. */
  holds: number | null;
  /** The number of holders in this node; more than 1 only in the last one of a crowded tier. */
  standsFor: number;
}

export interface Edge {
  from: string;
  to: string;
  quantity: number;
}

export interface Graph {
  nodes: readonly Node[];
  edges: readonly Edge[];
}

/** If a tier has more nodes, the rest are drawn as one. */
const NODES_MAX = 7;
/** Steps by which goods pass from one party to another, each counted once. */
const PASSING = new Set<Step['step']>(['received', 'returned', 'moved_in', 'dispatched']);

type End = NonNullable<Step['from']>;
const keyOf = (tier: string, code: string | null): string => `${tier} ${code ?? ''}`;

/** Hand-overs between parties, and the current holders. */
export function graphOf(holders: readonly Holder[], steps: readonly Step[]): Graph {
  const nodes = new Map<string, Node>();
  const meet = ({ kind, code, name }: End): Node => {
    const key = keyOf(kind, code);
    const known = nodes.get(key) ?? { key, tier: kind, name, code, holds: null, standsFor: 1 };
    nodes.set(key, known);
    return known;
  };
  for (const { quantity, ...end } of holders) {
    const node = meet(end);
    node.holds = (node.holds ?? 0) + quantity;
  }
  const edges = new Map<string, Edge>();
  for (const { step, from, to, quantity } of steps) {
    if (!from || !to || !PASSING.has(step)) continue;
    const edge = { from: meet(from).key, to: meet(to).key, quantity: 0 };
    const key = `${edge.from}\n${edge.to}`;
    const known = edges.get(key) ?? edge;
    known.quantity += quantity;
    edges.set(key, known);
  }
  return gathered([...nodes.values()], [...edges.values()]);
}

/** Combines the holders that would not fit: those with the smallest quantities. */
function gathered(nodes: readonly Node[], edges: readonly Edge[]): Graph {
  const drawn: Node[] = [];
  const insteadOf = new Map<string, string>();
  for (const tier of TIERS) {
    const ofTier = nodes
      .filter((node) => node.tier === tier)
      .sort((one, two) => (two.holds ?? 0) - (one.holds ?? 0));
    const few = ofTier.length <= NODES_MAX;
    drawn.push(...(few ? ofTier : ofTier.slice(0, NODES_MAX - 1)));
    if (few) continue;
    const rest = ofTier.slice(NODES_MAX - 1);
    const key = `${tier}\nothers`;
    const holds = rest.reduce((sum, node) => sum + (node.holds ?? 0), 0);
    drawn.push({ key, tier, name: null, code: null, holds: holds || null, standsFor: rest.length });
    for (const node of rest) insteadOf.set(node.key, key);
  }
  const merged = new Map<string, Edge>();
  for (const edge of edges) {
    const from = insteadOf.get(edge.from) ?? edge.from;
    const to = insteadOf.get(edge.to) ?? edge.to;
    const key = `${from}\n${to}`;
    merged.set(key, { from, to, quantity: (merged.get(key)?.quantity ?? 0) + edge.quantity });
  }
  return { nodes: drawn, edges: [...merged.values()] };
}
