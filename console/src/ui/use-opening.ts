import { useEffect, useState } from 'react';

/** Whether a window has ever been opened: from then on it stays mounted, so that it can restore the focus when it closes. */
export function useWasOpened(opened: boolean): boolean {
  const [wasOpened, setWasOpened] = useState(false);
  if (opened && !wasOpened) setWasOpened(true);
  return wasOpened;
}

/**
 * Whether a lazily mounted window is open. It opens only after mounting, because a window that is open from the start does
 * not know where the focus was.
 */
export function useOpening(opened: boolean): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return opened && isMounted;
}
