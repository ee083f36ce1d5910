import { useMemo } from 'react';
import { useLanguage } from './language.js';

/** Formats an instant with its time zone, also where it is the organization's: histories are read and quoted elsewhere. */
export function useZonedInstant(): (text: string) => string {
  const { language } = useLanguage();
  return useMemo(() => {
    const instant = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
    const zone = new Intl.DateTimeFormat(language, { timeZoneName: 'short' });
    return (text) => {
      const at = Date.parse(text);
      const name = zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
      return `${instant.format(at)} ${name}`;
    };
  }, [language]);
}
