export * from './api.js';
export * from './command.js';
export * from './database.js';
export * from './demo.js';
export * from './people.js';
export * from './push-world.js';
export * from './receiver.js';
export * from './worker.js';

/** `npm test` runs sizes that fit minutes; `npm run test:full` the sizes that prove more. */
export const fullTier = process.env.LOTWARD_TEST_TIER === 'full';
export const sized = (usual: number, full: number): number => (fullTier ? full : usual);
