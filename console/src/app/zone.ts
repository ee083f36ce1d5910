/** The time zone that the person has chosen; null for the browser's. */
let chosen: string | null = null;
export const keepZone = (zone: string | null): void => {
  chosen = zone;
};

const browserZone = (): string => new Intl.DateTimeFormat('en').resolvedOptions().timeZone;

/** The IANA name of the time zone in which times are shown and entered. */
export const shownZone = (): string => chosen ?? browserZone();

/** The name of this or another zone, as people know it: `China Standard Time`, `中国标准时间`. */
export function zoneName(language: string, timeZone = shownZone()): string {
  // People say UTC, not Coordinated Universal Time.
  if (timeZone === 'UTC' || timeZone === 'Etc/UTC') return 'UTC';
  const format = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'long' });
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}
