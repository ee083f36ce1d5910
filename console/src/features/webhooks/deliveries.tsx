import { useList } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { choiceFilter, textFilter, useListFilters } from '../../ui/list-filters.js';
import { ListSection } from '../../ui/list-page.js';
import { Panel } from '../../ui/page.js';
import { When } from '../../ui/when.js';
import { useEventTypeName } from '../events/event-types.js';
import { AnswerText } from './attempts.js';
import type { Delivery } from './delivery.types.js';
import { DeliveryDetail } from './delivery-detail.js';
import { DeliveryStatus, useDeliveryStatusChoices } from './delivery-status.js';
import { deliveryWords } from './delivery-words.js';
import type { Webhook } from './webhook-form.js';

/** Every push with all its attempts, newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const words = useWords(deliveryWords);
  const common = useWords(commonWords);
  const typeName = useEventTypeName();
  const format = useFormat();
  const eventTypes = webhook.eventTypes.map((value) => ({ value, label: typeName(value) }));
  const filters = useListFilters(
    {
      status: choiceFilter(common.status, useDeliveryStatusChoices()),
      eventType: choiceFilter(words.event, eventTypes),
      eventId: textFilter(words.eventId),
    },
    { by: [words.about, words.customer] },
  );
  const list = useList('/v2/webhooks/{webhookId}/deliveries', {
    path: { webhookId: webhook.webhookId },
    query: filters.query,
  });
  return (
    <Panel
      title={words.deliveries}
      {...(webhook.eventTypes.includes('inventory.changed') ? { hint: words.stockNotListed } : {})}
    >
      <ListSection
        filters={filters}
        list={list}
        label={words.deliveries}
        noun={words.noun}
        rowKey={(delivery) => delivery.deliveryId}
        empty={{ title: words.none, hint: words.noneHint }}
        detail={(delivery) => <DeliveryDetail webhookId={webhook.webhookId} delivery={delivery} />}
        columns={[
          { name: words.event, show: (delivery) => typeName(delivery.eventType) },
          { name: words.occurredAt, show: (delivery) => <When at={delivery.occurredAt} />, wide: 'below' },
          {
            name: words.lastAnswer,
            show: (delivery) => <LastAnswer delivery={delivery} />,
            wide: 'below',
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
          { name: common.status, show: (delivery) => <DeliveryStatus status={delivery.status} /> },
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
