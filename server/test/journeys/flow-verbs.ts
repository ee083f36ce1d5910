import type { Chance } from './chance.js';

/** How often each is tried, in relation to the others. */
const weights = {
  receipt: 5,
  accept: 5,
  cancelReceipt: 1,
  order: 8,
  update: 3,
  cancelBySync: 1,
  approve: 9,
  reject: 1,
  cancel: 1,
  hold: 1,
  release: 3,
  reserve: 4,
  close: 2,
  dispatch: 9,
  pick: 12,
  recheck: 12,
  deliver: 5,
  cancelDispatch: 2,
  stockHold: 4,
  stockRelease: 5,
  moveHeld: 4,
  adjust: 2,
  transfer: 2,
  correct: 3,
  safety: 1,
  time: 1,
} as const;

export type Verb = keyof typeof weights;
export const VERBS = Object.keys(weights) as Verb[];
const BAG = VERBS.flatMap((verb) => Array.from({ length: weights[verb] }, () => verb));

/**
 * The verbs of one person in a random order, each as often as its weight before the bag is filled again. So even a short
 * run tries the rare ones.
 */
export function* drawVerbs(chance: Chance): Generator<Verb, never> {
  let bag: Verb[] = [];
  for (;;) {
    if (bag.length === 0) bag = [...BAG];
    const [verb] = bag.splice(chance.below(bag.length), 1);
    if (verb !== undefined) yield verb;
  }
}

/** In which states a verb is worth trying; now and then it is tried in any. */
const FITTING: Partial<Record<Verb, readonly string[]>> = {
  update: ['pending_approval'],
  approve: ['pending_approval'],
  reject: ['pending_approval'],
  reserve: ['approved', 'partially_dispatched'],
  close: ['partially_dispatched'],
  dispatch: ['approved', 'partially_dispatched'],
  pick: ['picking'],
  recheck: ['rechecking'],
  deliver: ['dispatched'],
};

/** A thing in a state in which the verb is worth trying, mostly. */
export function fitting<T extends { status: string }>(
  items: readonly T[],
  verb: Verb,
  chance: Chance,
): T | undefined {
  const states = FITTING[verb];
  const good = items.filter((item) => states?.includes(item.status));
  return chance.of(good.length > 0 && !chance.oneIn(5) ? good : items);
}
