import { useMantineColorScheme } from '@mantine/core';
import { useContext, useEffect } from 'react';
import { client } from './api.js';
import { useLanguage } from './language.js';
import { useDensity } from './looks.js';
import { queries, SESSION } from './queries.js';
import { CurrentSession, type Session } from './session.js';

export type Preferences = NonNullable<Session['preferences']>;

interface Personal {
  /** The person's choices. All null before anyone has signed in. */
  preferences: Preferences;
  /** Applies a choice immediately, and stores it with the person, so that it follows them to other browsers. */
  choose(part: Partial<Preferences>): void;
}

const NOT_CHOSEN: Preferences = {
  language: null,
  theme: null,
  density: null,
  timeZone: null,
  homePage: null,
};

export function usePreferences(): Personal {
  const session = useContext(CurrentSession);
  const apply = useApply();
  return {
    preferences: session?.preferences ?? NOT_CHOSEN,
    choose(part) {
      apply(part);
      if (!session) return;
      queries.setQueryData<Session>(
        SESSION,
        (now) => now && { ...now, preferences: { ...NOT_CHOSEN, ...now.preferences, ...part } },
      );
      // Without the service, the choice still applies in this browser, which is what the person sees.
      client.patch('/v2/session', { body: { preferences: part } }).catch(() => {});
    },
  };
}

/** Applies choices to this browser. */
function useApply(): (part: Partial<Preferences>) => void {
  const { choose } = useLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const { chooseDensity } = useDensity();
  return ({ language, theme, density }) => {
    if (language) choose(language);
    if (theme) setColorScheme(theme);
    if (density) chooseDensity(density);
  };
}

/** Applies what the person has chosen elsewhere, after they have signed in here. */
export function useOwnLooks({ preferences }: Session): void {
  const apply = useApply();
  const { language = null, theme = null, density = null } = preferences ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the service says something else than before
  useEffect(() => apply({ language, theme, density }), [language, theme, density]);
}
