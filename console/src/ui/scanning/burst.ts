import { GROUP_SEPARATOR } from './scan-keys.js';

/** Keys further apart than this do not belong to one code. Slow scanners leave 100 ms between keys. */
export const GAP_MAX_MS = 150;
/** People type at 60 ms between keys at best; two keys may be closer, several in a row never are. */
const FAST_GAP_MS = 35;
const FAST_GAPS_MIN = 3;
const FAST_MEAN_MS = 40;
const LENGTH_MIN = 6;

/** Keys in quick succession, from a scanner or a person. */
export interface Burst {
  text: string;
  startedMs: number;
  lastMs: number;
  /** How many of the gaps so far were too short for a person. */
  fastGaps: number;
}

export const beginBurst = (text: string, atMs: number): Burst => ({
  text,
  startedMs: atMs,
  lastMs: atMs,
  fastGaps: 0,
});

export const continueBurst = (burst: Burst, text: string, atMs: number): Burst => ({
  ...burst,
  text: burst.text + text,
  lastMs: atMs,
  fastGaps: atMs - burst.lastMs <= FAST_GAP_MS ? burst.fastGaps + 1 : 0,
});

export const isWithin = (burst: Burst, atMs: number): boolean => atMs - burst.lastMs <= GAP_MAX_MS;

/** Faster than anyone types, so it comes from a device. */
export const isMachine = (burst: Burst): boolean => burst.fastGaps >= FAST_GAPS_MIN;

const CODES = [
  /^\][A-Za-z][0-9A-Za-z]./, // the identifier of a symbology (AIM), which no text begins with
  /^\(?(?:0[12]\)?\d{14}|00\)?\d{18})/, // GS1: trade item, content, logistic unit
  /^\+(?:[A-Z][A-Z0-9]{3}|\$)[-A-Z0-9 .$/+%]{3,}$/, // HIBC
  /^[=&][!-~]{9,}$/, // ISBT 128
  /^MA\.\d/,
  /^https?:\/\/\S+\/01\/\d{14}/i, // GS1 Digital Link
];

/** Whether the text has the form of a code on a label, so that it counts as one even if it was typed slowly. */
export const isCodeLike = (text: string): boolean =>
  text.length >= LENGTH_MIN && (text.includes(GROUP_SEPARATOR) || CODES.some((code) => code.test(text)));

/**
 * Whether the text just ended by Enter or Tab was scanned. Speed is no proof in fields where password managers type, which
 * are as fast as scanners.
 */
export function isScan(burst: Burst, endedMs: number, isSpeedProof: boolean): boolean {
  if (isCodeLike(burst.text)) return true;
  const meanMs = (endedMs - burst.startedMs) / burst.text.length;
  return isSpeedProof && burst.text.length >= LENGTH_MIN && meanMs <= FAST_MEAN_MS;
}
