import { Anchor, SimpleGrid } from '@mantine/core';
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
import { ViewSwitch } from './view-switch.js';

const DAYS = 366;
const MONTHS = 12;
/** So many are listed while no day is chosen. */
const NEXT = 20;
/** More than anybody reads in a calendar. */
const SHOWN_MAX = 2_000;

/** All that end within a year, in the order of their days. */
function useEnding() {
  return useQuery({
    queryKey: ['/v2/certificates', 'calendar'],
    async queryFn({ signal }): Promise<Certificate[]> {
      const found: Certificate[] = [];
      const query = { expiringWithinDays: DAYS, limit: 200 };
      for await (const certificate of api.each('/v2/certificates', { query, signal })) {
        found.push(certificate);
        if (found.length === SHOWN_MAX) break;
      }
      return found.sort((one, two) => (one.validTo ?? '').localeCompare(two.validTo ?? ''));
    },
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

/** `2026-11` and the eleven that follow. */
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
  const words = useWords(certificateWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const { language } = useLanguage();
  const [{ day: chosen }, change] = useFilters(['day'] as const);
  const byDay = useMemo(() => groupedByDay(certificates), [certificates]);
  const list = useRef<HTMLDivElement>(null);
  const shown = chosen
    ? certificates.filter(({ validTo }) => validTo?.startsWith(chosen))
    : certificates.slice(0, NEXT);
  const monthName = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const chosenName =
    chosen === undefined
      ? words.allEnding
      : chosen.length === 7
        ? monthName.format(Date.parse(chosen))
        : format.day(chosen);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4 }} spacing="sm">
        {monthsFrom(new Date()).map((month) => (
          <Month
            key={month}
            month={month}
            name={monthName.format(Date.parse(month))}
            byDay={byDay}
            chosen={chosen}
            onChoose={(day) => {
              change({ day: day === chosen ? null : day });
              // On a small screen the list is far below.
              list.current?.scrollIntoView({ block: 'nearest' });
            }}
          />
        ))}
      </SimpleGrid>
      <div ref={list}>
        <Panel
          title={words.endingIn(chosenName)}
          {...(certificates.length === SHOWN_MAX ? { hint: words.tooMany(SHOWN_MAX) } : {})}
          actions={
            chosen && (
              <Anchor component="button" type="button" size="sm" onClick={() => change({ day: null })}>
                {common.clearFilters}
              </Anchor>
            )
          }
        >
          <ItemTable
            items={shown}
            label={words.endingIn(chosenName)}
            rowKey={(certificate) => certificate.certificateId}
            columns={useCertificateColumns()}
            filtered
            onClearFilters={() => change({ day: null })}
          />
        </Panel>
      </div>
    </>
  );
}
