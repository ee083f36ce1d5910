import { SimpleGrid, Stack } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { Loaded, Page } from '../../ui/page.js';
import { UnconfirmedNotice } from '../account/unconfirmed-notice.js';
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

/** The person's tasks next to charts of what they may see; empty charts are omitted. */
function Home({ overview }: { overview: Overview }) {
  const may = useMay();
  const { stock, orders, deliveries, certificates } = overview;
  const isGuided = isBeingSetUp(overview) && may('settings:write');
  const rooms = may('environment:read') && <RoomsCard key="rooms" />;
  const left = [orders && hasOrders(orders) && <OrdersCard key="orders" orders={orders} />].filter(
    (card) => card,
  );
  const right = [
    stock && stock.total > 0 && <StockCard key="stock" stock={stock} maySeeOrders={orders !== null} />,
    stock && stock.total > 0 && <ExpiryCard key="expiry" stock={stock} />,
    certificates && hasCertificates(certificates) && (
      <CertificatesCard key="certificates" certificates={certificates} />
    ),
    deliveries && deliveries.enabled + deliveries.disabled > 0 && (
      <DeliveriesCard key="deliveries" deliveries={deliveries} />
    ),
  ].filter((card) => card);
  // The rooms load later than the rest and may be none, so they never have a column of their own.
  left.push(rooms);
  return (
    <Columns left={left} right={right}>
      {isGuided && (
        <Suspense>
          <SetUp overview={overview} />
        </Suspense>
      )}
      {!(isGuided && overview.needsMe.length === 0) && <TodoPanel overview={overview} />}
    </Columns>
  );
}

/**
 * Two columns that fill independently, so that a long list leaves no gap next to it; one column for people with few
 * permissions.
 */
function Columns({
  left,
  right,
  children,
}: {
  left: readonly ReactNode[];
  right: readonly ReactNode[];
  children: ReactNode;
}) {
  if (right.length === 0)
    return (
      <Stack>
        {children}
        {left}
      </Stack>
    );
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
      <Stack miw={0}>
        {children}
        {left}
      </Stack>
      <Stack miw={0}>{right}</Stack>
    </SimpleGrid>
  );
}

const hasOrders = ({ byStatus }: NonNullable<Overview['orders']>): boolean =>
  Object.values(byStatus).some((count) => count > 0);
const hasCertificates = ({ expired, byMonth }: NonNullable<Overview['certificates']>): boolean =>
  expired > 0 || byMonth.some(({ count }) => count > 0);
