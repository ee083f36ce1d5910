import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, useList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { ItemTable } from '../../ui/data-table.js';
import { DateTimeField } from '../../ui/date-field.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { instantOf, localInput } from '../../ui/local-time.js';
import { Problem } from '../../ui/problem.js';
import { useAction } from '../../ui/use-action.js';
import { useEventTypeName } from '../events/event-types.js';
import { DeliveryStatus } from './delivery-status.js';
import { deliveryWords } from './delivery-words.js';
import type { Webhook } from './webhook-form.js';

interface Props {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

export function RecoverWindow({ webhook, opened, onClose }: Props) {
  const words = useWords(deliveryWords);
  const common = useWords(commonWords);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={words.recoverTitle}
      size="lg"
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Recover webhook={webhook} onClose={onClose} />
    </Modal>
  );
}

const DAY_MS = 86_400_000;

/** A preview first, then the recovery. */
function Recover({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const words = useWords(deliveryWords);
  const format = useFormat();
  const [since, setSince] = useState(() => localInput(webhook.missedSince ?? Date.now() - DAY_MS));
  const recover = (dryRun: boolean) =>
    api.post('/v2/webhooks/{webhookId}/recover', {
      path: { webhookId: webhook.webhookId },
      body: { since: instantOf(since), dryRun },
    });
  const preview = useMutation({ mutationFn: () => recover(true) });
  const action = useAction({
    run: () => recover(false),
    done: ({ total }) => words.recovering(total),
    onDone: onClose,
    quiet: true,
  });
  const found = preview.data;
  return (
    <Stack>
      <Text size="sm">{words.recoverHint}</Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          preview.mutate();
        }}
      >
        <Group align="flex-end">
          <DateTimeField
            label={words.since}
            required
            value={since}
            onChange={(event) => {
              preview.reset();
              setSince(event.currentTarget.value);
            }}
            style={{ flex: 1 }}
          />
          <Button type="submit" variant="default" loading={preview.isPending}>
            {words.preview}
          </Button>
        </Group>
      </form>
      {(preview.error ?? action.error) && (
        <Problem error={preview.error ?? action.error} action={words.recover} />
      )}
      {found?.total === 0 && <Alert color="teal">{words.nothingMissed}</Alert>}
      {found && found.total > 0 && (
        <>
          <Alert color="blue" role="status">
            {words.found(format.number(found.failed), format.number(found.skipped))}
          </Alert>
          <Missed webhookId={webhook.webhookId} since={instantOf(since)} />
          <Group justify="flex-end">
            <Button onClick={() => action.mutate(undefined)} loading={action.isPending}>
              {words.recoverNow(format.number(found.total))}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}

const SHOWN = 5;

/** A few of the events, to check that they are the right ones. */
function Missed({ webhookId, since }: { webhookId: string; since: string }) {
  const words = useWords(deliveryWords);
  const common = useWords(commonWords);
  const typeName = useEventTypeName();
  const format = useFormat();
  const query = { limit: SHOWN };
  const path = { webhookId };
  const failed = useList('/v2/webhooks/{webhookId}/deliveries', {
    path,
    query: { ...query, status: 'failed' },
  });
  const skipped = useList('/v2/webhooks/{webhookId}/deliveries', {
    path,
    query: { ...query, status: 'skipped' },
  });
  const newest = [failed, skipped]
    .flatMap((list) => list.data?.pages[0]?.items ?? [])
    .filter((delivery) => delivery.occurredAt >= since)
    .sort((a, b) => b.occurredAt.localeCompare(a.occurredAt))
    .slice(0, SHOWN);
  if (newest.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {words.previewItems}
      </Text>
      <ItemTable
        items={newest}
        label={words.previewItems}
        rowKey={(delivery) => delivery.deliveryId}
        columns={[
          { name: words.event, show: (delivery) => typeName(delivery.eventType) },
          { name: words.occurredAt, show: (delivery) => format.instant(delivery.occurredAt) },
          {
            name: common.status,
            show: (delivery) => <DeliveryStatus status={delivery.status} />,
            wide: true,
          },
        ]}
      />
    </div>
  );
}
