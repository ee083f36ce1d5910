import type { Data } from '@lotward/client';
import { useQueries } from '@tanstack/react-query';
import { client } from '../../app/api.js';
import { useMay } from '../../app/session.js';
import type { ProductStock } from '../stock/inventory-record.js';
import type { Dispatch } from './pick-draft.js';

type Product = Data<'/v2/products/{id}', 'get'>;

export interface PickGoods {
  productOf(productCode: string): Product | undefined;
  /** A dispatch does not say when its batches expire; while some of the batch is there, the stock does. */
  expiryOf(productCode: string, batchNo: string): string | null | undefined;
  /** The warehouse is known to have nothing of the batch. */
  isAbsent(productCode: string, batchNo: string): boolean;
}

/** Products and expiry dates of the goods of a dispatch, one request for each, shared with the other pages. */
export function usePickGoods({ lines, warehouse }: Dispatch): PickGoods {
  const may = useMay();
  const codes = [...new Set(lines.map((line) => line.productCode))];
  const products = useQueries({
    queries: codes.map((id) => ({
      queryKey: ['/v2/products/{id}', { path: { id } }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.get('/v2/products/{id}', { path: { id }, signal }),
      enabled: may('products:read'),
    })),
  });
  const stocks = useQueries({
    queries: codes.map((productCode) => ({
      queryKey: ['/v2/inventory', { query: { productCode, warehouse } }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.get('/v2/inventory', { query: { productCode, warehouse }, signal }),
      enabled: may('inventory:read'),
    })),
  });
  const batchesOf = (code: string) =>
    (stocks[codes.indexOf(code)]?.data as ProductStock | undefined)?.batches;
  return {
    productOf: (code) => products[codes.indexOf(code)]?.data,
    expiryOf: (code, batchNo) => batchesOf(code)?.find((batch) => batch.batchNo === batchNo)?.expiryDate,
    isAbsent: (code, batchNo) => batchesOf(code)?.every((batch) => batch.batchNo !== batchNo) ?? false,
  };
}
