export const LANGUAGES = ['en', 'zh-CN'] as const;
export const THEMES = ['light', 'dark', 'auto'] as const;
export const DENSITIES = ['comfortable', 'compact'] as const;

/** A person's settings of the console. Null: not chosen, so the browser or the console decides. */
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

/** Completes stored preferences, which contain only chosen ones. */
export const allPreferences = (stored: Partial<Preferences>): Preferences => ({ ...NOT_CHOSEN, ...stored });
