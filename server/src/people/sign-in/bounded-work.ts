import { Unavailable } from '../../platform/errors/index.js';

interface Limits {
  atOnce: number;
  waitingMax: number;
  /** Work of one caller that waits. */
  waitingPerCallerMax: number;
}

/**
 * Limits concurrency and queue length; further work is rejected at once as unavailable. Callers take turns, so that one with
 * much to do delays the others by one piece of work at a time.
 */
export function boundedWork({ atOnce, waitingMax, waitingPerCallerMax }: Limits) {
  let running = 0;
  let waiting = 0;
  // In the order of their turns.
  const queues = new Map<string, (() => void)[]>();

  const enqueue = (caller: string, go: () => void) => {
    const queue = queues.get(caller) ?? [];
    if (waiting >= waitingMax || queue.length >= waitingPerCallerMax)
      throw new Unavailable(new Error('too many passwords to hash at once'));
    queue.push(go);
    queues.set(caller, queue);
    waiting++;
  };
  const dequeue = (): (() => void) | undefined => {
    for (const [caller, queue] of queues) {
      queues.delete(caller);
      const go = queue.shift();
      if (queue.length > 0) queues.set(caller, queue);
      waiting--;
      return go;
    }
    return undefined;
  };

  return async <T>(caller: string, work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) await new Promise<void>((go) => enqueue(caller, go));
    else running += 1;
    try {
      return await work();
    } finally {
      // The next in the queue inherits the slot, so that a newcomer cannot overtake it.
      const next = dequeue();
      if (next) next();
      else running -= 1;
    }
  };
}
