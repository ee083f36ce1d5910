import type { Search } from '../../app/paths.js';

/** A named view of a list: the parameters of its URL. */
export interface SavedView {
  name: string;
  search: Search;
}

const KEPT_AS = 'lotward.views.';
const VIEWS_MAX = 50;

const isText = (value: unknown): value is string => typeof value === 'string';

const isView = (value: unknown): value is SavedView => {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Partial<SavedView>;
  return isText(name) && typeof search === 'object' && search !== null && Object.values(search).every(isText);
};

/** Skips unreadable entries, which another version may have written. */
export function parseViews(kept: string | null): readonly SavedView[] {
  try {
    const views: unknown = JSON.parse(kept ?? '[]');
    return Array.isArray(views) ? views.filter(isView).slice(0, VIEWS_MAX) : [];
  } catch {
    return [];
  }
}

export const readViews = (place: string): readonly SavedView[] => {
  try {
    return parseViews(localStorage.getItem(KEPT_AS + place));
  } catch {
    return [];
  }
};

export function keepViews(place: string, views: readonly SavedView[]): void {
  try {
    localStorage.setItem(KEPT_AS + place, JSON.stringify(views.slice(-VIEWS_MAX)));
  } catch {
    // Without storage, a view lasts as long as the page.
  }
}

/** URL parameters are texts or, if they look like it, numbers. */
const textOf = (search: Search): string =>
  JSON.stringify(
    Object.entries(search)
      .flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );

export const isSameView = (one: Search, other: Search): boolean => textOf(one) === textOf(other);
