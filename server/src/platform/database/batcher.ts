/**
 * Batches the calls that arrive while a query is under way into the next query. When none is under way a
 * call goes straight through, so an idle server adds no delay and a busy one queries the database less often.
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
      if (queue.length > 0) void flush();
    }
  };

  return (key) =>
    new Promise<V>((resolve, reject) => {
      queue.push({ key, resolve, reject });
      if (inFlight < limits.inFlightMax) void flush();
    });
}
