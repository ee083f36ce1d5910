import { useEffect, useState } from 'react';

/** Protects entries in a window: only a button discards them, not Esc or a click outside. */
export function useKeptWindow(opened: boolean) {
  const [isEntered, setEntered] = useState(false);
  useEffect(() => {
    if (opened) setEntered(false);
  }, [opened]);
  return {
    closeOnEscape: !isEntered,
    closeOnClickOutside: !isEntered,
    onInput: () => setEntered(true),
  };
}
