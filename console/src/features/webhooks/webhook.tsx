import { Alert, Button, Stack } from '@mantine/core';
import { CircleOff } from 'lucide-react';
import { useState } from 'react';
import { api, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { CopyText } from '../../ui/copy.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { Person } from '../../ui/person.js';
import { StatusBadge } from '../../ui/status.js';
import { useAction } from '../../ui/use-action.js';
import { PartnerText } from '../catalogue/partner-name.js';
import { useEventTypeName } from '../events/event-types.js';
import { AdoptWindow } from './adopt-window.js';
import { Completeness } from './completeness.js';
import { Deliveries } from './deliveries.js';
import { Health } from './health.js';
import { useOwnerName } from './owner-name.js';
import { WebhookActions } from './webhook-actions.js';
import type { Webhook } from './webhook-form.js';
import { webhookWords } from './webhook-words.js';

export default function WebhookPage() {
  const words = useWords(webhookWords);
  const webhookId = useParam('webhookId');
  const may = useMay();
  const query = useResource('/v2/webhooks/{webhookId}', { path: { webhookId } });
  return (
    <Page
      title={query.data?.description ?? query.data?.callbackUrl ?? webhookId}
      {...(query.data?.description ? { hint: query.data.callbackUrl } : {})}
      above={{ to: '/webhooks', name: words.webhooks }}
      actions={query.data && may('webhooks:write') && <WebhookActions webhook={query.data} />}
    >
      <Loaded query={query} missing={{ title: words.notFound, to: '/webhooks' }}>
        {(webhook) => (
          <Stack>
            {webhook.status === 'disabled' && <Disabled webhook={webhook} />}
            <Health webhook={webhook} />
            <Deliveries webhook={webhook} />
            <Completeness webhookId={webhook.webhookId} />
            <About webhook={webhook} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

/** Why nothing is sent, and what to do about it. */
function Disabled({ webhook }: { webhook: Webhook }) {
  const words = useWords(webhookWords);
  const format = useFormat();
  const may = useMay();
  const enable = useAction({
    run: () =>
      api.post('/v2/webhooks/{webhookId}/enable', { path: { webhookId: webhook.webhookId }, body: {} }),
    done: words.enabledNow,
  });
  const ownerName = useOwnerName();
  const when = format.instant(webhook.disabledAt);
  const why = {
    manual: words.disabledManual(when),
    consecutive_failures: words.disabledFailures(when),
    owner_ended: words.disabledOwner(ownerName(webhook.owner), when),
  };
  return (
    <Alert color="red" icon={<CircleOff size={20} />} title={words.disabledTitle}>
      <Stack gap="sm" align="flex-start">
        {why[webhook.disabledReason ?? 'manual']}
        {may('webhooks:write') &&
          (webhook.disabledReason === 'owner_ended' ? (
            <AdoptButton webhookId={webhook.webhookId} />
          ) : (
            <Button onClick={() => enable.mutate(undefined)} loading={enable.isPending}>
              {words.enable}
            </Button>
          ))}
      </Stack>
    </Alert>
  );
}

function AdoptButton({ webhookId }: { webhookId: string }) {
  const words = useWords(webhookWords);
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button onClick={() => setOpened(true)}>{words.adopt}</Button>
      <AdoptWindow webhookId={webhookId} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

function About({ webhook }: { webhook: Webhook }) {
  const words = useWords(webhookWords);
  const common = useWords(commonWords);
  const typeName = useEventTypeName();
  const ownerName = useOwnerName();
  const format = useFormat();
  const narrowed = [
    [words.onlyWarehouses, webhook.filter?.warehouses],
    [words.onlyCustomers, webhook.filter?.customerCodes],
    [words.onlyProducts, webhook.filter?.productCodes],
  ].flatMap(([label, codes]) => (Array.isArray(codes) ? [[String(label), codes.join(', ')] as const] : []));
  return (
    <Panel title={words.about}>
      <Facts
        facts={[
          [common.status, <StatusBadge key="status" status={webhook.status} />],
          [words.url, <CopyText key="url" text={webhook.callbackUrl} label={words.url} />],
          ['ID', <CopyText key="id" text={webhook.webhookId} label="ID" />],
          [words.eventTypes, format.list(webhook.eventTypes.map(typeName))],
          [
            words.customer,
            webhook.customerCode === null ? (
              words.allCustomers
            ) : (
              <PartnerText key="customer" code={webhook.customerCode} />
            ),
          ],
          ...narrowed,
          ...(webhook.headerNames.length > 0
            ? [[words.headers, webhook.headerNames.join(', ')] as const]
            : []),
          ...(webhook.failingSince
            ? [[words.failingSince, format.instant(webhook.failingSince)] as const]
            : []),
          ...(webhook.missedSince ? [[words.missedSince, format.instant(webhook.missedSince)] as const] : []),
          ...(webhook.secretOverlapUntil
            ? [[words.secretOverlap, format.instant(webhook.secretOverlapUntil)] as const]
            : []),
          [words.owner, ownerName(webhook.owner)],
          [words.created, format.instant(webhook.createdAt)],
          [words.createdBy, <Person key="creator" email={webhook.createdBy} />],
        ]}
      />
    </Panel>
  );
}
