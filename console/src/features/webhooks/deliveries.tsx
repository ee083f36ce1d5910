import { Text } from '@mantine/core';
import { useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../ui/filter-bar.js';
import { Panel } from '../../ui/page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { useEventTypeName } from '../events/event-types.js';
import { AnswerText } from './attempts.js';
import type { Delivery } from './delivery.types.js';
import { DeliveryDetail } from './delivery-detail.js';
import { deliveryWords } from './delivery-words.js';
import type { Webhook } from './webhook-form.js';

/** Every push with all its attempts, newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const words = useWords(deliveryWords);
  const common = useWords(commonWords);
  const typeName = useEventTypeName();
  const format = useFormat();
  const [filters, change] = useFilters(['status', 'eventType', 'eventId']);
  const list = useList('/v2/webhooks/{webhookId}/deliveries', {
    path: { webhookId: webhook.webhookId },
    query: filters as object,
  });
  return (
    <Panel title={words.deliveries}>
      <FilterBar>
        <ChoiceFilter
          label={common.status}
          value={filters.status}
          choices={useStatusChoices(['pending', 'retrying', 'delivered', 'failed', 'skipped'])}
          onChange={(status) => change({ status })}
        />
        <ChoiceFilter
          label={words.event}
          value={filters.eventType}
          choices={webhook.eventTypes.map((value) => ({ value, label: typeName(value) }))}
          onChange={(eventType) => change({ eventType })}
        />
        <SearchFilter
          label={words.eventId}
          value={filters.eventId}
          onChange={(eventId) => change({ eventId })}
        />
      </FilterBar>
      <DataTable
        list={list}
        label={words.deliveries}
        rowKey={(delivery) => delivery.deliveryId}
        filtered={Object.keys(filters).length > 0}
        onClearFilters={() => change({ status: null, eventType: null, eventId: null })}
        empty={{ title: words.none, hint: words.noneHint }}
        detail={(delivery) => <DeliveryDetail webhookId={webhook.webhookId} delivery={delivery} />}
        columns={[
          {
            name: words.event,
            show: (delivery) => (
              <>
                <Text size="sm">{typeName(delivery.eventType)}</Text>
                <Text size="xs" c="dimmed" hiddenFrom="sm">
                  {format.instant(delivery.occurredAt)}
                </Text>
              </>
            ),
          },
          { name: words.occurredAt, show: (delivery) => format.instant(delivery.occurredAt), wide: true },
          {
            name: words.lastAnswer,
            show: (delivery) => <LastAnswer delivery={delivery} />,
            wide: true,
          },
          {
            name: words.attempts,
            show: (delivery) => format.number(delivery.attempts.length),
            align: 'right',
            wide: true,
          },
          {
            name: words.nextAttempt,
            show: (delivery) => delivery.nextAttemptAt && format.ago(delivery.nextAttemptAt),
            wide: true,
          },
          { name: common.status, show: (delivery) => <StatusBadge status={delivery.status} /> },
        ]}
      />
    </Panel>
  );
}

function LastAnswer({ delivery }: { delivery: Delivery }) {
  const words = useWords(deliveryWords);
  const last = delivery.attempts.at(-1);
  if (last) return <AnswerText attempt={last} />;
  return delivery.status === 'skipped' ? NOTHING : words.noAttempt;
}
