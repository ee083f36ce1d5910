import { type RefObject, useEffect, useRef } from 'react';

/** Where the person is. The browser itself announces the page that it was opened with. */
let arrivedAt = location.pathname;

/** Something the person is at already: a field that takes the focus by itself, a window over the page. */
const isEngaged = (): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null ||
  document.activeElement?.matches('#content :is(input, textarea, select)') === true;

/**
 * Announces a page to which a link led, as a browser does for one that it loads: the tab has its title, and its heading the
 * focus, from which the Tab key goes on.
 */
export function useArrival(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Lotward`;
    // Not for filters and tabs, which are behind the question mark.
    if (location.pathname === arrivedAt) return;
    arrivedAt = location.pathname;
    if (!isEngaged()) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return heading;
}
