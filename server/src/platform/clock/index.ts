import { performance } from 'node:perf_hooks';

/** The source of the current time. Injected everywhere, so that tests can set it. */
export interface Clock {
  now(): Date;
}

/** The system clock: only for times that are never compared with stored ones. */
export const systemClock: Clock = { now: () => new Date() };

/** The two clocks of a process: the system clock, which can be wrong and can jump, and the monotonic clock. */
export interface ProcessClocks {
  systemMs(): number;
  monotonicMs(): number;
}

export const processClocks: ProcessClocks = {
  systemMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** How far the clock of a partner or a sensor may be ahead of ours. */
const CLOCK_SKEW_MS = 300_000;

/** The latest timestamp, in milliseconds, accepted from outside; a later one is in the future. */
export const maxAcceptedTimestamp = (now: Date): number => now.getTime() + CLOCK_SKEW_MS;

/** The earliest timestamp, in milliseconds, accepted from outside for something that happened after `start`. */
export const earliestAccepted = (start: Date): number => start.getTime() - CLOCK_SKEW_MS;
