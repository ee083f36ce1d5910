import { LotwardError } from '@lotward/client';

/** A request that waits for the person's second factor. */
export interface StepUpRequest {
  /** True if the second factor was given, false if the person cancelled. */
  settle(given: boolean): void;
}

let pending: StepUpRequest | null = null;
const listeners = new Set<() => void>();

function change(next: StepUpRequest | null): void {
  pending = next;
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`. */
export const stepUpRequest = {
  get: (): StepUpRequest | null => pending,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function askStepUp(): Promise<boolean> {
  return new Promise((resolve) => {
    const settleBefore = pending?.settle;
    change({
      settle(given) {
        change(null);
        settleBefore?.(given);
        resolve(given);
      },
    });
  });
}

const needsStepUp = (error: unknown): boolean =>
  error instanceof LotwardError && error.errors.some(({ reason }) => reason === 'step_up_required');

/** Repeats the request after the person has given their second factor. */
export async function withStepUp<R>(send: () => Promise<R>): Promise<R> {
  try {
    return await send();
  } catch (error) {
    if (!needsStepUp(error) || !(await askStepUp())) throw error;
    return send();
  }
}
