import { useQueries } from '@tanstack/react-query';
import { client } from '../../app/api.js';
import { useMay } from '../../app/session.js';
import { type Product, useProducts } from '../catalogue/use-products.js';
import type { ProductStock } from '../stock/inventory-record.js';
import type { Dispatch } from './pick-draft.js';

export interface PickGoods {
  productOf(productCode: string): Product | undefined;
  /** A dispatch does not contain expiry dates; the stock does, while some of the batch is there. */
  expiryOf(productCode: string, batchNo: string): string | null | undefined;
  /** Whether the warehouse is known to have none of the batch. */
  isAbsent(productCode: string, batchNo: string): boolean;
}

/** The products of a dispatch. */
export const useProductsOf = ({ lines }: Dispatch): PickGoods['productOf'] =>
  useProducts(lines.map((line) => line.productCode));

/** Products and expiry dates of the goods of a dispatch. */
export function usePickGoods(dispatch: Dispatch): PickGoods {
  const { lines, warehouse } = dispatch;
  const may = useMay();
  const codes = [...new Set(lines.map((line) => line.productCode))];
  const productOf = useProductsOf(dispatch);
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
    productOf,
    expiryOf: (code, batchNo) => batchesOf(code)?.find((batch) => batch.batchNo === batchNo)?.expiryDate,
    isAbsent: (code, batchNo) => batchesOf(code)?.every((batch) => batch.batchNo !== batchNo) ?? false,
  };
}

/**
 * When the picked batches were manufactured, which a dispatch does not contain. Null if it is not recorded or may not be
 * read.
 */
export function useManufactureDates({
  lines,
}: Dispatch): (productCode: string, batchNo: string) => string | null {
  const may = useMay();
  const batches = lines.flatMap(({ productCode, picks }) =>
    picks.filter(({ batchNo }) => batchNo !== '').map(({ batchNo }) => ({ productCode, batchNo })),
  );
  const path = '/v2/stock/batches/{productCode}/{batchNo}';
  const records = useQueries({
    queries: batches.map((batch) => ({
      queryKey: [path, { path: batch }],
      queryFn: ({ signal }: { signal: AbortSignal }) => client.get(path, { path: batch, signal }),
      enabled: may('inventory:read'),
    })),
  });
  return (productCode, batchNo) =>
    records.find(({ data }) => data?.productCode === productCode && data.batchNo === batchNo)?.data
      ?.manufactureDate ?? null;
}
