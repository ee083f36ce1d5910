import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { PageLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { type Status, useStatusChoices } from '../../ui/status.js';
import { type Bar, Bars, Legend, Tile } from './bars.js';
import type { Overview } from './overview-data.js';
import { overviewWords } from './overview-words.js';

const STAGES = [
  ['delivered', 'teal'],
  ['dispatched', 'cyan'],
  ['partially_dispatched', 'indigo'],
  ['approved', 'blue'],
  ['pending_approval', 'yellow'],
  ['cancelled', 'gray'],
  ['rejected', 'red'],
] as const satisfies readonly (readonly [Status, string])[];
const OPEN = ['pending_approval', 'approved', 'partially_dispatched', 'dispatched'] as const;
const HEIGHT = 84;

/** Recent orders by the stage they have reached. */
export function OrdersCard({ orders }: { orders: NonNullable<Overview['orders']> }) {
  const words = useWords(overviewWords);
  const format = useFormat();
  const names = new Map(
    useStatusChoices(STAGES.map(([status]) => status)).map(({ value, label }) => [value, label]),
  );
  const bars: Bar[] = orders.byDay.map(({ day, byStatus }) => {
    const parts = STAGES.map(([status, color]) => ({ status, color, value: byStatus[status] ?? 0 }));
    const said = parts
      .filter(({ value }) => value > 0)
      .map(({ status, value }) => `${names.get(status)} ${format.number(value)}`);
    return {
      key: day,
      caption: String(new Date(day).getUTCDate()),
      figure: format.number(parts.reduce((sum, { value }) => sum + value, 0)),
      says: words.daySays(format.day(day), said.length === 0 ? words.noOrders : format.list(said)),
      parts,
      place: said.length === 0 ? null : { to: '/orders', search: { since: day, until: day } },
    };
  });
  const shown = STAGES.filter(([status]) => orders.byDay.some(({ byStatus }) => byStatus[status])).map(
    ([status, color]) => ({ name: names.get(status) ?? status, color }),
  );
  return (
    <Panel
      title={words.orders}
      hint={words.ordersHint}
      actions={
        <PageLink to="/orders" search={{}}>
          {words.allOrders}
        </PageLink>
      }
    >
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="xs">
          {OPEN.map((status) => (
            <Tile
              key={status}
              name={names.get(status) ?? status}
              value={format.number(orders.byStatus[status])}
              color={STAGES.find(([each]) => each === status)?.[1]}
              place={{ to: '/orders', search: { status } }}
            />
          ))}
        </SimpleGrid>
        <Text size="xs" c="dimmed">
          {words.ordersByDay}
        </Text>
        <Bars bars={bars} height={HEIGHT} label={words.ordersByDay} />
        <Legend entries={shown} />
        {(orders.onHold > 0 || orders.shortage > 0) && (
          <Text size="xs" c="dimmed">
            {words.ordersHeld(format.number(orders.onHold), format.number(orders.shortage))}
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

const HOURS = 24;
const HOUR_MS = 3_600_000;

/** Pushes of the last day by hour: how many arrived, and how long the endpoints took. */
export function DeliveriesCard({ deliveries }: { deliveries: NonNullable<Overview['deliveries']> }) {
  const words = useWords(overviewWords);
  const format = useFormat();
  const { language } = useLanguage();
  const hourName = new Intl.DateTimeFormat(language, { hour: 'numeric', hourCycle: 'h23' });
  const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const last = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const byHour = new Map(deliveries.byHour.map((each) => [Date.parse(each.hour), each]));
  const bars: Bar[] = Array.from({ length: HOURS }, (_, i) => last - (HOURS - 1 - i) * HOUR_MS).map(
    (at, i) => {
      const hour = byHour.get(at);
      const failed = hour ? hour.attempts - hour.delivered : 0;
      return {
        key: String(at),
        caption: i % 6 === 5 ? hourName.format(at) : '',
        says: words.hourSays(
          hourName.format(at),
          format.number(hour?.delivered ?? 0),
          format.number(failed),
          format.number(hour?.averageMs ?? 0),
        ),
        parts: [
          { color: 'red', value: failed },
          { color: 'teal', value: hour?.delivered ?? 0 },
        ],
        place: hour ? { to: '/webhooks' } : null,
      };
    },
  );
  const attempts = deliveries.byHour.reduce((sum, each) => sum + each.attempts, 0);
  const spentMs = deliveries.byHour.reduce((sum, each) => sum + each.averageMs * each.attempts, 0);
  const webhooks = { to: '/webhooks' };
  return (
    <Panel title={words.deliveries} hint={words.deliveriesHint}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="xs">
          <Tile
            name={words.success}
            value={deliveries.successShare === null ? words.none : share.format(deliveries.successShare)}
            place={webhooks}
          />
          <Tile
            name={words.latency}
            value={attempts === 0 ? words.none : words.ms(format.number(Math.round(spentMs / attempts)))}
            place={webhooks}
          />
          <Tile name={words.pendingPushes} value={format.number(deliveries.pending)} place={webhooks} />
          <Tile
            name={words.failedPushes}
            value={format.number(deliveries.failed)}
            place={webhooks}
            isUrgent={deliveries.failed > 0}
          />
        </SimpleGrid>
        {attempts > 0 && (
          <>
            <Bars bars={bars} height={HEIGHT} label={words.deliveriesByHour} />
            <Legend
              entries={[
                { name: words.deliveredPushes, color: 'teal' },
                { name: words.failedAttempts, color: 'red' },
              ]}
            />
          </>
        )}
      </Stack>
    </Panel>
  );
}

/** Certificates by the month in which they expire. */
export function CertificatesCard({ certificates }: { certificates: NonNullable<Overview['certificates']> }) {
  const words = useWords(overviewWords);
  const format = useFormat();
  const { language } = useLanguage();
  const monthName = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' });
  const fullName = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const bars: Bar[] = certificates.byMonth.map(({ month, count }, i) => ({
    key: month,
    caption: monthName.format(Date.parse(`${month}-01`)),
    figure: format.number(count),
    says: words.certificatesSay(fullName.format(Date.parse(`${month}-01`)), format.number(count)),
    parts: [{ color: i < 2 ? 'orange' : 'indigo', value: count }],
    place: count > 0 ? { to: '/certificates/calendar', search: { day: month } } : null,
  }));
  return (
    <Panel
      title={words.certificates}
      actions={
        <PageLink to="/certificates/calendar" search={{}}>
          {words.calendar}
        </PageLink>
      }
    >
      <Stack gap="sm">
        <SimpleGrid cols={2} spacing="xs">
          <Tile
            name={words.certificatesExpired}
            value={format.number(certificates.expired)}
            place={{ to: '/certificates', search: { status: 'expired' } }}
            isUrgent={certificates.expired > 0}
          />
          <Tile
            name={words.certificatesExpiring}
            value={format.number(certificates.expiring)}
            place={{ to: '/certificates', search: { status: 'expiring' } }}
          />
        </SimpleGrid>
        <Bars bars={bars} height={HEIGHT} label={words.certificatesByMonth} />
      </Stack>
    </Panel>
  );
}
