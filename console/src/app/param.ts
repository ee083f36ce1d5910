import { useParams } from '@tanstack/react-router';
import type { ParamName } from './paths.js';

/** A parameter of the page's path: `$orderId` of `/orders/$orderId`. */
export function useParam(name: ParamName): string {
  const params = useParams({ strict: false });
  return params[name] ?? '';
}
