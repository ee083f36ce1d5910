import { isAwayNow } from './connection.js';

const INPUTS = ['pointerdown', 'keydown'] as const;

/** Fetches code that is needed only after user input, at the first sign of input rather than at page load. */
export function preloadOnFirstInput(load: () => Promise<unknown>): void {
  const start = () => {
    // A browser does not refetch code that failed to load.
    if (isAwayNow()) return;
    for (const type of INPUTS) window.removeEventListener(type, start, true);
    // A failure is reported by the component, once it is shown.
    load().catch(() => {});
  };
  for (const type of INPUTS) window.addEventListener(type, start, true);
}
