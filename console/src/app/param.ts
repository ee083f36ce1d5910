import { useParams } from '@tanstack/react-router';

/** A part of the page's path: `$orderId` of `/orders/$orderId`. */
export function useParam(name: string): string {
  const params = useParams({ strict: false }) as Record<string, string | undefined>;
  return params[name] ?? '';
}
