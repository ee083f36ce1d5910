import { useNavigate, useSearch } from '@tanstack/react-router';

/** Filters live in the address: going back, reloading and sending a link keep them. */
export function useFilters<K extends string>(
  names: readonly K[],
): [filters: Partial<Record<K, string>>, change: (part: Partial<Record<K, string | null>>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const filters: Partial<Record<K, string>> = {};
  for (const name of names) {
    const value = search[name];
    if (value !== undefined && value !== null && value !== '') filters[name] = String(value);
  }
  const change = (part: Partial<Record<K, string | null>>) => {
    const next: Record<string, unknown> = { ...search, ...part };
    for (const [name, value] of Object.entries(next)) if (value === null || value === '') delete next[name];
    navigate({ to: '.', search: next as never, replace: true });
  };
  return [filters, change];
}
