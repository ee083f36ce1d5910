import { refuseLabel } from './label.errors.js';

/** `datamatrix` and `hibc` are short for the matrix of GS1 and of HIBC. */
export const SYMBOLOGIES = [
  'gs1-datamatrix',
  'datamatrix',
  'gs1-128',
  'hibc-datamatrix',
  'hibc',
  'hibc-128',
] as const;
export type Symbology = (typeof SYMBOLOGIES)[number];

/** The drawing of a code: as a matrix or as bars, by the rules of its agency. */
export interface Drawing {
  shape: 'matrix' | 'bars';
  agency: 'GS1' | 'HIBCC';
}

const drawings: Readonly<Record<Symbology, Drawing>> = {
  'gs1-datamatrix': { shape: 'matrix', agency: 'GS1' },
  datamatrix: { shape: 'matrix', agency: 'GS1' },
  'gs1-128': { shape: 'bars', agency: 'GS1' },
  'hibc-datamatrix': { shape: 'matrix', agency: 'HIBCC' },
  hibc: { shape: 'matrix', agency: 'HIBCC' },
  'hibc-128': { shape: 'bars', agency: 'HIBCC' },
};

/** The requested drawing, or the usual one of the agency. */
export function drawingFor(agency: string, asked: Symbology | undefined): Drawing {
  const usual = { GS1: drawings['gs1-datamatrix'], HIBCC: drawings['hibc-datamatrix'] }[agency];
  if (!usual) throw refuseLabel('symbology_mismatch', 'code', `codes of ${agency} are not printed`);
  if (asked === undefined) return usual;
  const drawing = drawings[asked];
  if (drawing.agency !== agency)
    throw refuseLabel('symbology_mismatch', 'symbology', `${asked} is not for codes of ${agency}`);
  return drawing;
}

const SEPARATOR = '\u001d';
/** Bars: the limit of GS1 with separators, and the longest HIBC code that fits a label. Matrix: bounded to draw quickly. */
const LENGTH_MAX = { GS1: { bars: 48, matrix: 300 }, HIBCC: { bars: 80, matrix: 300 } };

/** The text to encode. `^FNC1` is the function character that starts GS1 codes and separates their elements. */
export function textToEncode(code: string, { agency, shape }: Drawing): string {
  const lengthMax = LENGTH_MAX[agency][shape];
  if (code.length > lengthMax) {
    const message = `${code.length} characters are too many: at most ${lengthMax}`;
    throw refuseLabel('symbology_mismatch', 'symbology', message);
  }
  return agency === 'GS1' ? `^FNC1${code.replaceAll(SEPARATOR, '^FNC1')}` : code;
}

const LINE_LENGTH_MAX = 40;

/**
 * The human-readable text below the symbol: each GS1 identifier starts a line; HIBC is enclosed in asterisks, with an
 * underscore for a check character that is a space.
 */
export function readableLines(code: string, agency: Drawing['agency']): string[] {
  const parts =
    agency === 'HIBCC'
      ? [`*${code.replace(/ $/, '_')}*`]
      : code.split(/(?<!\\)(?=\(\d{2,4}\))/).map((part) => part.replaceAll('\\(', '('));
  return parts.flatMap((part) => part.match(new RegExp(`.{1,${LINE_LENGTH_MAX}}`, 'g')) ?? []);
}

const CAPTION_LINES_MAX = 2;
/** Chinese characters are as wide as two others. */
const WIDE = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;
export const columnsOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);

/** Text for people above that of the code: the name, in lines as long as those of the code, and the expiry date. */
export function captionLines(
  name: string | undefined,
  expiryDate: string | null,
  lines: readonly string[],
  columnsMin = 20,
): string[] {
  if (name === undefined) return [];
  const columns = Math.max(columnsMin, ...lines.map((line) => line.length));
  const wrapped = wrap(name.trim().replace(/[\p{Cc}\s^~]+/gu, ' '), columns);
  const shown = wrapped.slice(0, CAPTION_LINES_MAX);
  if (wrapped.length > shown.length) shown.push(`${cut(shown.pop() ?? '', columns - 3)}...`);
  return expiryDate === null ? shown : [...shown, `EXP ${expiryDate}`];
}

/** Breaks between words, and within those that are longer than a line. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (columnsOf(longer) <= columns) lines.splice(-1, 1, longer);
    else
      for (let rest = word; rest !== ''; rest = rest.slice(cut(rest, columns).length))
        lines.push(cut(rest, columns));
  }
  return lines;
}

function cut(text: string, columns: number): string {
  let kept = '';
  for (const character of text) {
    if (columnsOf(kept + character) > columns) break;
    kept += character;
  }
  return kept;
}
