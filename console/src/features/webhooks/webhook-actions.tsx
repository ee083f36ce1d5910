import { ActionIcon, Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import {
  CirclePause,
  EllipsisVertical,
  Pencil,
  RefreshCw,
  RotateCcw,
  Send,
  Trash2,
  UserCheck,
} from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { AskedWindow } from '../../ui/action.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RotateWindow } from '../../ui/rotate-window.js';
import { AdoptWindow } from './adopt-window.js';
import { deliveryWords } from './delivery-words.js';
import { RecoverWindow } from './recover-window.js';
import { type MadeWebhook, ShownSecret } from './shown-secret.js';
import { TestWindow } from './test-window.js';
import { EditWebhookForm, type Webhook } from './webhook-form.js';
import { webhookWords } from './webhook-words.js';

type Doing = 'edit' | 'rotate' | 'test' | 'recover' | 'adopt' | 'disable' | 'remove';

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const words = useWords(webhookWords);
  const common = useWords(commonWords);
  const delivery = useWords(deliveryWords);
  const [doing, setDoing] = useState<Doing | null>(null);
  return (
    <>
      <Button variant="default" leftSection={<Send size={16} />} onClick={() => setDoing('test')}>
        {words.test}
      </Button>
      <Button variant="default" leftSection={<RotateCcw size={16} />} onClick={() => setDoing('recover')}>
        {delivery.recover}
      </Button>
      <Button variant="default" leftSection={<Pencil size={16} />} onClick={() => setDoing('edit')}>
        {common.edit}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={common.actions}>
            <EllipsisVertical size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<RefreshCw size={16} />} onClick={() => setDoing('rotate')}>
            {words.rotate}
          </Menu.Item>
          <Menu.Item leftSection={<UserCheck size={16} />} onClick={() => setDoing('adopt')}>
            {words.adopt}
          </Menu.Item>
          {webhook.status === 'enabled' && (
            <Menu.Item leftSection={<CirclePause size={16} />} onClick={() => setDoing('disable')}>
              {words.disable}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<Trash2 size={16} />} onClick={() => setDoing('remove')}>
            {words.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Windows webhook={webhook} doing={doing} onClose={() => setDoing(null)} />
    </>
  );
}

function Windows({
  webhook,
  doing,
  onClose,
}: {
  webhook: Webhook;
  doing: Doing | null;
  onClose: () => void;
}) {
  const words = useWords(webhookWords);
  const navigate = useNavigate();
  const [made, setMade] = useState<MadeWebhook | null>(null);
  const path = { webhookId: webhook.webhookId };
  return (
    <>
      <EditWebhookForm webhook={webhook} opened={doing === 'edit'} onClose={onClose} />
      <TestWindow webhook={webhook} opened={doing === 'test'} onClose={onClose} />
      <RecoverWindow webhook={webhook} opened={doing === 'recover'} onClose={onClose} />
      <RotateWindow
        opened={doing === 'rotate'}
        onClose={onClose}
        hint={words.rotateHint}
        run={(overlapSeconds) =>
          api.post('/v2/webhooks/{webhookId}/rotate-secret', { path, body: { overlapSeconds } })
        }
        onDone={setMade}
      />
      <ShownSecret made={made} onKept={() => setMade(null)} />
      <AdoptWindow webhookId={webhook.webhookId} opened={doing === 'adopt'} onClose={onClose} />
      <AskedWindow
        opened={doing === 'disable'}
        onClose={onClose}
        label={words.disable}
        question={words.disableQuestion}
        danger
        run={() => api.patch('/v2/webhooks/{webhookId}', { path, body: { status: 'disabled' } })}
        done={words.disabled}
      />
      <AskedWindow
        opened={doing === 'remove'}
        onClose={onClose}
        label={words.remove}
        question={words.removeQuestion}
        danger
        run={async () => {
          await api.delete('/v2/webhooks/{webhookId}', { path });
          // Before anything is refetched, because this page would no longer find the webhook.
          await navigate({ to: '/webhooks' });
        }}
        done={words.removed}
      />
    </>
  );
}
