import { setImmediate as nextTurn } from 'node:timers/promises';

/** A caller of one of several calls that were carried out together. */
export interface Waiting<K, V> {
  key: K;
  resolve: (value: V) => void;
  reject: (error: unknown) => void;
}

/**
 * Gives each caller its value. An answer is work for this process, and those of a large batch would keep it from anything else: after every
 * few of them it reads what others have sent meanwhile. `onAnswered` is called with each part, before its callers go on.
 */
export async function answerInParts<K, V>(
  callers: readonly Waiting<K, V>[],
  values: readonly V[],
  size: number,
  onAnswered: (count: number) => void = () => {},
): Promise<void> {
  for (let from = 0; from < callers.length; from += size) {
    if (from > 0) await nextTurn();
    const part = callers.slice(from, from + size);
    part.forEach((caller, i) => {
      caller.resolve(values[from + i] as V);
    });
    onAnswered(part.length);
  }
}
