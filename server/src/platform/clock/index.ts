import { performance } from 'node:perf_hooks';

/** Where the present instant comes from. Injected everywhere, so that tests can be at any moment. */
export interface Clock {
  now(): Date;
}

/** The system clock: only for times that are never compared with stored ones. */
export const systemClock: Clock = { now: () => new Date() };

/** The two clocks of a process: the system's, which can be set wrong and jumps, and one that only counts. */
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

/** The latest timestamp, in milliseconds, accepted from outside: a later one has not happened yet. */
export const maxAcceptedTimestamp = (now: Date): number => now.getTime() + CLOCK_SKEW_MS;

/** The earliest instant, in milliseconds, that somebody else may give for what happened after `start` by our clock. */
export const earliestAccepted = (start: Date): number => start.getTime() - CLOCK_SKEW_MS;
