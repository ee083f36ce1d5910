import { GROUP_SEPARATOR } from './scan-keys.js';

/** A code that stays before the camera is one scan: it counts again when it has been away for so long. */
const AWAY_MS = 1_200;

/** Decides which of the codes that a camera sees over and over are new. */
export class SeenCodes {
  readonly #lastSeenMs = new Map<string, number>();

  /** The codes of one picture that were not in the pictures just before it. */
  fresh(codes: readonly string[], nowMs: number): string[] {
    const distinct = [...new Set(codes)];
    const fresh = distinct.filter(
      (code) => nowMs - (this.#lastSeenMs.get(code) ?? Number.NEGATIVE_INFINITY) > AWAY_MS,
    );
    for (const code of distinct) this.#lastSeenMs.set(code, nowMs);
    return fresh;
  }
}

/** As a scanner would send it: browsers report the first FNC1 of a GS1 code as a separator, too. */
export const withoutLeadingSeparator = (code: string): string =>
  code.startsWith(GROUP_SEPARATOR) ? code.slice(GROUP_SEPARATOR.length) : code;
