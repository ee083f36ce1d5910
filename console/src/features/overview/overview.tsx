import { Alert, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { CircleCheck, PartyPopper } from 'lucide-react';
import { useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { Empty } from '../../ui/empty.js';
import { PageLink } from '../../ui/links.js';
import { Loaded, Page, Panel } from '../../ui/page.js';
import { UnconfirmedNotice } from '../account/own-credentials-panel.js';
import { Counts } from './counts.js';
import { ExpiryHeatMap } from './expiry-heat-map.js';
import type { Overview } from './overview-data.js';
import { overviewWords } from './overview-words.js';
import { DeliveriesPanel, OrdersPanel, QualityPanel, ShippingPanel } from './panels.js';
import { StockPanel } from './stock-panel.js';

const REFRESH_MS = 30_000;

export default function OverviewPage() {
  const words = useWords(overviewWords);
  const overview = useResource('/v2/overview', { refreshMs: REFRESH_MS });
  return (
    <Page title={words.overview}>
      <UnconfirmedNotice />
      <Loaded query={overview}>{(data) => <Parts overview={data} />}</Loaded>
    </Page>
  );
}

/** A part the person may not see is null, and left out. */
const Parts = ({ overview }: { overview: Overview }) => (
  <Stack>
    <NeedsPanel needs={overview.needsMe} />
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      {overview.stock && <StockPanel stock={overview.stock} />}
      {overview.stock && <ExpiryHeatMap months={overview.stock.nearExpiry} />}
      {overview.orders && <OrdersPanel orders={overview.orders} />}
      {overview.alerts && <AlertsPanel alerts={overview.alerts} />}
      <ShippingPanel receipts={overview.receipts} dispatches={overview.dispatches} />
      <QualityPanel
        certificates={overview.certificates}
        recalls={overview.recalls}
        quality={overview.quality}
      />
      {overview.deliveries && <DeliveriesPanel deliveries={overview.deliveries} />}
    </SimpleGrid>
  </Stack>
);

type Need = Overview['needsMe'][number];
const PLACES: Readonly<
  Record<Need['kind'], readonly [to: string, search: Readonly<Record<string, string>>]>
> = {
  orders_to_approve: ['/orders', { status: 'pending_approval' }],
  receipts_to_accept: ['/receipts', { status: 'pending_acceptance' }],
  dispatches_to_pick: ['/dispatches', { status: 'picking' }],
  dispatches_to_recheck: ['/dispatches', { status: 'rechecking' }],
  alerts_to_acknowledge: ['/environment/alerts', { acknowledged: 'false' }],
  certificates_expiring: ['/certificates', { status: 'expiring' }],
  recalls_unanswered: ['/recalls', { status: 'open' }],
  nonconformities_to_decide: ['/quality/nonconformities', { status: 'open' }],
  dispositions_to_approve: ['/quality/dispositions', { status: 'proposed' }],
  dispositions_to_execute: ['/quality/dispositions', { status: 'approved' }],
  webhooks_disabled: ['/webhooks', {}],
};

function NeedsPanel({ needs }: { needs: Overview['needsMe'] }) {
  const words = useWords(overviewWords);
  const waiting = needs.filter(({ count }) => count > 0);
  return (
    <Panel title={words.toDo}>
      {waiting.length === 0 ? (
        <Empty title={words.caughtUp} hint={words.caughtUpHint} icon={PartyPopper} />
      ) : (
        <Counts
          counts={waiting.map(({ kind, count }) => {
            const [to, search] = PLACES[kind];
            return { name: words.needs[kind], count, to, search, isUrgent: true };
          })}
        />
      )}
    </Panel>
  );
}

function AlertsPanel({ alerts }: { alerts: NonNullable<Overview['alerts']> }) {
  const words = useWords(overviewWords);
  const format = useFormat();
  return (
    <Panel title={words.alerts} actions={<PageLink to="/environment/alerts">{words.allAlerts}</PageLink>}>
      {alerts.open === 0 ? (
        <Empty title={words.noAlerts} hint={words.noAlertsHint} icon={CircleCheck} />
      ) : (
        <Stack gap="sm">
          <Alert color="red" title={words.openAlerts(alerts.open)} />
          {alerts.newest.map((alert) => (
            <Group key={alert.alertId} justify="space-between" wrap="nowrap">
              <Stack gap={0} miw={0}>
                <PageLink to="/environment/alerts/$alertId" params={{ alertId: alert.alertId }}>
                  {alert.pointName}
                </PageLink>
                <Text size="xs" c="dimmed">
                  {words.since(format.instant(alert.startedAt))}
                </Text>
              </Stack>
              <Text fw={600} style={{ whiteSpace: 'nowrap' }}>
                {format.number(alert.lastValue)} {alert.unit}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
    </Panel>
  );
}
