import type { Data } from '@lotward/client';
import { useQueries } from '@tanstack/react-query';
import { client } from '../../app/api.js';
import { useMay } from '../../app/session.js';

export type Product = Data<'/v2/products/{id}', 'get'>;

/** Products by their codes, one request for each, shared with the other pages. Undefined until read, or if not allowed. */
export function useProducts(productCodes: readonly string[]): (productCode: string) => Product | undefined {
  const may = useMay();
  const codes = [...new Set(productCodes)];
  const products = useQueries({
    queries: codes.map((id) => ({
      queryKey: ['/v2/products/{id}', { path: { id } }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.get('/v2/products/{id}', { path: { id }, signal }),
      enabled: may('products:read'),
    })),
  });
  return (code) => products[codes.indexOf(code)]?.data;
}
