import { columnsOf } from './label.rules.js';
import type { DrawnSymbol } from './symbol-thread.js';

/** The quiet zone around a symbol, in units of the drawing: ten modules beside bars; a matrix needs one, and has two. */
const MARGINS = { bars: 40, matrix: 8 };
/** The text below the symbol. */
const FONT_SIZE = 16;
const LINE_HEIGHT = 20;
/** The width of a digit in the monospaced font, with some margin. */
const CHARACTER_WIDTH = 10;

/** A label as SVG: the symbol on white, with its human-readable text below. */
export function drawLabel(
  symbol: DrawnSymbol,
  shape: keyof typeof MARGINS,
  lines: readonly string[],
): string {
  const margin = MARGINS[shape];
  const textWidth = Math.max(0, ...lines.map(columnsOf)) * CHARACTER_WIDTH;
  const width = Math.max(symbol.width, textWidth) + 2 * margin;
  const height = symbol.height + 2 * margin + lines.length * LINE_HEIGHT;
  const left = (width - symbol.width) / 2;
  const below = lines.map((line, i) => {
    const y = margin + symbol.height + (i + 1) * LINE_HEIGHT;
    return `<text x="${width / 2}" y="${y}">${escaped(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(lines.join(' '))}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<g transform="translate(${left} ${margin})">${symbol.content}</g>`,
    `<g font-family="monospace" font-size="${FONT_SIZE}" text-anchor="middle" fill="#000">${below.join('')}</g>`,
    '</svg>\n',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
