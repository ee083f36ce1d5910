import { expect, vi } from 'vitest';

const LONGEST_MS = 600_000;
/** Few, because each look that comes too early costs an error. */
const LOOKS = 4;

/** For the pace of a load, the length of an outage, a drawn moment: what only the monotonic clock can tell. */
export const untilMs = (instantMs: number): Promise<void> =>
  vi.waitFor(() => expect(performance.now()).toBeGreaterThanOrEqual(instantMs), {
    timeout: LONGEST_MS,
    interval: Math.max(2, (instantMs - performance.now()) / LOOKS),
  });
export const afterMs = (ms: number): Promise<void> => untilMs(performance.now() + ms);
