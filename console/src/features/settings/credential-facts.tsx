import type { Item } from '@lotward/client';
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CopyText } from '../../ui/copy.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Facts, Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { apiWords } from './api-words.js';
import { RequestsPanel } from './requests-panel.js';
import { ScopeList } from './scope-list.js';
import { UsagePanel } from './usage-panel.js';

/** The fields that keys and clients share. */
type Credential = Pick<
  Item<'/v2/settings/keys'>,
  | 'owner'
  | 'ownerConfirmed'
  | 'belongsTo'
  | 'disabledReason'
  | 'scopes'
  | 'allowList'
  | 'customerCode'
  | 'status'
  | 'overlapUntil'
  | 'lastUsedAt'
  | 'createdAt'
  | 'createdBy'
>;

/** A credential: its facts, its use, and its scopes. */
export function CredentialFacts({
  id,
  credential,
  more,
}: {
  id: string;
  credential: Credential;
  more: readonly (readonly [name: string, value: ReactNode])[];
}) {
  const words = useWords(apiWords);
  const common = useWords(commonWords);
  const format = useFormat();
  return (
    <Stack>
      <Panel title={words.about}>
        <Facts
          facts={[
            [common.status, <StatusBadge key="status" status={credential.status} />],
            [words.id, <CopyText key="id" text={id} label={words.id} />],
            ...(credential.disabledReason
              ? [[words.why, words.reasons[credential.disabledReason]] as const]
              : []),
            [
              words.owner,
              credential.ownerConfirmed ? credential.owner : words.ownerUnconfirmed(credential.owner),
            ],
            [words.belongsTo, credential.belongsTo ?? words.organization],
            ...more,
            [words.allowList, credential.allowList.join(', ') || words.anywhere],
            [words.boundTo, credential.customerCode ?? words.allCustomers],
            [words.lastUsed, credential.lastUsedAt ? format.instant(credential.lastUsedAt) : words.neverUsed],
            ...(credential.overlapUntil
              ? [[words.overlap, format.instant(credential.overlapUntil)] as const]
              : []),
            [words.created, format.instant(credential.createdAt)],
            [words.createdBy, credential.createdBy],
          ]}
        />
      </Panel>
      <UsagePanel credentialId={id} />
      <RequestsPanel credentialId={id} />
      <Panel title={words.scopes}>
        <ScopeList scopes={credential.scopes} />
      </Panel>
    </Stack>
  );
}
