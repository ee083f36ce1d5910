import { useState } from 'react';

/** The selected rows of a list. They stay selected while the list is filtered, until they are cleared. */
export interface Selection<I> {
  items: readonly I[];
  has: (item: I) => boolean;
  toggle: (item: I) => void;
  add: (items: readonly I[]) => void;
  clear: () => void;
  nameOf: (item: I) => string;
  /** Whether a row can be selected at all. */
  canSelect: (item: I) => boolean;
}

export function useSelection<I>(
  keyOf: (item: I) => string,
  nameOf: (item: I) => string,
  canSelect: (item: I) => boolean = () => true,
): Selection<I> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, I>>(new Map());
  return {
    items: [...chosen.values()],
    has: (item) => chosen.has(keyOf(item)),
    toggle: (item) =>
      setChosen((before) => {
        const after = new Map(before);
        if (!after.delete(keyOf(item))) after.set(keyOf(item), item);
        return after;
      }),
    add: (items) =>
      setChosen((before) => new Map([...before, ...items.map((item): [string, I] => [keyOf(item), item])])),
    clear: () => setChosen(new Map()),
    nameOf,
    canSelect,
  };
}
