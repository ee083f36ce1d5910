/** The zone that the person has chosen; null: that of the browser. */
let chosen: string | null = null;
export const keepZone = (zone: string | null): void => {
  chosen = zone;
};

const browserZone = (): string => new Intl.DateTimeFormat('en').resolvedOptions().timeZone;

/** The IANA name of the time zone in which times are shown and entered. */
export const shownZone = (): string => chosen ?? browserZone();
