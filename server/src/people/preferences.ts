export const LANGUAGES = ['en', 'zh-CN'] as const;
export const THEMES = ['light', 'dark', 'auto'] as const;
export const DENSITIES = ['comfortable', 'compact'] as const;

/** How a person likes the console. Null: not chosen, so it is as the browser or the console has it. */
export interface Preferences {
  language: (typeof LANGUAGES)[number] | null;
  theme: (typeof THEMES)[number] | null;
  density: (typeof DENSITIES)[number] | null;
  /** IANA name of the zone in which times are shown. */
  timeZone: string | null;
  /** The path of the page that opens first. */
  homePage: string | null;
}

const NOT_CHOSEN: Preferences = {
  language: null,
  theme: null,
  density: null,
  timeZone: null,
  homePage: null,
};

/** Completes stored preferences, which have only those that were chosen. */
export const allPreferences = (stored: Partial<Preferences>): Preferences => ({ ...NOT_CHOSEN, ...stored });
