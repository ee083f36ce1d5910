import { useContext, useMemo } from 'react';
import { type Language, useLanguage } from './language.js';
import { formatMoney } from './money.js';
import { CurrentSession, useSession } from './session.js';

export interface Format {
  /** `2026-11-15`, a day without a time. */
  day(text: string | null | undefined): string;
  /**
   * An instant in the time zone that the person has chosen, otherwise in the browser's; in documents, in the organization's.
   */
  instant(text: string | null | undefined): string;
  number(value: number | null | undefined): string;
  /** `1.2K`, `1.2万`: for narrow spaces. */
  short(value: number): string;
  money(amount: string | null | undefined, currency: string | null | undefined): string;
  /** `3 minutes ago`, `in 12 days`. */
  ago(text: string, now?: number): string;
  /** Between a name and its value. */
  colon: string;
  /** Between the ends of a range. */
  dash: string;
  /** Words one after the other: `Orders, Stock`. */
  list(words: readonly string[]): string;
}

export const NOTHING = '–';
const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

export function useFormat(): Format {
  const { language } = useLanguage();
  const session = useContext(CurrentSession);
  const timeZone = session?.preferences?.timeZone ?? undefined;
  const isForeign = session !== null && !isSameZone(session.organization.timeZone, timeZone);
  return useMemo(() => {
    const format = formatOf(language, timeZone);
    return isForeign ? withZone(format, language, timeZone) : format;
  }, [language, timeZone, isForeign]);
}

/** For records with precise times: every time names its zone. */
export function useZonedFormat(): Format {
  const { language } = useLanguage();
  const timeZone = useContext(CurrentSession)?.preferences?.timeZone ?? undefined;
  return useMemo(() => withZone(formatOf(language, timeZone), language, timeZone), [language, timeZone]);
}

/** For documents, which must not depend on the browser that prints them. */
export function useOrganizationFormat(): Format {
  const { language } = useLanguage();
  const { timeZone } = useSession().organization;
  return useMemo(() => formatOf(language, timeZone), [language, timeZone]);
}

const nameOf = (timeZone: string | undefined): string =>
  new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
const isSameZone = (one: string, other: string | undefined): boolean => nameOf(one) === nameOf(other);

/** Names the time zone with each time, because it is not the organization's, which the frame would name once. */
function withZone(format: Format, language: Language, timeZone: string | undefined): Format {
  const zone = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'short' });
  const zoneAt = (text: string) =>
    zone.formatToParts(Date.parse(text)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return {
    ...format,
    instant: (text) => (text ? `${format.instant(text)} ${zoneAt(text)}` : NOTHING),
  };
}

function formatOf(language: Language, timeZone?: string): Format {
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const instant = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  });
  const number = new Intl.NumberFormat(language);
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const comma = language === 'en' ? ', ' : '、';
  return {
    colon: language === 'en' ? ': ' : '：',
    dash: language === 'en' ? ' – ' : '～',
    list: (words) => words.join(comma),
    day: (text) => (text ? day.format(Date.parse(text)) : NOTHING),
    instant: (text) => (text ? instant.format(Date.parse(text)) : NOTHING),
    number: (value) => (value === null || value === undefined ? NOTHING : number.format(value)),
    short: (value) => compact.format(value),
    money: (amount, currency) => (amount && currency ? formatMoney(language, amount, currency) : NOTHING),
    ago(instantText, now = Date.now()) {
      const ms = Date.parse(instantText) - now;
      const [unit, size] = STEPS.find(([, each]) => Math.abs(ms) >= each) ?? ['second', 1_000];
      const text = relative.format(Math.round(ms / size), unit);
      // Chinese needs a space after numbers (`3 天前`), and its word for `now` does not fit the past.
      return text.replaceAll(/(\d)(?=\p{Script=Han})/gu, '$1 ').replace('现在', '刚刚');
    },
  };
}
