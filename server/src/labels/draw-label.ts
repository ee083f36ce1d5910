import { code128, datamatrix, drawingSVG } from 'bwip-js/node';
import { refuseLabel } from './label.errors.js';
import type { Drawing } from './label.rules.js';

/** The quiet zone around a symbol, and the text below it, in units of the drawing. */
const MARGIN = 40;
const FONT_SIZE = 16;
const LINE_HEIGHT = 20;
/** The width of a digit in the monospaced font, with some to spare. */
const CHARACTER_WIDTH = 10;
const BAR_HEIGHT_MM = 12;

/** A label as SVG: the symbol on white, with its human-readable text below. */
export function drawLabel(text: string, lines: readonly string[], shape: Drawing['shape']): string {
  const symbol = drawSymbol(text, shape);
  const textWidth = Math.max(0, ...lines.map((line) => line.length)) * CHARACTER_WIDTH;
  const width = Math.max(symbol.width, textWidth) + 2 * MARGIN;
  const height = symbol.height + 2 * MARGIN + lines.length * LINE_HEIGHT;
  const left = (width - symbol.width) / 2;
  const below = lines.map((line, i) => {
    const y = MARGIN + symbol.height + (i + 1) * LINE_HEIGHT;
    return `<text x="${width / 2}" y="${y}">${escaped(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(lines.join(' '))}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<g transform="translate(${left} ${MARGIN})">${symbol.content}</g>`,
    `<g font-family="monospace" font-size="${FONT_SIZE}" text-anchor="middle" fill="#000">${below.join('')}</g>`,
    '</svg>\n',
  ].join('\n');
}

function drawSymbol(text: string, shape: Drawing['shape']) {
  const options = { text, parsefnc: true, scale: 2 };
  let svg: string;
  try {
    svg =
      shape === 'matrix'
        ? datamatrix({ bcid: 'datamatrix', ...options }, drawingSVG())
        : code128({ bcid: 'code128', ...options, height: BAR_HEIGHT_MM }, drawingSVG());
  } catch (error) {
    // Errors of the encoder itself mean that the symbol cannot hold the text.
    if (/bwipp\.\w+/.test(String(error))) throw refuseLabel('symbology_mismatch', 'symbology');
    throw error;
  }
  const [, width, height] = /^<svg viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  const content = svg
    .replace(/^<svg[^>]*>/, '')
    .replace(/<\/svg>\s*$/, '')
    .trim();
  return { width: Number(width), height: Number(height), content };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
