import { useQuery } from '@tanstack/react-query';
import { client } from '../../app/api.js';
import { type ShippingMovement, shippedBatches } from './shipped-batches.js';

const PAGE = 200;
/** If a product has more shipments than this, only some are read, and the page says so. */
const PAGES_MAX = 5;

/** The shipped batches of a product, sold-out ones too. */
export const useShippedBatches = (productCode: string) =>
  useQuery({
    queryKey: ['/v2/stock/movements', { shipped: productCode }],
    queryFn: async ({ signal }) => {
      const movements: ShippingMovement[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < PAGES_MAX; page++) {
        const query = { productCode, kind: 'dispatch' as const, limit: PAGE };
        const answer: { items: ShippingMovement[]; nextCursor: string | null } = await client.get(
          '/v2/stock/movements',
          { query: { ...query, ...(cursor === null ? {} : { cursor }) }, signal },
        );
        movements.push(...answer.items);
        cursor = answer.nextCursor;
        if (cursor === null) break;
      }
      return { batches: shippedBatches(movements), isPartial: cursor !== null };
    },
  });
