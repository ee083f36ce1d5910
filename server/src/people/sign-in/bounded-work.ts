import { Unavailable } from '../../platform/errors/index.js';

/** Limits concurrency and queue length; further work is rejected at once as unavailable. */
export function boundedWork(limits: { atOnce: number; waitingMax: number }) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limits.atOnce) {
      if (waiting.length >= limits.waitingMax)
        throw new Unavailable(new Error('too many passwords to hash at once'));
      await new Promise<void>((go) => waiting.push(go));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // The next in the queue inherits the slot, so that a newcomer cannot overtake it.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
