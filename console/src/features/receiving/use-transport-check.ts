import { useQueries } from '@tanstack/react-query';
import { client } from '../../app/api.js';
import { useMay } from '../../app/session.js';
import type { Receipt } from './receipt.types.js';
import { checkTransport, type TransportCheck } from './transport-check.js';

/** Compares the recorded transport temperature with the storage conditions of every product on the receipt. */
export function useTransportCheck({ lines, transportTemperature }: Receipt): TransportCheck {
  const enabled = useMay()('products:read');
  const codes = [...new Set(lines.map(({ productCode }) => productCode))];
  const products = useQueries({
    queries: codes.map((id) => ({
      queryKey: ['/v2/products/{id}', { path: { id } }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.get('/v2/products/{id}', { path: { id }, signal }),
      enabled,
    })),
  });
  return checkTransport(
    transportTemperature,
    lines.map(({ lineNo, productCode }) => ({
      lineNo,
      storage: products[codes.indexOf(productCode)]?.data?.storage,
    })),
  );
}
