import type { Item } from '@lotward/client';
import { bulkApi } from '../../app/api.js';
import { changedPaths } from '../../app/changes.js';
import { refreshPaths } from '../../app/queries.js';

export type ExpiringBatch = Item<'/v2/stock/expiring'>;

export interface BulkResult {
  done: number;
  failed: { batch: ExpiringBatch; error: unknown }[];
}

export const batchKey = ({ productCode, batchNo }: ExpiringBatch): string => `${productCode}\n${batchNo}`;

/** One write after the other; a refused one does not stop the rest. The pages are refreshed once, at the end. */
async function writeEach(
  writes: readonly { batch: ExpiringBatch; run: () => Promise<unknown> }[],
): Promise<BulkResult> {
  const result: BulkResult = { done: 0, failed: [] };
  for (const { batch, run } of writes) {
    try {
      await run();
      result.done++;
    } catch (error) {
      result.failed.push({ batch, error });
    }
  }
  await refreshPaths(changedPaths('/v2/stock/holds'));
  return result;
}

const once = () => ({ idempotencyKey: crypto.randomUUID() });

export const holdAll = (
  batches: readonly ExpiringBatch[],
  hold: { warehouse: string | null; category: 'logistics' | 'quality'; reason: string },
): Promise<BulkResult> =>
  writeEach(
    batches.map((batch) => ({
      batch,
      run: () => {
        const { productCode, batchNo } = batch;
        return bulkApi.post('/v2/stock/holds', { body: { productCode, batchNo, ...hold }, ...once() });
      },
    })),
  );

/** Moves everything available of each batch, from one warehouse or from all others, to the warehouse `to`. */
export const transferAll = (
  batches: readonly ExpiringBatch[],
  { from, to, reason }: { from: string | null; to: string; reason: string | null },
): Promise<BulkResult> =>
  writeEach(
    batches.flatMap((batch) =>
      batch.byWarehouse
        .filter(
          ({ warehouse, availableQuantity }) =>
            warehouse !== to && availableQuantity > 0 && (from === null || warehouse === from),
        )
        .map(({ warehouse, availableQuantity: quantity }) => ({
          batch,
          run: () => {
            const { productCode, batchNo } = batch;
            const body = { productCode, batchNo, from: warehouse, to, quantity, reason };
            return bulkApi.post('/v2/stock/transfers', { body, ...once() });
          },
        })),
    ),
  );
