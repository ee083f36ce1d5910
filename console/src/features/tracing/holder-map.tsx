import { Box, Group, Paper, Text, ThemeIcon, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { Factory, Hospital, type LucideIcon, Warehouse } from 'lucide-react';
import { useId } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { type Edge, type Graph, type Node, TIERS, type Tier } from './holder-graph.js';
import { traceWords } from './trace-words.js';

const ICONS: Readonly<Record<Tier, LucideIcon>> = {
  supplier: Factory,
  warehouse: Warehouse,
  customer: Hospital,
};
const NODE_HEIGHT = 58;
const GAP = 14;
/** Below this width, the tiers are stacked. */
const SIDE_BY_SIDE_MIN = 620;
/** Space between adjacent tiers, or next to the nodes of stacked tiers. */
const CHANNEL = 90;
const GUTTER = 52;

interface Box2 {
  x: number;
  y: number;
  width: number;
}

interface Layout {
  isWide: boolean;
  height: number;
  places: ReadonlyMap<string, Box2>;
}

function layoutOf({ nodes }: Graph, width: number): Layout {
  const isWide = width >= SIDE_BY_SIDE_MIN;
  const tiers = TIERS.map((tier) => nodes.filter((node) => node.tier === tier)).filter((each) => each.length);
  const places = new Map<string, Box2>();
  const heightOf = (count: number) => count * (NODE_HEIGHT + GAP) - GAP;
  if (!isWide) {
    let y = 0;
    for (const tier of tiers) {
      for (const node of tier) {
        places.set(node.key, { x: GUTTER, y, width: width - GUTTER });
        y += NODE_HEIGHT + GAP;
      }
      y += GAP;
    }
    return { isWide, height: y - 2 * GAP, places };
  }
  const height = Math.max(...tiers.map((tier) => heightOf(tier.length)));
  const nodeWidth = Math.min(300, (width - CHANNEL * (tiers.length - 1)) / tiers.length);
  const step = tiers.length > 1 ? (width - nodeWidth) / (tiers.length - 1) : 0;
  tiers.forEach((tier, column) => {
    const top = (height - heightOf(tier.length)) / 2;
    tier.forEach((node, row) => {
      places.set(node.key, { x: column * step, y: top + row * (NODE_HEIGHT + GAP), width: nodeWidth });
    });
  });
  return { isWide, height, places };
}

/** Suppliers, warehouses and customers, with the hand-overs between them. */
export function HolderMap({ graph }: { graph: Graph }) {
  const words = useWords(traceWords);
  const format = useFormat();
  const { ref, width } = useElementSize();
  const layout = layoutOf(graph, Math.max(width, 260));
  const nameOf = (key: string) => {
    const node = graph.nodes.find((each) => each.key === key);
    if (!node) return '';
    return node.standsFor > 1 ? words.others(node.standsFor) : (node.name ?? words.kinds[node.tier]);
  };
  const said = graph.edges.map((edge) =>
    words.edge(nameOf(edge.from), nameOf(edge.to), format.number(edge.quantity)),
  );
  return (
    <Box ref={ref}>
      {width > 0 && (
        <Box pos="relative" h={layout.height}>
          <Edges edges={graph.edges} layout={layout} width={width} />
          {graph.nodes.map((node) => (
            <NodeBox key={node.key} node={node} place={layout.places.get(node.key)} name={nameOf(node.key)} />
          ))}
        </Box>
      )}
      {said.length > 0 && <VisuallyHidden>{words.holdersSay(format.list(said))}</VisuallyHidden>}
    </Box>
  );
}

function NodeBox({ node, place, name }: { node: Node; place: Box2 | undefined; name: string }) {
  const words = useWords(traceWords);
  const format = useFormat();
  if (!place) return null;
  const Icon = ICONS[node.tier];
  const holds = node.holds !== null && node.holds > 0;
  const below = [words.kinds[node.tier], holds && words.holds(format.number(node.holds))].filter(Boolean);
  return (
    <Paper
      withBorder
      pos="absolute"
      px="xs"
      left={place.x}
      top={place.y}
      w={place.width}
      h={NODE_HEIGHT}
      style={holds ? { borderColor: 'var(--mantine-primary-color-filled)', borderWidth: 2 } : {}}
    >
      <Group gap="xs" wrap="nowrap" h="100%">
        <ThemeIcon variant="light" color={holds ? undefined : 'gray'} aria-hidden>
          <Icon size={16} />
        </ThemeIcon>
        <Box miw={0}>
          <Text size="sm" fw={holds ? 650 : 400} truncate title={name}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {below.join(' · ')}
          </Text>
        </Box>
      </Group>
    </Paper>
  );
}

interface Curve {
  path: string;
  label: { x: number; y: number };
}

/** A curve between the sides of adjacent tiers, or around the left of stacked ones. */
function curveOf(from: Box2, to: Box2, isWide: boolean): Curve {
  const [y1, y2] = [from.y + NODE_HEIGHT / 2, to.y + NODE_HEIGHT / 2];
  if (isWide && from.x !== to.x) {
    const isForward = to.x > from.x;
    const [x1, x2] = isForward ? [from.x + from.width, to.x - 6] : [from.x, to.x + to.width + 6];
    const bend = (x2 - x1) / 2;
    // Backward curves run slightly below forward ones, so that they do not overlap.
    const drop = isForward ? 0 : 12;
    return {
      path: `M${x1} ${y1 + drop} C${x1 + bend} ${y1 + drop} ${x2 - bend} ${y2 + drop} ${x2} ${y2 + drop}`,
      label: { x: (x1 + x2) / 2, y: (y1 + y2) / 2 + drop },
    };
  }
  const x = from.x;
  const out = Math.max(x - GUTTER + 8, x - 44);
  return {
    path: `M${x} ${y1} C${out} ${y1} ${out} ${y2} ${x - 6} ${y2}`,
    label: { x: x - 36, y: (y1 + y2) / 2 },
  };
}

function Edges({ edges, layout, width }: { edges: readonly Edge[]; layout: Layout; width: number }) {
  const format = useFormat();
  const arrow = useId();
  return (
    <svg
      width={width}
      height={layout.height}
      aria-hidden="true"
      style={{ position: 'absolute', inset: 0, overflow: 'visible' }}
    >
      <defs>
        <marker id={arrow} viewBox="0 0 8 8" refX="4" refY="4" markerWidth="6" markerHeight="6" orient="auto">
          <path d="M0 0L8 4L0 8z" fill="var(--mantine-color-dimmed)" />
        </marker>
      </defs>
      {edges.map((edge) => {
        const [from, to] = [layout.places.get(edge.from), layout.places.get(edge.to)];
        if (!from || !to) return null;
        const { path, label } = curveOf(from, to, layout.isWide);
        return (
          <g key={`${edge.from}\n${edge.to}`}>
            <path
              d={path}
              fill="none"
              stroke="var(--mantine-color-dimmed)"
              strokeWidth={1.5}
              markerEnd={`url(#${arrow})`}
            />
            <text
              x={label.x}
              y={label.y}
              dy="0.35em"
              textAnchor="middle"
              fontSize={12}
              fill="var(--mantine-color-text)"
              // A halo keeps the number readable on the line.
              stroke="var(--mantine-color-body)"
              strokeWidth={4}
              paintOrder="stroke"
            >
              {format.number(edge.quantity)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
