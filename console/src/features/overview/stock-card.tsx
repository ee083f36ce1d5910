import { Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { PageLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { type Bar, Bars, Tile, type TileProps } from './bars.js';
import type { Overview } from './overview-data.js';
import { overviewWords } from './overview-words.js';

const EXPIRING = '/expiring-stock';
const ALL = 100;
const MONTHS_HEIGHT = 84;

type Stock = NonNullable<Overview['stock']>;

/** All stock by availability. The parts add up to the total. */
export function StockCard({ stock, maySeeOrders }: { stock: Stock; maySeeOrders: boolean }) {
  const words = useWords(overviewWords);
  const format = useFormat();
  const expired = stock.byExpiry[0]?.quantity ?? 0;
  const parts = [
    { name: words.available, value: stock.available, color: 'teal', place: { to: '/inventory' } },
    {
      ...{ name: words.reserved, value: stock.reserved, color: 'blue' },
      place: maySeeOrders ? { to: '/orders', search: { status: 'approved' } } : null,
    },
    {
      ...{ name: words.held, value: stock.blocked - expired, color: 'orange' },
      place: { to: '/holds', search: { status: 'active' } },
    },
    {
      name: words.expired,
      value: expired,
      color: 'red',
      place: { to: EXPIRING, search: { band: 'expired' } },
    },
  ];
  return (
    <Panel
      title={words.stock}
      hint={words.stockHint(format.number(stock.total), format.number(stock.products))}
    >
      <Stack gap="sm">
        <Progress.Root size={14}>
          {parts.map(({ name, value, color }) => (
            <Progress.Section
              key={color}
              value={(value / stock.total) * ALL}
              color={color}
              aria-label={`${name}${format.colon}${format.number(value)}`}
            />
          ))}
        </Progress.Root>
        <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="xs">
          {parts.map(({ value, ...part }) => (
            <Tile key={part.color} {...part} value={format.number(value)} />
          ))}
        </SimpleGrid>
      </Stack>
    </Panel>
  );
}

const BANDS = ['expired', '30', '60', '90', '180'] as const;

/** Stock by days left, and by month; each links to its batches. */
export function ExpiryCard({ stock }: { stock: Stock }) {
  const words = useWords(overviewWords);
  const format = useFormat();
  const { language } = useLanguage();
  const monthName = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' });
  const fullName = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const bars: Bar[] = stock.nearExpiry.map(({ month, batches, quantity }, i) => ({
    key: month,
    caption: monthName.format(Date.parse(`${month}-01`)),
    figure: format.short(quantity),
    says: words.monthSays(
      fullName.format(Date.parse(`${month}-01`)),
      format.number(quantity),
      words.batches(batches),
    ),
    parts: [{ color: i < 3 ? 'orange' : 'yellow', value: quantity }],
    place: quantity > 0 ? { to: EXPIRING, search: { month } } : null,
  }));
  return (
    <Panel
      title={words.nearExpiry}
      actions={
        <PageLink to={EXPIRING} search={{}}>
          {words.allExpiring}
        </PageLink>
      }
    >
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 3, xs: 5 }} spacing="xs">
          {stock.byExpiry.map(({ throughDays, batches, quantity }, i) => {
            const band = BANDS[i] ?? '180';
            const tile: TileProps = {
              name: words.bands[band],
              value: format.number(quantity),
              more: words.batches(batches),
              place: quantity > 0 ? { to: EXPIRING, search: { band } } : null,
              isUrgent: throughDays === null && quantity > 0,
            };
            return <Tile key={band} {...tile} />;
          })}
        </SimpleGrid>
        <Bars bars={bars} height={MONTHS_HEIGHT} label={words.nearExpiryByMonth} />
        <Text size="xs" c="dimmed">
          {words.nearExpiryHint}
        </Text>
      </Stack>
    </Panel>
  );
}
