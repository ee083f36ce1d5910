import { Flex, Text } from '@mantine/core';
import { useCountedList } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { choiceFilter, pickerFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { WarehousePicker } from '../catalogue/pickers.js';
import { useWarehouseName, useZoneName } from '../catalogue/warehouse-name.js';
import { environmentWords } from './environment-words.js';
import { limitsText, type Point, readingText, UNITS } from './limits.js';
import { PointForm } from './point-form.js';

const STATES = ['normal', 'alert', 'silent', 'no_data', 'retired'] as const;
const REFRESH_MS = 30_000;

export default function Points() {
  const words = useWords(environmentWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const may = useMay();
  const warehouseName = useWarehouseName();
  const zoneName = useZoneName();
  const filters = useListFilters(
    {
      warehouse: pickerFilter(words.warehouse, WarehousePicker, may('products:read')),
      state: choiceFilter(common.status, useStatusChoices(STATES)),
    },
    { by: [words.name] },
  );
  return (
    <ListPage
      title={words.points}
      hint={words.pointsHint}
      create={{
        scope: 'environment:write',
        label: words.newPoint,
        window: (window) => <PointForm {...window} />,
      }}
      filters={filters}
      list={useCountedList('/v2/environment/points', { ...filters, refreshMs: REFRESH_MS })}
      noun={words.noun}
      rowKey={(point) => point.pointId}
      empty={{ title: words.noPoints, hint: words.noPointsHint }}
      columns={[
        {
          name: words.name,
          show: (point) => (
            <RowLink to="/environment/points/$pointId" params={{ pointId: point.pointId }}>
              {point.name}
            </RowLink>
          ),
        },
        {
          name: words.warehouse,
          show: (point) => (
            <>
              {warehouseName(point.warehouse)}
              <Text size="xs" c="dimmed">
                {point.zone === null ? words.wholeWarehouse : zoneName(point.warehouse, point.zone)}
              </Text>
            </>
          ),
          wide: true,
        },
        { name: words.lastReading, show: (point) => <LastReading point={point} /> },
        {
          name: words.limits,
          show: (point) =>
            [
              limitsText(point.temperature, UNITS.temperature, format),
              limitsText(point.humidity, UNITS.humidity, format),
            ]
              .filter((each) => each !== null)
              .join(' · ') || NOTHING,
          wide: true,
        },
        { name: common.status, show: (point) => <StatusBadge status={point.state} /> },
      ]}
    />
  );
}

export function LastReading({ point }: { point: Point }) {
  const words = useWords(environmentWords);
  const format = useFormat();
  const { language } = useLanguage();
  const { lastReading } = point;
  if (!lastReading) return words.noReading;
  const values = (['temperature', 'humidity'] as const).flatMap((metric) => {
    const value = lastReading[metric];
    return value === null ? [] : [readingText(value, metric, language)];
  });
  return (
    <>
      <Flex columnGap="xs" wrap={{ base: 'wrap', sm: 'nowrap' }}>
        {values.map((value) => (
          <Text key={value} size="sm" style={{ whiteSpace: 'nowrap' }}>
            {value}
          </Text>
        ))}
      </Flex>
      <Text size="xs" c="dimmed">
        {format.ago(lastReading.at)}
      </Text>
    </>
  );
}
