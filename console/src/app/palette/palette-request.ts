import { useEffect, useRef } from 'react';

/** Opens the search with a text, for code outside its button. */
let listener: ((text: string) => void) | null = null;

export const openPaletteWith = (text: string): void => listener?.(text);

/** Called by the single search button. */
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
