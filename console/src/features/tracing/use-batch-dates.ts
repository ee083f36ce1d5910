import { useList } from '../../app/api.js';
import { useMay } from '../../app/session.js';
import type { Trace } from './trace-query.js';

export interface BatchDates {
  expiryDate: string | null;
  manufactureDate: string | null;
}

/** The dates of the traced batch: those in the code, otherwise those on record. */
export function useBatchDates({ udi, product: { productCode } }: Trace): BatchDates {
  const may = useMay();
  const { batchNo } = udi;
  const list = useList('/v2/stock/batches', {
    query: { productCode, batchNo: batchNo ?? '' },
    enabled: batchNo !== null && may('inventory:read'),
  });
  const batch = list.data?.pages[0]?.items[0];
  return {
    expiryDate: udi.expiryDate ?? batch?.expiryDate ?? null,
    manufactureDate: udi.manufactureDate ?? batch?.manufactureDate ?? null,
  };
}
