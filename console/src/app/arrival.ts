import { type RefObject, useEffect, useRef } from 'react';

/** The current path. The browser itself announces the page that it was opened with. */
let arrivedAt = location.pathname;

/** Whether the person is already at something: a field that takes the focus by itself, or a window over the page. */
const isEngaged = (): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"]') !== null ||
  document.activeElement?.matches('#content :is(input, textarea, select)') === true;

/**
 * Announces a page reached by a link, as a browser does for one that it loads: sets the title of the tab and focuses the
 * heading, so that the Tab key continues from there.
 */
export function useArrival(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Lotward`;
    // Not for filters and tabs, which are in the query string.
    if (location.pathname === arrivedAt) return;
    arrivedAt = location.pathname;
    if (!isEngaged()) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return heading;
}
