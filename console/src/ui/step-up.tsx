import { Suspense, useSyncExternalStore } from 'react';
import { loadable } from '../app/page-errors.js';
import { preloadOnFirstInput } from '../app/preload.js';
import { stepUpRequest } from '../app/step-up.js';
import { useWasOpened } from './use-opening.js';

const load = () => import('./step-up-window.js');
const StepUpWindow = loadable(load);
preloadOnFirstInput(load);

/**
 * The window that asks for the second factor. Mounted from its first use on, so that it can restore the focus when it
 * closes.
 */
export function StepUp() {
  const isAsked = useSyncExternalStore(stepUpRequest.subscribe, () => stepUpRequest.get() !== null);
  const wasAsked = useWasOpened(isAsked);
  return <Suspense>{wasAsked && <StepUpWindow />}</Suspense>;
}
