import { useEffect, useRef } from 'react';

/** Opens the search with a text: for code that is not below its button. */
let listener: ((text: string) => void) | null = null;

export const openPaletteWith = (text: string): void => listener?.(text);

/** Called by the one button of the search. */
export function usePaletteRequests(open: (text: string) => void): void {
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const own = (text: string) => latest.current(text);
    listener = own;
    return () => {
      if (listener === own) listener = null;
    };
  }, []);
}
