import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CalendarDays } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { dictionary, useLanguage, useWords } from '../app/language.js';
import { zoneName } from '../app/zone.js';
import { readDay, readDayTime } from './date-text.js';

const Calendar = lazy(() => import('./calendar.js'));

const dateWords = dictionary(
  {
    open: 'Open calendar',
    day: 'YYYY-MM-DD',
    dayTime: 'YYYY-MM-DD HH:mm',
    noDay: 'Enter a date such as 2026-11-15.',
    noDayTime: 'Enter a date and time such as 2026-11-15 13:05.',
    zone: (zone: string) => `Time zone: ${zone}`,
  },
  {
    open: '打开日历',
    day: '年-月-日',
    dayTime: '年-月-日 时:分',
    noDay: '请输入日期，如 2026-11-15。',
    noDayTime: '请输入日期和时间，如 2026-11-15 13:05。',
    zone: (zone: string) => `时区：${zone}`,
  },
);

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** `2026-11-15`, or empty. */
  value: string;
  /** Called with a complete date or with an empty text, never with a partial date. */
  onChange: (event: { currentTarget: { value: string } }) => void;
}

/** A day, typed or chosen from a calendar in the language of the console. */
export const DateField = (props: DateFieldProps) => <Field {...props} read={readDay} />;

/** A day and a time of day (`2026-11-15 13:05`) in the displayed time zone. */
export function DateTimeField(props: DateFieldProps) {
  const words = useWords(dateWords);
  const { language } = useLanguage();
  const zone = words.zone(zoneName(language));
  const description = props.description ? (
    <>
      {props.description} {zone}
    </>
  ) : (
    zone
  );
  return <Field {...props} description={description} read={readDayTime} withTime />;
}

function Field({
  value,
  onChange,
  read,
  withTime = false,
  error,
  ...props
}: DateFieldProps & { read: (typed: string) => string | null; withTime?: boolean }) {
  const words = useWords(dateWords);
  const [typed, setTyped] = useState(value);
  const [isLeft, setLeft] = useState(false);
  const [opened, { toggle, close }] = useDisclosure();
  const input = useRef<HTMLInputElement>(null);
  const meant = typed.trim() === '' ? '' : read(typed);
  const refusal = withTime ? words.noDayTime : words.noDay;
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Set from outside: by a scan, a draft, or a cleared filter.
    if (value !== (meant ?? '')) setTyped(value);
  }
  useEffect(() => input.current?.setCustomValidity(meant === null ? refusal : ''), [meant, refusal]);
  const enter = (text: string) => {
    setTyped(text);
    setLeft(false);
    const next = text.trim() === '' ? '' : read(text);
    // Incomplete text leaves no older value behind that could be saved instead.
    if ((next ?? '') !== value) onChange({ currentTarget: { value: next ?? '' } });
  };
  return (
    <TextInput
      {...props}
      ref={input}
      value={typed}
      onChange={(event) => enter(event.currentTarget.value)}
      onBlur={() => {
        setLeft(true);
        if (meant !== null) setTyped(meant);
      }}
      placeholder={withTime ? words.dayTime : words.day}
      autoComplete="off"
      error={error ?? (isLeft && meant === null ? refusal : undefined)}
      rightSection={
        <Popover opened={opened} onDismiss={close} position="bottom-end" trapFocus withinPortal returnFocus>
          <Popover.Target>
            <ActionIcon variant="subtle" color="gray" onClick={toggle} aria-label={words.open}>
              <CalendarDays size={16} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <Suspense>
              <Calendar
                day={meant ? meant.slice(0, 10) : null}
                onChoose={(day) => {
                  enter(withTime ? `${day} ${meant?.slice(11) || '00:00'}` : day);
                  close();
                }}
              />
            </Suspense>
          </Popover.Dropdown>
        </Popover>
      }
    />
  );
}
