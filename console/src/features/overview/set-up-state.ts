import type { Overview } from './overview-data.js';

/** An organization that has had neither stock nor orders is being set up. */
export const isBeingSetUp = ({ stock, orders }: Overview): boolean =>
  stock?.total === 0 && orders !== null && Object.values(orders.byStatus).every((count) => count === 0);
