import { setImmediate as nextTurn } from 'node:timers/promises';

interface Waiting<K, V> {
  key: K;
  resolve: (value: V) => void;
  reject: (error: unknown) => void;
}

/** Decay of the moving average of callers, per batch. */
const REMEMBERED = 0.9;

/**
 * Like `batched`, for calls that are expensive one by one: while calls keep arriving, a batch waits briefly until about the
 * usual number has arrived. A single caller never waits.
 *
 * An answer is work for this process, and those of a large batch would keep it from everything else: after every `answeredAtOnce` of
 * them it reads what others have sent meanwhile.
 */
export function gathered<K, V>(
  run: (keys: readonly K[]) => Promise<readonly V[]>,
  limits: { keysMax: number; waitMs: number; inFlightMax: () => number; answeredAtOnce?: () => number },
): (key: K) => Promise<V> {
  let queue: Waiting<K, V>[] = [];
  let inFlight = 0;
  let callers = 0;
  let usual = 1;
  let timer: NodeJS.Timeout | null = null;

  const flush = async () => {
    const batch = queue.slice(0, limits.keysMax);
    queue = queue.slice(batch.length);
    inFlight++;
    let unanswered = batch.length;
    const onAnswered = (count: number) => {
      callers -= count;
      unanswered -= count;
      if (unanswered > 0) return;
      inFlight--;
      usual = Math.max(callers, usual * REMEMBERED);
      consider();
    };
    try {
      const values = await run(batch.map((waiting) => waiting.key));
      const size = limits.answeredAtOnce?.() ?? batch.length;
      for (let from = 0; from < batch.length; from += size) {
        if (from > 0) await nextTurn();
        const part = batch.slice(from, from + size);
        part.forEach((waiting, i) => {
          waiting.resolve(values[from + i] as V);
        });
        // Before the callers go on: one that comes again is not counted twice.
        onAnswered(part.length);
      }
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
      onAnswered(batch.length);
    }
  };
  /** Calls that arrived while the process was busy are read after the timer has fired, and before the flush. */
  const waitForMore = () => {
    const own = setTimeout(() => setImmediate(flushUnlessFlushed), limits.waitMs);
    const flushUnlessFlushed = () => {
      if (timer !== own) return;
      timer = null;
      if (queue.length > 0 && inFlight < limits.inFlightMax()) void flush();
    };
    timer = own;
  };
  const consider = () => {
    const inFlightMax = limits.inFlightMax();
    if (queue.length === 0 || inFlight >= inFlightMax) return;
    const enough = Math.min(limits.keysMax, Math.round(usual / inFlightMax));
    if (queue.length < enough) {
      if (!timer) waitForMore();
      return;
    }
    if (timer) clearTimeout(timer);
    timer = null;
    void flush();
  };

  return (key) =>
    new Promise<V>((resolve, reject) => {
      queue.push({ key, resolve, reject });
      callers++;
      usual = Math.max(usual, callers);
      consider();
    });
}
