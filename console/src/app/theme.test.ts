import { describe, expect, it } from 'vitest';
import { DENSITIES, themes } from './theme.js';

/** The relative luminance of WCAG 2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.length === 4 ? color.replaceAll(/[0-9a-f]/g, '$&$&') : color)
    .match(/[0-9a-f]{2}/g)
    ?.map((part) => Number.parseInt(part, 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) ?? [0, 0, 0];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const { colors = {}, white = '', black = '' } = themes.comfortable;
const of = (name: string, shade: number): string => colors[name]?.[shade] ?? '';

/** As `console.css` and the library use the shades. */
const PAIRS: readonly [what: string, text: string, ground: string][] = [
  ['text on a panel', black, white],
  ['text on the ground', black, of('gray', 0)],
  ['dimmed text on a panel', of('gray', 7), white],
  ['dimmed text on the ground', of('gray', 7), of('gray', 0)],
  ['dimmed text on a tinted row', of('gray', 7), of('gray', 1)],
  ['a link on a panel', of('ward', 7), white],
  ['a link on the ground', of('ward', 7), of('gray', 0)],
  ['a filled button', white, of('ward', 7)],
  ['a chosen entry of the menu', of('ward', 9), of('ward', 1)],
  ['text on a dark panel', of('dark', 0), of('dark', 7)],
  ['text on the dark ground', of('dark', 0), of('dark', 8)],
  ['dimmed text on a dark panel', of('dark', 1), of('dark', 7)],
  ['dimmed text on a dark tinted row', of('dark', 1), of('dark', 5)],
  ['a link on a dark panel', of('ward', 4), of('dark', 7)],
];

describe('colours have enough contrast for small text (WCAG AA)', () => {
  it.each(PAIRS)('%s', (_what, text, ground) => expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5));
});

it('a density changes room, and no size of text', () => {
  const [one, other] = DENSITIES.map((density) => themes[density]);
  expect(one?.fontSizes).toEqual(other?.fontSizes);
  expect(one?.spacing).not.toEqual(other?.spacing);
});
