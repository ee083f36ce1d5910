export interface Attempt {
  at: string;
  status: number | null;
  durationMs: number;
}
export interface Hour {
  /** Its beginning, in milliseconds. */
  startMs: number;
  succeeded: number;
  failed: number;
  /** For all attempts of the hour; null if there were none. */
  medianMs: number | null;
  p95Ms: number | null;
}

const HOUR_MS = 3_600_000;
const isSuccess = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300;

/** The value that this share of the sorted values does not exceed. */
const quantile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;

/** Attempts by hour, up to the current hour, including hours without attempts. */
export function byHour(attempts: readonly Attempt[], nowMs: number, hours: number): Hour[] {
  const last = Math.floor(nowMs / HOUR_MS);
  return Array.from({ length: hours }, (_, n) => {
    const startMs = (last - hours + 1 + n) * HOUR_MS;
    const own = attempts.filter(({ at }) => Math.floor(Date.parse(at) / HOUR_MS) * HOUR_MS === startMs);
    const durations = own.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
    const succeeded = own.filter(isSuccess).length;
    return {
      startMs,
      succeeded,
      failed: own.length - succeeded,
      medianMs: quantile(durations, 0.5),
      p95Ms: quantile(durations, 0.95),
    };
  });
}
