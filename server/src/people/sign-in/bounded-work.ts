import { Unavailable } from '../../platform/errors/index.js';

/** Runs a few things at a time and lets a few wait; whoever comes then is told at once to come back later. */
export function boundedWork(limits: { atOnce: number; waitingMax: number }) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limits.atOnce) {
      if (waiting.length >= limits.waitingMax)
        throw new Unavailable(new Error('too many passwords to check'));
      await new Promise<void>((go) => waiting.push(go));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // Whoever is next takes over the place, so that nobody can come in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
