/**
 * Batches the calls that arrive while a query is running into the next query. A query begins when this turn of the event
 * loop has read all pending input: an idle server adds no delay, and requests admitted together share a query instead of the
 * first going alone.
 */
export function batched<K, V>(
  run: (keys: readonly K[]) => Promise<readonly V[]>,
  limits: { keysMax: number; inFlightMax: number },
): (key: K) => Promise<V> {
  interface Waiting {
    key: K;
    resolve: (value: V) => void;
    reject: (error: unknown) => void;
  }
  let queue: Waiting[] = [];
  let inFlight = 0;
  let isDue = false;

  const flush = async () => {
    const batch = queue.length > limits.keysMax ? queue.splice(0, limits.keysMax) : queue;
    if (batch === queue) queue = [];
    inFlight++;
    try {
      const values = await run(batch.map((waiting) => waiting.key));
      batch.forEach((waiting, i) => {
        waiting.resolve(values[i] as V);
      });
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
