import { performance } from 'node:perf_hooks';
import { expect } from 'vitest';

export * from './api.js';
export * from './command.js';
export * from './database.js';
export * from './demo.js';
export * from './people.js';
export * from './push-world.js';
export * from './receiver.js';
export * from './sandbox.js';
export * from './worker.js';

/** `npm test` runs sizes that fit minutes; `npm run test:full` the sizes that prove more. */
export const fullTier = process.env.LOTWARD_TEST_TIER === 'full';
export const sized = (usual: number, full: number): number => (fullTier ? full : usual);

/** A wall time since `startedMs` says nothing on a busy machine: it is asserted in the full tier, which has one to itself. */
export function expectWithin(limitMs: number, startedMs: number): void {
  if (fullTier) expect(performance.now() - startedMs).toBeLessThan(limitMs);
}
