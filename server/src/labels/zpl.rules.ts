import { refuseLabel } from './label.errors.js';

/** Usual stock of label printers, in millimetres. */
export const LABEL_SIZES = ['30x20', '50x25', '50x30', '70x40', '100x50', '100x150'] as const;
export type LabelSize = (typeof LABEL_SIZES)[number];
export const DENSITIES = [203, 300, 600] as const;
export type Density = (typeof DENSITIES)[number];

/** A module of GS1 DataMatrix on medical devices, in millimetres (GS1 General Specifications, symbol specification table 7). */
const MODULE_MIN_MM = 0.254;
const MODULE_MAX_MM = 0.495;
const ROUNDING_MM = 0.001;
/** The quiet zone, in modules. */
const QUIET = 1;
const EDGE_MM = 1;
const TEXT_MM = { min: 1.2, max: 3 };
/** The width of a character of the scalable font in relation to its height, and the space between lines. */
const CHARACTER = { max: 0.6, min: 0.4 };
const LINE = 1.2;

const SEPARATOR = '\u001d';

/**
 * The data of `^BX` with `_` as its escape character: `_1` is FNC1, which begins a GS1 code and ends its fields of variable length.
 * An underscore of the code is written by its number.
 */
export function zplData(code: string, agency: 'GS1' | 'HIBCC'): string {
  const escaped = code.replaceAll('_', '_d095').replaceAll(SEPARATOR, '_1');
  return agency === 'GS1' ? `_1${escaped}` : escaped;
}

interface ZplLabel {
  data: string;
  /** The rows and columns of the symbol. */
  modules: number;
  lines: readonly string[];
  /** Shown above the lines; left out where there is no room for them. */
  captions?: readonly string[];
  size: LabelSize;
  density: Density;
  copies: number;
}

/** A label in the language of Zebra printers: the symbol on the left, its human-readable text beside it. */
export function zplLabel({
  data,
  modules,
  lines: codeLines,
  captions = [],
  size,
  density,
  copies,
}: ZplLabel): string {
  const dotsPerMm = density / 25.4;
  const dots = (mm: number) => Math.round(mm * dotsPerMm);
  const [width = 0, height = 0] = size.split('x').map((mm) => dots(Number(mm)));
  const edge = dots(EDGE_MM);
  const module = moduleDots(Math.min(width, height) - 2 * edge, modules, dotsPerMm);
  if (module === null) throw tooSmall(size);
  const symbol = module * modules;
  const quiet = edge + module * QUIET;
  const textX = quiet + symbol + module * QUIET + edge;
  const room = { width: width - textX - edge, height: height - 2 * edge };
  const all = [...captions.filter(isInFont), ...codeLines];
  const lines = textSize(all, room, dotsPerMm) === null ? codeLines : all;
  const text = textSize(lines, room, dotsPerMm);
  if (text === null) throw tooSmall(size);
  const top = Math.round((height - symbol) / 2);
  const textTop = Math.round((height - lines.length * text.line) / 2);
  return [
    '^XA',
    '^CI28',
    `^PW${width}`,
    `^LL${height}`,
    '^LH0,0',
    `^FO${quiet},${top}^BXN,${module},200,0,0,6,_^FD${data}^FS`,
    ...lines.map(
      (line, n) =>
        `^FO${textX},${textTop + n * text.line}^A0N,${text.height},${text.width}^FD${plain(line)}^FS`,
    ),
    `^PQ${copies}`,
    '^XZ',
    '',
  ].join('\n');
}

/** The largest module that the specification allows and the label has room for; null if none fits. */
function moduleDots(room: number, modules: number, dotsPerMm: number): number | null {
  const fits = Math.floor(room / (modules + 2 * QUIET));
  const allowed = Math.floor((MODULE_MAX_MM + ROUNDING_MM) * dotsPerMm);
  const module = Math.min(fits, allowed);
  return module / dotsPerMm >= MODULE_MIN_MM - ROUNDING_MM ? module : null;
}

function textSize(lines: readonly string[], room: { width: number; height: number }, dotsPerMm: number) {
  const longest = Math.max(...lines.map((line) => line.length));
  const height = Math.floor(Math.min(TEXT_MM.max * dotsPerMm, room.height / (lines.length * LINE)));
  const width = Math.floor(Math.min(height * CHARACTER.max, room.width / longest));
  const isReadable = height >= TEXT_MM.min * dotsPerMm && width >= TEXT_MM.min * CHARACTER.min * dotsPerMm;
  return isReadable ? { height, width, line: Math.floor(height * LINE) } : null;
}

/** The scalable font of the printers has Latin letters only. */
const isInFont = (line: string): boolean => !/[^\u0020-\u024f\u2010-\u2026\u20ac\u2122]/.test(line);

/** These two begin commands. No printable code contains them. */
function plain(line: string): string {
  if (/[\^~]/.test(line)) throw new Error('a label contains a command character');
  return line;
}

const tooSmall = (size: LabelSize) =>
  refuseLabel('label_too_small', 'size', `the code does not fit a label of ${size} mm`);
