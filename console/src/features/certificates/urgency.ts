/** How soon a certificate ends; the service calls it expiring from 30 days on. */
export type Urgency = 'urgent' | 'soon' | 'later';

export const URGENT_DAYS = 7;
export const SOON_DAYS = 30;

export function urgencyOf(daysLeft: number): Urgency {
  if (daysLeft <= URGENT_DAYS) return 'urgent';
  return daysLeft <= SOON_DAYS ? 'soon' : 'later';
}
