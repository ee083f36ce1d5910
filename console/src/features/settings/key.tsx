import type { Item } from '@lotward/client';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Ban, Pencil, RefreshCw, UserCheck } from 'lucide-react';
import { useState } from 'react';
import { api, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { AskedButton } from '../../ui/action.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Loaded, Page } from '../../ui/page.js';
import { RotateWindow } from '../../ui/rotate-window.js';
import { apiWords } from './api-words.js';
import { CredentialFacts } from './credential-facts.js';
import { KeyEditForm } from './credential-form.js';
import { type MadeKey, ShownKey } from './shown-once.js';

export default function KeyPage() {
  const words = useWords(apiWords);
  const format = useFormat();
  const keyId = useParam('keyId');
  const may = useMay();
  const query = useResource('/v2/settings/keys/{keyId}', { path: { keyId } });
  const canChange = query.data && query.data.status !== 'revoked' && may('settings:write');
  return (
    <Page
      title={query.data?.name ?? keyId}
      above={{ to: '/settings/api', name: words.api }}
      actions={canChange && <KeyActions apiKey={query.data} />}
    >
      <Loaded query={query} missing={{ title: words.keyNotFound, to: '/settings/api' }}>
        {(key) => (
          <CredentialFacts
            id={key.keyId}
            credential={key}
            more={[[words.expires, key.expiresAt ? format.instant(key.expiresAt) : words.neverExpires]]}
          />
        )}
      </Loaded>
    </Page>
  );
}

function KeyActions({ apiKey }: { apiKey: Item<'/v2/settings/keys'> }) {
  const { keyId, name } = apiKey;
  const words = useWords(apiWords);
  const common = useWords(commonWords);
  const [editing, edit] = useDisclosure();
  const [rotating, { open, close }] = useDisclosure();
  const [made, setMade] = useState<MadeKey | null>(null);
  return (
    <>
      {apiKey.status === 'disabled' && (
        <AskedButton
          label={words.adoptKey}
          question={words.adoptQuestion(name)}
          icon={<UserCheck size={16} />}
          run={() => api.post('/v2/settings/keys/{keyId}/adopt', { path: { keyId }, body: {} })}
          done={words.adopted}
        />
      )}
      <Button variant="default" leftSection={<Pencil size={16} />} onClick={edit.open}>
        {common.edit}
      </Button>
      <Button variant="default" leftSection={<RefreshCw size={16} />} onClick={open}>
        {words.rotate}
      </Button>
      <AskedButton
        label={words.revokeKey}
        question={words.revokeQuestion(name)}
        danger
        icon={<Ban size={16} />}
        run={() => api.post('/v2/settings/keys/{keyId}/revoke', { path: { keyId }, body: {} })}
        done={words.revoked}
      />
      <KeyEditForm apiKey={apiKey} opened={editing} onClose={edit.close} />
      <RotateWindow
        opened={rotating}
        onClose={close}
        hint={words.rotateHint}
        run={(overlapSeconds) =>
          api.post('/v2/settings/keys/{keyId}/rotate', { path: { keyId }, body: { overlapSeconds } })
        }
        onDone={setMade}
      />
      <ShownKey made={made} onKept={() => setMade(null)} />
    </>
  );
}
