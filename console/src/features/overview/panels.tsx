import { Stack, Text } from '@mantine/core';
import { Webhook } from 'lucide-react';
import { useLanguage, useWords } from '../../app/language.js';
import { Empty } from '../../ui/empty.js';
import { Panel } from '../../ui/page.js';
import { useStatusChoices } from '../../ui/status.js';
import { type Count, Counts } from './counts.js';
import type { Overview } from './overview-data.js';
import { overviewWords } from './overview-words.js';

const ORDER_STATUSES = [
  'pending_approval',
  'approved',
  'partially_dispatched',
  'dispatched',
  'delivered',
  'rejected',
  'cancelled',
] as const;

export function OrdersPanel({ orders }: { orders: NonNullable<Overview['orders']> }) {
  const words = useWords(overviewWords);
  const names = useStatusChoices(ORDER_STATUSES);
  const all = ORDER_STATUSES.reduce((sum, status) => sum + orders.byStatus[status], 0);
  return (
    <Panel title={words.orders}>
      {all === 0 ? (
        <Empty title={words.noOrders} />
      ) : (
        <Counts
          counts={[
            ...ORDER_STATUSES.map((status, n) => ({
              name: names[n]?.label ?? status,
              count: orders.byStatus[status],
              to: '/orders',
              search: { status },
            })),
            { name: words.onHold, count: orders.onHold, isUrgent: true },
            { name: words.shortage, count: orders.shortage, isUrgent: true },
          ]}
        />
      )}
    </Panel>
  );
}

/** Counts that the user's scopes allow; nothing if there are none. */
function CountsPanel({ title, counts }: { title: string; counts: readonly Count[] }) {
  if (counts.length === 0) return null;
  return (
    <Panel title={title}>
      <Counts counts={counts} />
    </Panel>
  );
}

export function ShippingPanel({ receipts, dispatches }: Pick<Overview, 'receipts' | 'dispatches'>) {
  const words = useWords(overviewWords);
  const counts: Count[] = [];
  if (receipts)
    counts.push({
      name: words.pendingReceipts,
      count: receipts.pending,
      to: '/receipts',
      search: { status: 'pending_acceptance' },
    });
  if (dispatches)
    counts.push(
      { name: words.picking, count: dispatches.picking, to: '/dispatches', search: { status: 'picking' } },
      {
        name: words.rechecking,
        count: dispatches.rechecking,
        to: '/dispatches',
        search: { status: 'rechecking' },
      },
    );
  return <CountsPanel title={words.dispatching} counts={counts} />;
}

export function QualityPanel({
  certificates,
  recalls,
  quality,
}: Pick<Overview, 'certificates' | 'recalls' | 'quality'>) {
  const words = useWords(overviewWords);
  const counts: Count[] = [];
  const listed = (name: string, count: number, to: string, status: string) =>
    counts.push({ name, count, to, search: { status }, isUrgent: true });
  if (certificates) {
    listed(words.expired, certificates.expired, '/certificates', 'expired');
    listed(words.expiring, certificates.expiring, '/certificates', 'expiring');
  }
  if (recalls) {
    listed(words.openRecalls, recalls.open, '/recalls', 'open');
    listed(words.unanswered, recalls.unanswered, '/recalls', 'open');
  }
  if (quality) {
    listed(words.openEntries, quality.open, '/quality/nonconformities', 'open');
    listed(words.toApprove, quality.proposed, '/quality/dispositions', 'proposed');
    listed(words.toExecute, quality.approved, '/quality/dispositions', 'approved');
  }
  return <CountsPanel title={words.quality} counts={counts} />;
}

export function DeliveriesPanel({ deliveries }: { deliveries: NonNullable<Overview['deliveries']> }) {
  const words = useWords(overviewWords);
  const { language } = useLanguage();
  if (deliveries.enabled + deliveries.disabled === 0)
    return (
      <Panel title={words.deliveries}>
        <Empty title={words.noWebhooks} hint={words.noWebhooksHint} icon={Webhook} />
      </Panel>
    );
  const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <Panel title={words.deliveries}>
      <Stack>
        <Counts
          counts={[
            { name: words.webhooks, count: deliveries.enabled, to: '/webhooks' },
            { name: words.disabledWebhooks, count: deliveries.disabled, to: '/webhooks', isUrgent: true },
            { name: words.pendingPushes, count: deliveries.pending },
            { name: words.failedPushes, count: deliveries.failed, isUrgent: true },
          ]}
        />
        <Text size="sm" c="dimmed">
          {deliveries.successShare === null
            ? words.noAttempts
            : `${words.success}: ${share.format(deliveries.successShare)}`}
        </Text>
      </Stack>
    </Panel>
  );
}
