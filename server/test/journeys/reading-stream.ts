import { Chance } from './chance.js';

/** Not a part of half an hour: an alert that goes on is repeated every fifth reading, 35 minutes after the last time. */
const STEP_MS = 7 * 60_000;
const READINGS_PER_NOTIFICATION = 5;
export const LIMITS = { min: 2, max: 8 };

export interface StreamedReading {
  pointId: string;
  at: string;
  temperature: number;
}

export interface ExpectedAlert {
  pointId: string;
  startedAt: string;
  closedAt: string | null;
  lowest: number;
  highest: number;
  repeats: number;
}

export interface ExpectedNotification {
  pointId: string;
  observedAt: string;
  repeat: number;
}

/**
 * The readings of one sensor, in runs inside and outside the limits. The expected alerts are recorded while the stream
 * is generated, without using the service's rules.
 */
export class ReadingStream {
  readonly readings: StreamedReading[] = [];
  readonly alerts: ExpectedAlert[] = [];
  readonly notifications: ExpectedNotification[] = [];
  readonly #chance: Chance;

  constructor(
    readonly pointId: string,
    seed: number,
    readonly startMs: number,
    count: number,
  ) {
    this.#chance = new Chance(seed);
    while (this.readings.length < count) {
      this.#stayInside(Math.min(1 + this.#chance.below(12), count - this.readings.length));
      if (this.readings.length < count)
        this.#stayOutside(Math.min(1 + this.#chance.below(14), count - this.readings.length));
    }
  }

  /** For comparing with what is stored: every value counts with its place. */
  get checksum(): number {
    return this.readings.reduce((sum, { temperature }, i) => sum + temperature * (i + 1), 0);
  }

  #instant(): string {
    return new Date(this.startMs + this.readings.length * STEP_MS).toISOString();
  }

  #read(temperature: number): string {
    const at = this.#instant();
    this.readings.push({ pointId: this.pointId, at, temperature });
    return at;
  }

  #stayInside(length: number): void {
    const open = this.alerts.at(-1);
    if (open) open.closedAt = this.#instant();
    for (let i = 0; i < length; i++) this.#read(LIMITS.min + this.#chance.below(7));
  }

  #stayOutside(length: number): void {
    const { pointId } = this;
    const startedAt = this.#instant();
    const values: number[] = [];
    for (let i = 0; i < length; i++) {
      const value = this.#chance.oneIn(2) ? LIMITS.max + 1 + this.#chance.below(9) : LIMITS.min - 1;
      values.push(value);
      const observedAt = this.#read(value);
      if (i % READINGS_PER_NOTIFICATION === 0)
        this.notifications.push({ pointId, observedAt, repeat: i / READINGS_PER_NOTIFICATION });
    }
    this.alerts.push({
      pointId,
      startedAt,
      closedAt: null,
      lowest: Math.min(...values),
      highest: Math.max(...values),
      repeats: Math.floor((length - 1) / READINGS_PER_NOTIFICATION),
    });
  }
}

export const spanOf = (count: number): number => count * STEP_MS;
export const STEP_SECONDS = STEP_MS / 1000;
