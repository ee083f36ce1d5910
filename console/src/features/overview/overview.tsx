import { SimpleGrid, Stack } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { Loaded, Page } from '../../ui/page.js';
import { UnconfirmedNotice } from '../account/own-credentials-panel.js';
import { CertificatesCard, DeliveriesCard, OrdersCard } from './flow-cards.js';
import type { Overview } from './overview-data.js';
import { overviewWords } from './overview-words.js';
import { RoomsCard } from './rooms-card.js';
import { isBeingSetUp } from './set-up-state.js';
import { ExpiryCard, StockCard } from './stock-card.js';
import { TodoPanel } from './todo-panel.js';

const SetUp = lazy(() => import('./set-up.js'));
const REFRESH_MS = 30_000;

export default function OverviewPage() {
  const words = useWords(overviewWords);
  const overview = useResource('/v2/overview', { refreshMs: REFRESH_MS });
  return (
    <Page title={words.overview}>
      <UnconfirmedNotice />
      <Loaded query={overview}>{(data) => <Home overview={data} />}</Loaded>
    </Page>
  );
}

/** The tasks of the person beside the pictures of what they may see; a picture without anything in it is left out. */
function Home({ overview }: { overview: Overview }) {
  const may = useMay();
  const { stock, orders, deliveries, certificates } = overview;
  const cards: [name: string, card: ReactNode][] = [];
  if (orders && Object.values(orders.byStatus).some((count) => count > 0))
    cards.push(['orders', <OrdersCard key="orders" orders={orders} />]);
  if (stock && stock.total > 0)
    cards.push(
      ['stock', <StockCard key="stock" stock={stock} maySeeOrders={orders !== null} />],
      ['expiry', <ExpiryCard key="expiry" stock={stock} />],
    );
  if (may('environment:read')) cards.push(['rooms', <RoomsCard key="rooms" />]);
  if (certificates && hasCertificates(certificates))
    cards.push(['certificates', <CertificatesCard key="certificates" certificates={certificates} />]);
  if (deliveries && deliveries.enabled + deliveries.disabled > 0)
    cards.push(['deliveries', <DeliveriesCard key="deliveries" deliveries={deliveries} />]);
  const isNew = isBeingSetUp(overview);
  const first = (
    <Stack>
      {isNew && (
        <Suspense>
          <SetUp overview={overview} />
        </Suspense>
      )}
      {!(isNew && overview.needsMe.length === 0) && <TodoPanel overview={overview} />}
    </Stack>
  );
  return <Columns first={first} cards={cards.map(([, card]) => card)} />;
}

/** With few pictures the tasks take the width of the page. */
function Columns({ first, cards }: { first: ReactNode; cards: readonly ReactNode[] }) {
  return (
    <Stack>
      {first}
      <SimpleGrid cols={{ base: 1, lg: cards.length === 1 ? 1 : 2 }} style={{ alignItems: 'start' }}>
        {cards}
      </SimpleGrid>
    </Stack>
  );
}

const hasCertificates = ({ expired, byMonth }: NonNullable<Overview['certificates']>): boolean =>
  expired > 0 || byMonth.some(({ count }) => count > 0);
