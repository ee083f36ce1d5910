import { LotwardError, NoAnswer } from './errors.js';

/** How often a failed request is repeated. */
export interface RetryPolicy {
  retries: number;
  onRetry?: ((problem: LotwardError | NoAnswer, attempt: number, waitMs: number) => void) | undefined;
}

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 30_000;
/** Statuses worth a retry: rate limit, overload, unavailable database. */
const PASSING = new Set([429, 500, 502, 503, 504]);

/**
 * Retries requests that may succeed later: after the time the service asks for, otherwise with exponential back-off and
 * jitter. `repeatable`: a second attempt has no second effect, so a request without a response may be retried.
 */
export async function retrying<T>(
  policy: RetryPolicy,
  repeatable: boolean,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (problem) {
      const waitMs = waitAfter(problem, attempt);
      if (waitMs === null || attempt > policy.retries || !repeatable || signal?.aborted) throw problem;
      policy.onRetry?.(problem as LotwardError | NoAnswer, attempt, waitMs);
      await pause(waitMs, signal);
    }
  }
}

function waitAfter(problem: unknown, attempt: number): number | null {
  const grown = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  const spread = grown * (0.5 + Math.random() / 2);
  if (problem instanceof NoAnswer) return spread;
  if (!(problem instanceof LotwardError) || !PASSING.has(problem.status)) return null;
  return problem.retryAfterMs === null ? spread : problem.retryAfterMs + Math.random() * FIRST_WAIT_MS;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
