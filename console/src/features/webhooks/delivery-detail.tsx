import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import { api, useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CopyText } from '../../ui/copy.js';
import { JsonView } from '../../ui/json-view.js';
import { Facts, Loaded } from '../../ui/page.js';
import { useAction } from '../../ui/use-action.js';
import { useMayReadEvents } from '../events/event-types.js';
import { Attempts } from './attempts.js';
import type { Delivery } from './delivery.types.js';
import { deliveryWords } from './delivery-words.js';

/** All attempts, and the content that was sent. */
export function DeliveryDetail({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const words = useWords(deliveryWords);
  const may = useMay();
  const mayRead = useMayReadEvents()(delivery.eventType);
  const path = { webhookId, deliveryId: delivery.deliveryId };
  const redeliver = useAction({
    run: () => api.post('/v2/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', { path, body: {} }),
    done: words.redelivered,
  });
  return (
    <Stack p="xs" gap="sm">
      <Group justify="space-between" align="flex-start">
        <Facts
          facts={[
            [words.eventId, <CopyText key="event" text={delivery.eventId} label={words.eventId} />],
            [words.deliveryId, <CopyText key="id" text={delivery.deliveryId} label={words.deliveryId} />],
          ]}
        />
        {may('webhooks:write') && (
          <Stack gap={4} align="flex-end" maw={320}>
            <Button
              size="xs"
              variant="default"
              leftSection={<RotateCcw size={14} />}
              loading={redeliver.isPending}
              onClick={() => redeliver.mutate(undefined)}
            >
              {words.redeliver}
            </Button>
            <Text size="xs" c="dimmed">
              {words.redeliverHint}
            </Text>
          </Stack>
        )}
      </Group>
      <Title order={3} fz="sm">
        {words.attempts}
      </Title>
      <Attempts attempts={delivery.attempts} />
      <Title order={3} fz="sm">
        {words.payload}
      </Title>
      {mayRead ? <Payload path={path} /> : <Text size="sm">{words.noPayload}</Text>}
    </Stack>
  );
}

function Payload({ path }: { path: { webhookId: string; deliveryId: string } }) {
  const words = useWords(deliveryWords);
  const query = useResource('/v2/webhooks/{webhookId}/deliveries/{deliveryId}', { path });
  return <Loaded query={query}>{({ event }) => <JsonView value={event} label={words.payload} />}</Loaded>;
}
