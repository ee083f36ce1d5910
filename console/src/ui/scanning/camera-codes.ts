import { GROUP_SEPARATOR } from './scan-keys.js';

/** A code that stays in view is one scan: it counts again after it was out of view for this long. */
const AWAY_MS = 1_200;

/** Determines which of the codes that a camera sees repeatedly are new. */
export class SeenCodes {
  readonly #lastSeenMs = new Map<string, number>();

  /** The codes of one frame that were not in the frames just before it. */
  fresh(codes: readonly string[], nowMs: number): string[] {
    const distinct = [...new Set(codes)];
    const fresh = distinct.filter(
      (code) => nowMs - (this.#lastSeenMs.get(code) ?? Number.NEGATIVE_INFINITY) > AWAY_MS,
    );
    for (const code of distinct) this.#lastSeenMs.set(code, nowMs);
    return fresh;
  }
}

/** The code as a scanner sends it: browsers also report the first FNC1 of a GS1 code as a separator. */
export const withoutLeadingSeparator = (code: string): string =>
  code.startsWith(GROUP_SEPARATOR) ? code.slice(GROUP_SEPARATOR.length) : code;
