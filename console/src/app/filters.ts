import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Search } from './paths.js';

/** Filters are kept in the URL, so that they survive going back, reloading and sharing a link. */
export function useFilters<K extends string>(
  names: readonly K[],
): [filters: Partial<Record<K, string>>, change: (part: Partial<Record<K, string | null>>) => void] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const filters: Partial<Record<K, string>> = {};
  for (const name of names) {
    const value = search[name];
    if (value !== undefined && value !== null && value !== '') filters[name] = String(value);
  }
  const change = (part: Partial<Record<K, string | null>>) => {
    const given = Object.entries<string | null | undefined>({ ...search, ...part });
    const next: Search = Object.fromEntries(given.flatMap(([name, value]) => (value ? [[name, value]] : [])));
    navigate({ to: '.', search: next, replace: true });
  };
  return [filters, change];
}
