import { useMemo } from 'react';
import { useLanguage } from './language.js';

/** Formats an instant with its time zone, also where it is the organization's: histories are read and quoted elsewhere. */
export function useZonedInstant(): (text: string) => string {
  const { language } = useLanguage();
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(language, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    });
    return (text) => format.format(Date.parse(text));
  }, [language]);
}
