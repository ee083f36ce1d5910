import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { PageLink } from '../../ui/links.js';
import { Page, Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { useEventTypeName } from '../events/event-types.js';
import { type MadeWebhook, ShownSecret } from './shown-secret.js';
import { NewWebhookForm } from './webhook-form.js';
import { webhookWords } from './webhook-words.js';

export default function Webhooks() {
  const words = useWords(webhookWords);
  const common = useWords(commonWords);
  const typeName = useEventTypeName();
  const format = useFormat();
  const may = useMay();
  const list = useList('/v2/webhooks');
  return (
    <Page title={words.webhooks} hint={words.hint} actions={may('webhooks:write') && <NewWebhook />}>
      <Panel>
        <DataTable
          list={list}
          label={words.webhooks}
          rowKey={(webhook) => webhook.webhookId}
          empty={{ title: words.empty, hint: words.emptyHint }}
          columns={[
            {
              name: words.url,
              show: (webhook) => (
                <Stack gap={0}>
                  <PageLink
                    to="/webhooks/$webhookId"
                    params={{ webhookId: webhook.webhookId }}
                    style={{ overflowWrap: 'anywhere' }}
                  >
                    {webhook.callbackUrl}
                  </PageLink>
                  {webhook.description && (
                    <Text size="xs" c="dimmed">
                      {webhook.description}
                    </Text>
                  )}
                </Stack>
              ),
            },
            {
              name: words.eventTypes,
              show: (webhook) => webhook.eventTypes.map(typeName).join(', '),
              wide: true,
            },
            {
              name: words.failures,
              show: (webhook) => format.number(webhook.consecutiveFailures),
              align: 'right',
              wide: true,
            },
            { name: words.created, show: (webhook) => format.instant(webhook.createdAt), wide: true },
            { name: common.status, show: (webhook) => <StatusBadge status={webhook.status} /> },
          ]}
        />
      </Panel>
    </Page>
  );
}

function NewWebhook() {
  const words = useWords(webhookWords);
  const navigate = useNavigate();
  const [opened, { open, close }] = useDisclosure();
  const [made, setMade] = useState<MadeWebhook | null>(null);
  return (
    <>
      <Button leftSection={<Plus size={16} />} onClick={open}>
        {words.newWebhook}
      </Button>
      <NewWebhookForm opened={opened} onClose={close} onDone={setMade} />
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
