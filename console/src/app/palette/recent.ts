import type { Target } from './targets.js';

const KEPT_AS = 'lotward.recent';
const KEPT_MAX = 5;

const nameOf = (organization: string, userId: string): string => `${KEPT_AS} ${organization} ${userId}`;

/** The records that the person recently opened from the search, in this tab. */
export function recentOf(organization: string, userId: string): Target[] {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(organization, userId)) ?? '[]') as Target[];
  } catch {
    return [];
  }
}

export function keepRecent(organization: string, userId: string, target: Target): void {
  const others = recentOf(organization, userId).filter(({ key }) => key !== target.key);
  sessionStorage.setItem(
    nameOf(organization, userId),
    JSON.stringify([target, ...others].slice(0, KEPT_MAX)),
  );
}

/** The next person at this tab may be another. */
export const removeRecentOf = (organization: string, userId: string): void =>
  sessionStorage.removeItem(nameOf(organization, userId));
