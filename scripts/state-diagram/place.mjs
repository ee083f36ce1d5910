/*
 * A layered layout: states in rows from the first to the last, each edge through a place for its label and places for
 * every row it passes, the order within rows chosen for few crossings. The graphs are small, so simple ways will do.
 */
const GAP = 26;
const ROW = 58;
const CHARACTER = 7.4;
const SMALL_CHARACTER = 6.6;

const widthOf = ({ name, staying }) =>
  Math.max(
    name.length * CHARACTER + 28,
    staying.length > 0 ? (staying.join(', ').length + 3) * SMALL_CHARACTER + 24 : 0,
  );

export function placed({ states, edges }) {
  const forward = withoutCycles(states, edges);
  const rowOf = rows(states, forward);
  const nodes = states.map((state) => ({
    ...state,
    row: rowOf.get(state.name),
    width: widthOf(state),
    height: state.staying.length > 0 ? 44 : 32,
  }));
  const links = forward.map((edge) => threaded(edge, nodes));
  for (const { between } of links) nodes.push(...between);
  const layers = inLayers(nodes);
  const neighbours = neighboursOf(links, nodes);
  for (let round = 0; round < 12; round++) sortLayers(layers, neighbours, round % 2 === 0);
  spread(layers, neighbours);
  const left = Math.min(...nodes.map((node) => node.x - node.width / 2));
  for (const node of nodes) Object.assign(node, { x: node.x - left + 12, y: node.row * ROW + 34 });
  return {
    width: Math.max(...nodes.map((node) => node.x + node.width / 2)) + 12,
    height: Math.max(...nodes.map((node) => node.y)) + 36,
    states: nodes.filter((node) => node.name !== undefined),
    edges: links,
  };
}

/** Edges that lead back are turned round for the layout, and drawn the right way. */
function withoutCycles(states, edges) {
  const rank = new Map(states.map(({ name }, index) => [name, index]));
  const done = new Set();
  const open = new Set();
  const back = new Set();
  const visit = (name) => {
    open.add(name);
    const next = edges
      .filter((edge) => edge.source === name)
      .sort((a, b) => rank.get(a.target) - rank.get(b.target));
    for (const edge of next) {
      if (open.has(edge.target)) back.add(edge);
      else if (!done.has(edge.target)) visit(edge.target);
    }
    open.delete(name);
    done.add(name);
  };
  for (const { name } of states) if (!done.has(name)) visit(name);
  return edges.map((edge) => ({
    actions: edge.actions,
    reversed: back.has(edge),
    top: back.has(edge) ? edge.target : edge.source,
    bottom: back.has(edge) ? edge.source : edge.target,
  }));
}

/** Every second row is for labels; a state stands below all that lead to it. */
function rows(states, edges) {
  const row = new Map(states.map(({ name }) => [name, 0]));
  for (let round = 0; round < states.length; round++)
    for (const { top, bottom } of edges) row.set(bottom, Math.max(row.get(bottom), row.get(top) + 2));
  return row;
}

function threaded(edge, nodes) {
  const from = nodes.find((node) => node.name === edge.top);
  const to = nodes.find((node) => node.name === edge.bottom);
  const between = [];
  const label = edge.actions.join(', ');
  for (let row = from.row + 1; row < to.row; row++) {
    const labelled = row === from.row + 1;
    between.push({
      row,
      label: labelled ? label : '',
      width: labelled ? label.length * SMALL_CHARACTER + 8 : 8,
      height: 0,
    });
  }
  return { ...edge, from, to, between };
}

function inLayers(nodes) {
  const layers = [];
  for (const node of nodes) {
    layers[node.row] ??= [];
    layers[node.row].push(node);
  }
  return layers;
}

function neighboursOf(links, nodes) {
  const above = new Map(nodes.map((node) => [node, []]));
  const below = new Map(nodes.map((node) => [node, []]));
  for (const { from, between, to } of links) {
    const path = [from, ...between, to];
    for (let i = 1; i < path.length; i++) {
      above.get(path[i]).push(path[i - 1]);
      below.get(path[i - 1]).push(path[i]);
    }
  }
  return { above, below };
}

/** Each layer by the middle of where its neighbours stand, downwards and upwards in turn. */
function sortLayers(layers, { above, below }, down) {
  for (const layer of down ? layers : [...layers].reverse()) {
    const place = new Map(layers.flatMap((each) => each.map((node, index) => [node, index])));
    const middle = (node) => {
      const near = (down ? above : below).get(node);
      return near.length === 0
        ? place.get(node)
        : near.reduce((sum, each) => sum + place.get(each), 0) / near.length;
    };
    const wanted = new Map(layer.map((node) => [node, middle(node)]));
    layer.sort((a, b) => wanted.get(a) - wanted.get(b));
  }
}

/** As near to their neighbours as the width of those beside them allows. */
function spread(layers, { above, below }) {
  for (const layer of layers) {
    let x = 0;
    for (const node of layer) {
      node.x = x + node.width / 2;
      x += node.width + GAP;
    }
  }
  for (let round = 0; round < 60; round++) {
    for (const layer of round % 2 === 0 ? layers : [...layers].reverse()) {
      const wanted = layer.map((node) => {
        const near = [...above.get(node), ...below.get(node)];
        return near.length === 0 ? node.x : near.reduce((sum, each) => sum + each.x, 0) / near.length;
      });
      settle(layer, wanted);
    }
  }
}

/** The mean of packing from the left and from the right keeps the order and the distances. */
function settle(layer, wanted) {
  const distanceOf = (a, b) => (a.width + b.width) / 2 + GAP;
  const fromLeft = [...wanted];
  for (let i = 1; i < layer.length; i++)
    fromLeft[i] = Math.max(wanted[i], fromLeft[i - 1] + distanceOf(layer[i - 1], layer[i]));
  const fromRight = [...wanted];
  for (let i = layer.length - 2; i >= 0; i--)
    fromRight[i] = Math.min(wanted[i], fromRight[i + 1] - distanceOf(layer[i], layer[i + 1]));
  layer.forEach((node, i) => {
    node.x = (fromLeft[i] + fromRight[i]) / 2;
  });
}
