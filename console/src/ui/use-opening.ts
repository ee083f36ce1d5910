import { useEffect, useState } from 'react';

/** Whether a window has been opened: from then on it is mounted, so that it can give the focus back when it closes. */
export function useWasOpened(opened: boolean): boolean {
  const [wasOpened, setWasOpened] = useState(false);
  if (opened && !wasOpened) setWasOpened(true);
  return wasOpened;
}

/**
 * Whether a window that is mounted when it is first needed is open. It becomes open only after that: a window that begins open does
 * not know where the focus was.
 */
export function useOpening(opened: boolean): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return opened && isMounted;
}
