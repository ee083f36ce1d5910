import { Anchor, Box, Group, SimpleGrid, Text, useMatches } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CalendarCheck2 } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { api } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { ItemTable } from '../../ui/data-table.js';
import { Empty } from '../../ui/empty.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Loaded, Page, Panel } from '../../ui/page.js';
import { type Certificate, useCertificateColumns } from './certificate-columns.js';
import { certificateWords } from './certificate-words.js';
import { Month } from './month.js';
import classes from './month.module.css';
import { SOON_DAYS, URGENT_DAYS } from './urgency.js';
import { ViewSwitch } from './view-switch.js';

const DAYS = 366;
const MONTHS = 12;
/** More than anyone reads in a calendar. */
const SHOWN_MAX = 2_000;

/** All certificates that end within a year, by day and then by name. */
function useEnding() {
  const { language } = useLanguage();
  const byName = new Intl.Collator(language, { numeric: true }).compare;
  return useQuery({
    queryKey: ['/v2/certificates', 'calendar'],
    async queryFn({ signal }): Promise<Certificate[]> {
      const found: Certificate[] = [];
      const query = { expiringWithinDays: DAYS, limit: 200 };
      for await (const certificate of api.each('/v2/certificates', { query, signal })) {
        found.push(certificate);
        if (found.length === SHOWN_MAX) break;
      }
      return found;
    },
    select: (found) =>
      [...found].sort(
        (one, two) =>
          (one.validTo ?? '').localeCompare(two.validTo ?? '') || byName(one.subjectName, two.subjectName),
      ),
  });
}

function groupedByDay(certificates: readonly Certificate[]): Map<string, Certificate[]> {
  const byDay = new Map<string, Certificate[]>();
  for (const certificate of certificates) {
    const day = certificate.validTo ?? '';
    byDay.set(day, [...(byDay.get(day) ?? []), certificate]);
  }
  return byDay;
}

/** The month `2026-11` and the eleven that follow. */
function monthsFrom(today: Date): string[] {
  return Array.from({ length: MONTHS }, (_, n) =>
    new Date(Date.UTC(today.getFullYear(), today.getMonth() + n, 1)).toISOString().slice(0, 7),
  );
}

export default function Calendar() {
  const words = useWords(certificateWords);
  const ending = useEnding();
  return (
    <Page title={words.certificates} hint={words.calendarHint} actions={<ViewSwitch view="calendar" />}>
      <Loaded query={ending}>
        {(certificates) =>
          certificates.length === 0 ? (
            <Panel>
              <Empty title={words.noneEnding} icon={CalendarCheck2} />
            </Panel>
          ) : (
            <Year certificates={certificates} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Year({ certificates }: { certificates: readonly Certificate[] }) {
  const { language } = useLanguage();
  const [{ day: chosen }, change] = useFilters(['day'] as const);
  const byDay = useMemo(() => groupedByDay(certificates), [certificates]);
  // On a small screen the months would push the list far down, so the list comes first and empty months are hidden.
  const isNarrow = useMatches({ base: true, sm: false });
  const list = useRef<HTMLDivElement>(null);
  const months = monthsFrom(new Date()).filter(
    (month) => !isNarrow || certificates.some(({ validTo }) => validTo?.startsWith(month)),
  );
  const monthName = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const nameOf = (month: string) => monthName.format(Date.parse(month));
  const listed = (
    <div ref={list}>
      <Ending
        certificates={certificates}
        chosen={chosen}
        nameOf={nameOf}
        onClear={() => change({ day: null })}
      />
    </div>
  );
  return (
    <>
      {isNarrow && listed}
      <Legend />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4 }} spacing="sm">
        {months.map((month) => (
          <Month
            key={month}
            month={month}
            name={nameOf(month)}
            byDay={byDay}
            chosen={chosen}
            onChoose={(day) => {
              change({ day: day === chosen ? null : day });
              // The list may be outside the visible area.
              list.current?.scrollIntoView({ block: 'nearest' });
            }}
          />
        ))}
      </SimpleGrid>
      {!isNarrow && listed}
    </>
  );
}

/** The colors of the days. */
function Legend() {
  const words = useWords(certificateWords);
  const names = {
    urgent: words.endsWithin(URGENT_DAYS),
    soon: words.endsWithin(SOON_DAYS),
    later: words.endsLater,
  };
  return (
    <Group gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {(['urgent', 'soon', 'later'] as const).map((urgency) => (
        <Group key={urgency} gap={6} component="li" wrap="nowrap">
          <Box className={classes.swatch} data-urgency={urgency} aria-hidden />
          <Text size="xs">{names[urgency]}</Text>
        </Group>
      ))}
    </Group>
  );
}

/** The certificates of the selected day or month, otherwise those that end soon. */
function Ending({
  certificates,
  chosen,
  nameOf,
  onClear,
}: {
  certificates: readonly Certificate[];
  chosen: string | undefined;
  nameOf: (month: string) => string;
  onClear: () => void;
}) {
  const words = useWords(certificateWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const columns = useCertificateColumns();
  const shown = certificates.filter(({ validTo, daysRemaining }) =>
    chosen === undefined ? (daysRemaining ?? DAYS) <= SOON_DAYS : validTo?.startsWith(chosen),
  );
  const title =
    chosen === undefined
      ? words.endingSoon(SOON_DAYS)
      : words.endingIn(chosen.length === 7 ? nameOf(chosen) : format.day(chosen));
  return (
    <Panel
      title={title}
      {...(certificates.length === SHOWN_MAX ? { hint: words.tooMany(SHOWN_MAX) } : {})}
      actions={
        chosen && (
          <Anchor component="button" type="button" size="sm" onClick={onClear}>
            {common.clearFilters}
          </Anchor>
        )
      }
    >
      <ItemTable
        items={shown}
        label={title}
        rowKey={(certificate) => certificate.certificateId}
        columns={columns}
        empty={{ title: words.noneSoon(SOON_DAYS), isCompact: true }}
        filtered={chosen !== undefined}
        onClearFilters={onClear}
      />
    </Panel>
  );
}
