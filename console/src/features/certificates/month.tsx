import { Box, Group, Paper, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { daysUntil } from '../../ui/days-until.js';
import type { Certificate } from './certificate-columns.js';
import { certificateWords } from './certificate-words.js';
import classes from './month.module.css';
import { urgencyOf } from './urgency.js';

/** Starts on a Monday, which 1 January 2024 was. */
function weekdays(language: string): string[] {
  const style = new Intl.DateTimeFormat(language, { weekday: 'narrow', timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, n) => style.format(Date.UTC(2024, 0, 1 + n)));
}

/**
 * One month, with today and the days on which certificates expire. These can be selected, and their color shows how soon
 * they come.
 */
export function Month({
  month,
  name,
  byDay,
  chosen,
  onChoose,
}: {
  month: string;
  name: string;
  byDay: ReadonlyMap<string, readonly Certificate[]>;
  chosen: string | undefined;
  onChoose: (day: string) => void;
}) {
  const words = useWords(certificateWords);
  const format = useFormat();
  const { language } = useLanguage();
  const [year = 0, number = 1] = month.split('-').map(Number);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  // Weeks begin on Monday.
  const lead = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const days = Array.from({ length }, (_, n) => `${month}-${String(n + 1).padStart(2, '0')}`);
  const count = days.reduce((sum, day) => sum + (byDay.get(day)?.length ?? 0), 0);
  const first = days.find((day) => byDay.has(day));
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" mb={6}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        {first && (
          <UnstyledButton
            className={classes.count}
            data-urgency={urgencyOf(daysUntil(first))}
            data-chosen={chosen === month || undefined}
            aria-pressed={chosen === month}
            onClick={() => onChoose(month)}
          >
            <VisuallyHidden>{name + format.colon}</VisuallyHidden>
            {words.count(count)}
          </UnstyledButton>
        )}
      </Group>
      <Box className={classes.days}>
        {weekdays(language).map((weekday, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the days of the week stay where they are, and two begin alike
          <span key={n} className={classes.weekday} aria-hidden>
            {weekday}
          </span>
        ))}
        {days.map((day, n) => (
          <Day
            key={day}
            day={day}
            count={byDay.get(day)?.length ?? 0}
            column={n === 0 ? lead + 1 : undefined}
            isChosen={chosen === day}
            onChoose={onChoose}
          />
        ))}
      </Box>
    </Paper>
  );
}

function Day({
  day,
  count,
  column,
  isChosen,
  onChoose,
}: {
  day: string;
  count: number;
  column: number | undefined;
  isChosen: boolean;
  onChoose: (day: string) => void;
}) {
  const words = useWords(certificateWords);
  const format = useFormat();
  const style = column === undefined ? undefined : { gridColumnStart: column };
  const number = Number(day.slice(8));
  const daysLeft = daysUntil(day);
  const isToday = daysLeft === 0;
  const today = {
    'data-today': isToday || undefined,
    ...(isToday ? { 'aria-current': 'date' as const } : {}),
  };
  if (count === 0)
    return (
      <span
        className={classes.day}
        style={style}
        {...today}
        {...(isToday ? { title: words.today } : { 'aria-hidden': true })}
      >
        {number}
      </span>
    );
  return (
    <UnstyledButton
      className={classes.day}
      style={style}
      data-urgency={urgencyOf(daysLeft)}
      data-many={count}
      {...today}
      data-chosen={isChosen || undefined}
      aria-pressed={isChosen}
      aria-label={words.dayCount(format.day(day), count)}
      title={words.dayCount(format.day(day), count)}
      onClick={() => onChoose(day)}
    >
      {number}
    </UnstyledButton>
  );
}
