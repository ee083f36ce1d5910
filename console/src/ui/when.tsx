import { useFormat } from '../app/format.js';
import { useLanguage } from '../app/language.js';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(language: string, withYear: boolean): Intl.DateTimeFormat {
  const key = `${language} ${withYear}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(language, {
    ...(withYear ? { year: 'numeric', month: 'short', day: 'numeric' } : { month: 'short', day: 'numeric' }),
    ...(withYear ? {} : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  });
  formats.set(key, made);
  return made;
}

/** An instant in a row: day and time if it is in this year, otherwise the day; in full as a tooltip. */
export function When({ at }: { at: string }) {
  const { language } = useLanguage();
  const format = useFormat();
  const date = new Date(at);
  const isOfThisYear = date.getFullYear() === new Date().getFullYear();
  return (
    <time dateTime={at} title={format.instant(at)} style={{ whiteSpace: 'nowrap' }}>
      {formatOf(language, !isOfThisYear).format(date)}
    </time>
  );
}
