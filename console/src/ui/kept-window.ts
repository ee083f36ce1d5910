import { useEffect, useState } from 'react';

/** Makes a window keep what was entered: it is given up by a button, not by Esc or a click beside the window. */
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
