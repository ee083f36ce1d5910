import { isAwayNow } from './connection.js';

const INPUTS = ['pointerdown', 'keydown'] as const;

/** Fetches code that only answers an input as soon as somebody begins to use the page: until then nobody needs it. */
export function preloadOnFirstInput(load: () => Promise<unknown>): void {
  const start = () => {
    // A browser does not fetch code again that failed to load.
    if (isAwayNow()) return;
    for (const type of INPUTS) window.removeEventListener(type, start, true);
    // A failure is reported by the component, once it is shown.
    load().catch(() => {});
  };
  for (const type of INPUTS) window.addEventListener(type, start, true);
}
