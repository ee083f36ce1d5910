/** `npm test` runs sizes that fit minutes; `npm run test:full` the sizes that prove more. */
export const sized = (usual: number, full: number): number =>
  process.env.LOTWARD_TEST_TIER === 'full' ? full : usual;
