/* SVG of a layout, in colours that suit a light and a dark page. */
const STYLE = `
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #17212b; text-anchor: middle }
  .small { font-size: 11.5px; fill: #51606e }
  rect { fill: #f3f5f7; stroke: #51606e }
  .end rect { stroke-width: 2.5 }
  path { fill: none; stroke: #51606e; stroke-width: 1.3 }
  .tip, .start { fill: #51606e; stroke: none }
  .label { stroke: #fff; stroke-width: 5px; paint-order: stroke; stroke-linejoin: round }
  @media (prefers-color-scheme: dark) {
    text { fill: #e3e8ed } .small { fill: #b3bfcb } rect { fill: #1f2933; stroke: #8796a5 } path { stroke: #8796a5 }
    .tip, .start { fill: #8796a5 } .label { stroke: #12181e }
  }`;

const at = (value) => Math.round(value * 10) / 10;

export function drawn(resource, { width, height, states, edges }) {
  const first = states[0];
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" width="${Math.ceil(width)}" height="${Math.ceil(height)}" role="img">`,
    `<title>The states of ${/^[aeiou]/.test(resource) ? 'an' : 'a'} ${resource}</title>`,
    `<style>${STYLE}\n</style>`,
    `<circle class="start" cx="${at(first.x)}" cy="7" r="5"/>`,
    ...edges.map(lineOf),
    ...states.map((state) => boxOf(state, edges)),
    ...edges.map(labelOf),
    '</svg>',
  ];
  return lines.join('\n');
}

/** Down through its places, bent softly; the tip where the move leads. */
function lineOf({ from, between, to, reversed }) {
  const start = { x: from.x, y: from.y + from.height / 2 };
  const end = { x: to.x, y: to.y - to.height / 2 };
  if (reversed) start.y += 7;
  else end.y -= 7;
  const points = [start, ...between, end];
  const bends = points.slice(1).map((point, i) => {
    const before = points[i];
    const middle = at((before.y + point.y) / 2);
    return `C${at(before.x)} ${middle} ${at(point.x)} ${middle} ${at(point.x)} ${at(point.y)}`;
  });
  const tip = reversed ? tipOf(start.x, start.y - 7, 1) : tipOf(end.x, end.y + 7, -1);
  return `<path d="M${at(start.x)} ${at(start.y)}${bends.join('')}"/>${tip}`;
}

const tipOf = (x, y, back) => `<path class="tip" d="M${at(x)} ${at(y)}l-4.5 ${back * 8}h9z"/>`;

function boxOf({ name, staying, x, y, width, height }, edges) {
  const isEnd = !edges.some((edge) => (edge.reversed ? edge.to : edge.from).name === name);
  const stays =
    staying.length === 0
      ? ''
      : `<text class="small" x="${at(x)}" y="${at(y + 15)}">↻ ${staying.join(', ')}</text>`;
  return (
    `<g${isEnd ? ' class="end"' : ''}><rect x="${at(x - width / 2)}" y="${at(y - height / 2)}" width="${at(width)}" height="${height}" rx="6"/>` +
    `<text x="${at(x)}" y="${at(y + (stays ? -2 : 4.5))}">${name}</text>${stays}</g>`
  );
}

const labelOf = ({ between }) =>
  between
    .filter(({ label }) => label !== '')
    .map(({ x, y, label }) => `<text class="small label" x="${at(x)}" y="${at(y + 4)}">${label}</text>`)
    .join('');
