import { performance } from 'node:perf_hooks';

/** The cost of refusals that a caller may cause per second, and in a burst. */
const PER_SECOND = 100;
const AT_ONCE = 100;
const DELAY_MAX_MS = 1_000;
/** Delayed refusals; beyond this number, refusals are sent immediately, because delayed ones use memory. */
const KEPT_MAX = 2_000;
const CALLERS_MAX = 10_000;

/** A refused request costs 1. One refused by the rate limit costs more, because its caller was asked to wait. */
const COST_OF_LIMITED = 10;
const BYTES_FOR_ONE = 4_096;

interface Options {
  monotonicMs?: () => number;
  later?: (send: () => void, afterMs: number) => void;
}

interface Level {
  cost: number;
  atMs: number;
}

/**
 * Delays the refusals of a caller that keeps sending without a pause. One refusal is cheap, but thousands a second, or large
 * bodies read for nothing, would take time from all other requests. A delayed refusal also delays the caller's next request.
 */
export class SlowRefusals {
  readonly #monotonicMs: () => number;
  readonly #later: (send: () => void, afterMs: number) => void;
  readonly #levels = new Map<string, Level>();
  #kept = 0;

  constructor({ monotonicMs = () => performance.now(), later = setTimeout }: Options = {}) {
    this.#monotonicMs = monotonicMs;
    this.#later = later;
  }

  /** Counts a refusal of the caller and sends it immediately or after a delay. */
  answer(caller: string, refused: { isLimited: boolean; bodyBytes: number }, send: () => void): void {
    const delayMs = this.#delayMsOf(caller, costOf(refused));
    if (delayMs === 0 || this.#kept >= KEPT_MAX) {
      send();
      return;
    }
    this.#kept++;
    this.#later(() => {
      this.#kept--;
      send();
    }, delayMs);
  }

  #delayMsOf(caller: string, cost: number): number {
    const nowMs = this.#monotonicMs();
    const before = this.#levels.get(caller);
    const passed = before ? ((nowMs - before.atMs) * PER_SECOND) / 1_000 : 0;
    const level = Math.max(0, (before?.cost ?? 0) - passed) + cost;
    const delayMs = Math.min(DELAY_MAX_MS, Math.max(0, ((level - AT_ONCE) * 1_000) / PER_SECOND));
    // Capped at the longest delay, so that a caller that stops soon gets immediate answers again.
    const most = AT_ONCE + (DELAY_MAX_MS * PER_SECOND) / 1_000;
    this.#remember(caller, { cost: Math.min(level, most), atMs: nowMs });
    return delayMs;
  }

  /** Evicts the caller refused longest ago first, so that many one-time callers do not displace persistent ones. */
  #remember(caller: string, level: Level): void {
    this.#levels.delete(caller);
    const [oldest] = this.#levels.size >= CALLERS_MAX ? this.#levels.keys() : [];
    if (oldest !== undefined) this.#levels.delete(oldest);
    this.#levels.set(caller, level);
  }
}

const costOf = ({ isLimited, bodyBytes }: { isLimited: boolean; bodyBytes: number }): number =>
  (isLimited ? COST_OF_LIMITED : 1) + Math.floor(bodyBytes / BYTES_FOR_ONE);
