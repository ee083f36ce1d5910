import { runLength } from '../characters.js';

/** The parts of a HIBC code, as ranges of the text it was cut from: [from, to). */
export interface Layout {
  /** Labeler, product, unit of measure. */
  readonly primary: Range | undefined;
  /** The parts between slashes, or the secondary data structure alone. */
  readonly parts: readonly Range[];
  /** Each check character with the start of the text it protects. */
  readonly checks: readonly { readonly from: number; readonly at: number }[];
  /** The link character of a secondary data structure that stands by itself or behind its primary one. */
  readonly link: number | undefined;
  /** The check character that the link character must repeat, if the primary structure is there too. */
  readonly linked: number | undefined;
}

type Range = readonly [from: number, to: number];

/** Ranges between slashes. */
function slashed(text: string, from: number, to: number): Range[] {
  const ranges: Range[] = [];
  let start = from;
  for (let at = from; at <= to; at += 1) {
    if (at < to && text[at] !== '/') continue;
    ranges.push([start, at]);
    start = at + 1;
  }
  return ranges;
}

const nothing = { primary: undefined, parts: [], link: undefined, linked: undefined };

/** From a + to the end: secondary data, its link character, its check character. */
function secondaryLayout(text: string, from: number): Layout {
  const link = text.length - 2;
  return { ...nothing, parts: slashed(text, from + 1, link), checks: [{ from, at: text.length - 1 }], link };
}

function pairLayout(text: string, from: number, check: number, secondary: number): Layout {
  const second = secondaryLayout(text, secondary);
  return {
    ...second,
    primary: [from + 1, check],
    checks: [{ from, at: check }, ...second.checks],
    linked: check,
  };
}

/** Characters allowed between two symbols read one after the other. */
const between = new Set(['*', '\r', '\n', '\t', '\u001d']);

/** Where the second + of a pair stands, given where the first symbol ends; undefined if there is none. */
function nextSymbol(text: string, end: number): number | undefined {
  let at = end;
  while (between.has(text[at] ?? '')) at += 1;
  return text[at] === '+' ? at : undefined;
}

/** The text begins with + and ends with a check character; it may hold a primary structure, a secondary, or both. */
export function layoutOf(text: string, from: number, isSecondaryAlone: boolean): Layout {
  if (isSecondaryAlone) return secondaryLayout(text, from);
  const last = text.length - 1;
  const stop = from + 1 + runLength(text, from + 1, 'spaced');
  // The check character is the last letter, digit or space before the next symbol, or the special character at the stop.
  const behindStop = stop < last ? nextSymbol(text, stop + 1) : undefined;
  const isStopCheck = behindStop !== undefined && !between.has(text[stop] ?? '');
  if (isStopCheck && behindStop !== undefined) return pairLayout(text, from, stop, behindStop);
  const atStop = stop < last ? nextSymbol(text, stop) : undefined;
  if (atStop !== undefined) return pairLayout(text, from, stop - 1, atStop);
  const checks = [{ from, at: last }];
  if (text[stop] !== '/' || stop >= last) return { ...nothing, primary: [from + 1, last], checks };
  return { ...nothing, primary: [from + 1, stop], parts: slashed(text, stop + 1, last), checks };
}
