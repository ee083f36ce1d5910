import { Suspense, useState, useSyncExternalStore } from 'react';
import { loadable } from '../app/page-errors.js';
import { preloadOnFirstInput } from '../app/preload.js';
import { stepUpRequest } from '../app/step-up.js';

const load = () => import('./step-up-window.js');
const StepUpWindow = loadable(load);
preloadOnFirstInput(load);

/** The window that asks for the second factor, once it was needed: it gives the focus back when it closes. */
export function StepUp() {
  const isAsked = useSyncExternalStore(stepUpRequest.subscribe, () => stepUpRequest.get() !== null);
  const [wasAsked, setWasAsked] = useState(false);
  if (isAsked && !wasAsked) setWasAsked(true);
  return <Suspense>{wasAsked && <StepUpWindow />}</Suspense>;
}
