import { Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCountedList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { StatusBadge } from '../../ui/status.js';
import { useTaskFilter } from '../../ui/task-filter.js';
import { When } from '../../ui/when.js';
import { useEventTypeName } from '../events/event-types.js';
import { type MadeWebhook, ShownSecret } from './shown-secret.js';
import { NewWebhookForm } from './webhook-form.js';
import { webhookWords } from './webhook-words.js';

export default function Webhooks() {
  const words = useWords(webhookWords);
  const common = useWords(commonWords);
  const typeName = useEventTypeName();
  const format = useFormat();
  const filters = useListFilters(
    { task: useTaskFilter('webhooks_disabled') },
    { by: [words.description, words.url] },
  );
  return (
    <ListPage
      title={words.webhooks}
      hint={words.hint}
      create={{
        scope: 'webhooks:write',
        label: words.newWebhook,
        window: (window) => <NewWebhook {...window} />,
      }}
      filters={filters}
      list={useCountedList('/v2/webhooks', filters)}
      noun={words.noun}
      usualSort="-createdAt"
      rowKey={(webhook) => webhook.webhookId}
      empty={{ title: words.empty, hint: words.emptyHint }}
      columns={[
        {
          name: words.webhook,
          show: (webhook) => (
            <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
              <RowLink to="/webhooks/$webhookId" params={{ webhookId: webhook.webhookId }}>
                {webhook.description ?? webhook.callbackUrl}
              </RowLink>
              {webhook.description && (
                <Text size="xs" c="dimmed">
                  {webhook.callbackUrl}
                </Text>
              )}
            </Stack>
          ),
        },
        {
          name: words.eventTypes,
          show: (webhook) => format.list(webhook.eventTypes.map(typeName)),
          wide: true,
        },
        {
          name: words.failures,
          show: (webhook) => format.number(webhook.consecutiveFailures),
          align: 'right',
          wide: true,
        },
        {
          name: words.created,
          sort: 'createdAt',
          show: (webhook) => <When at={webhook.createdAt} />,
          wide: true,
        },
        { name: common.status, show: (webhook) => <StatusBadge status={webhook.status} /> },
      ]}
    />
  );
}

function NewWebhook(window: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const [made, setMade] = useState<MadeWebhook | null>(null);
  return (
    <>
      <NewWebhookForm {...window} onDone={setMade} />
      <ShownSecret
        made={made}
        onKept={() => {
          if (made) navigate({ to: '/webhooks/$webhookId', params: { webhookId: made.webhookId } });
          setMade(null);
        }}
      />
    </>
  );
}
