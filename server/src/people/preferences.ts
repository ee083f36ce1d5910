import { recordAudit } from '../audit/index.js';
import { requireTimeZone } from '../organizations/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { savePreferences } from './user.store.js';

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

/** Changes those that are given; null takes a choice back. */
export async function choosePreferences(tx: Tx, userId: string, chosen: Partial<Preferences>): Promise<void> {
  if (chosen.timeZone) requireTimeZone(chosen.timeZone, '/preferences/timeZone');
  const isSaved = await savePreferences(tx, userId, chosen);
  if (!isSaved) throw missing('user', 'userId');
  await recordAudit(tx, {
    action: 'user.choose_preferences',
    entityType: 'user',
    entityId: userId,
    after: chosen,
  });
}
