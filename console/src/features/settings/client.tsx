import type { Item } from '@lotward/client';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Ban, Pencil, RefreshCw, UserCheck } from 'lucide-react';
import { useState } from 'react';
import { api, useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { AskedButton } from '../../ui/action.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Loaded, Page } from '../../ui/page.js';
import { RotateWindow } from '../../ui/rotate-window.js';
import { apiWords } from './api-words.js';
import { CredentialFacts } from './credential-facts.js';
import { ClientEditForm } from './credential-form.js';
import { type MadeClient, ShownClient } from './shown-once.js';

export default function ClientPage() {
  const words = useWords(apiWords);
  const clientId = useParam('clientId');
  const may = useMay();
  const query = useResource('/v2/settings/clients/{clientId}', { path: { clientId } });
  const canChange = query.data && query.data.status !== 'revoked' && may('settings:write');
  return (
    <Page
      title={query.data?.name ?? clientId}
      above={{ to: '/settings/api', search: { tab: 'clients' }, name: words.api }}
      actions={canChange && <ClientActions client={query.data} />}
    >
      <Loaded
        query={query}
        missing={{ title: words.clientNotFound, to: '/settings/api', search: { tab: 'clients' } }}
      >
        {(client) => (
          <CredentialFacts
            id={client.clientId}
            credential={client}
            more={[[words.redirectUris, client.redirectUris.join(' ') || words.none]]}
          />
        )}
      </Loaded>
    </Page>
  );
}

function ClientActions({ client }: { client: Item<'/v2/settings/clients'> }) {
  const words = useWords(apiWords);
  const common = useWords(commonWords);
  const [editing, edit] = useDisclosure();
  const [rotating, rotate] = useDisclosure();
  const [made, setMade] = useState<MadeClient | null>(null);
  const path = { clientId: client.clientId };
  return (
    <>
      {client.status === 'disabled' && (
        <AskedButton
          label={words.adoptClient}
          question={words.adoptQuestion(client.name)}
          icon={<UserCheck size={16} />}
          run={() => api.post('/v2/settings/clients/{clientId}/adopt', { path, body: {} })}
          done={words.adopted}
        />
      )}
      <Button variant="default" leftSection={<Pencil size={16} />} onClick={edit.open}>
        {common.edit}
      </Button>
      <Button variant="default" leftSection={<RefreshCw size={16} />} onClick={rotate.open}>
        {words.rotate}
      </Button>
      <AskedButton
        label={words.revokeClient}
        question={words.revokeQuestion(client.name)}
        danger
        icon={<Ban size={16} />}
        run={() => api.post('/v2/settings/clients/{clientId}/revoke', { path, body: {} })}
        done={words.revoked}
      />
      <ClientEditForm client={client} opened={editing} onClose={edit.close} />
      <RotateWindow
        opened={rotating}
        onClose={rotate.close}
        hint={words.rotateHint}
        run={(overlapSeconds) =>
          api.post('/v2/settings/clients/{clientId}/rotate-secret', { path, body: { overlapSeconds } })
        }
        onDone={setMade}
      />
      <ShownClient made={made} onKept={() => setMade(null)} />
    </>
  );
}
