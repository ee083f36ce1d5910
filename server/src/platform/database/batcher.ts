import { answerInParts, type Waiting } from './answer-in-parts.js';

const ANSWERED_AT_ONCE = 4;

/**
 * Batches the calls that arrive while a query is running into the next query. A query begins when this turn of the event
 * loop has read all pending input: an idle server adds no delay, and requests admitted together share a query instead of the
 * first going alone.
 */
export function batched<K, V>(
  run: (keys: readonly K[]) => Promise<readonly V[]>,
  limits: { keysMax: number; inFlightMax: number },
): (key: K) => Promise<V> {
  let queue: Waiting<K, V>[] = [];
  let inFlight = 0;
  let isDue = false;

  const flush = async () => {
    const batch = queue.length > limits.keysMax ? queue.splice(0, limits.keysMax) : queue;
    if (batch === queue) queue = [];
    inFlight++;
    try {
      const values = await run(batch.map((waiting) => waiting.key));
      await answerInParts(batch, values, ANSWERED_AT_ONCE);
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    } finally {
      inFlight--;
      consider();
    }
  };
  const consider = () => {
    if (isDue || queue.length === 0 || inFlight >= limits.inFlightMax) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      if (queue.length === 0) return;
      void flush();
      consider();
    });
  };

  return (key) =>
    new Promise<V>((resolve, reject) => {
      queue.push({ key, resolve, reject });
      consider();
    });
}
