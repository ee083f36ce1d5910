import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { allPages } from '../../features/index.js';
import { useMay } from '../session.js';
import { addKey, type Meaning, meaningOf, NO_KEYS, PAUSE_MS } from './shortcuts.js';

const isTyped = (event: KeyboardEvent): boolean =>
  (event.target instanceof Element &&
    event.target.closest('input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]') !==
      null) ||
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

/** Single keys anywhere outside of fields and windows. `?` calls `onSheet`. */
export function useShortcuts(onSheet: () => void): void {
  const navigate = useNavigate();
  const may = useMay();
  const keys = useRef(NO_KEYS);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const act = (meaning: Meaning) => {
      if (meaning.kind === 'sheet') return onSheet();
      const page = allPages.find(({ path }) => path === meaning.path);
      if (page && (page.scope === undefined || may(page.scope))) navigate({ to: meaning.path });
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
      clearTimeout(timer);
      keys.current = isTyped(event)
        ? NO_KEYS
        : addKey(keys.current, event.key.toLowerCase(), event.timeStamp);
      const meaning = meaningOf(keys.current);
      if (meaning !== null) timer = setTimeout(act, PAUSE_MS, meaning);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [navigate, may, onSheet]);
}
