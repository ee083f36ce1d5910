import type { Body, Item } from '@lotward/client';
import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { DateField } from '../../ui/date-field.js';
import { choiceField } from '../../ui/fields.js';
import { type FormState, FormWindow } from '../../ui/form.js';
import { CustomerPicker } from '../catalogue/pickers.js';
import { apiWords } from './api-words.js';
import { errorOfLines, type Lines, linesOf } from './lines.js';
import { ScopeChooser } from './scope-chooser.js';
import type { MadeClient, MadeKey } from './shown-once.js';

type NewKey = Body<'/v2/settings/keys', 'post'>;

interface Common {
  name: string;
  owner: string;
  scopes: string[];
  allowList: Lines;
  customerCode: string | null;
}
interface KeyDraft extends Common {
  expires: string;
}
interface ClientDraft extends Common {
  redirectUris: Lines;
}

const EMPTY: Common = { name: '', owner: '', scopes: [], allowList: '', customerCode: null };

const commonOf = (draft: Common) => ({
  name: draft.name.trim(),
  scopes: draft.scopes as NewKey['scopes'],
  allowList: linesOf(draft.allowList),
  ...(draft.owner.trim() === '' ? {} : { owner: draft.owner.trim() }),
  ...(draft.customerCode === null ? {} : { customerCode: draft.customerCode }),
});

interface WindowProps<R> {
  opened: boolean;
  onClose: () => void;
  onDone: (made: R) => void;
}

export function KeyForm(props: WindowProps<MadeKey>) {
  const words = useWords(apiWords);
  return (
    <FormWindow
      {...props}
      title={words.newKey}
      submitLabel={words.newKey}
      size="xl"
      initial={{ ...EMPTY, expires: '' } as KeyDraft}
      run={(draft) =>
        api.post('/v2/settings/keys', {
          body: { ...commonOf(draft), ...(draft.expires === '' ? {} : { expires: draft.expires }) },
        })
      }
      done={({ name }) => words.keyCreated(name)}
    >
      {(form) => (
        <CredentialFields form={form}>
          <DateField label={words.expires} description={words.expiresHint} {...form.text('expires')} />
        </CredentialFields>
      )}
    </FormWindow>
  );
}

export function ClientForm(props: WindowProps<MadeClient>) {
  const words = useWords(apiWords);
  return (
    <FormWindow
      {...props}
      title={words.newClient}
      submitLabel={words.newClient}
      size="xl"
      initial={{ ...EMPTY, redirectUris: '' } as ClientDraft}
      run={(draft) =>
        api.post('/v2/settings/clients', {
          body: { ...commonOf(draft), redirectUris: linesOf(draft.redirectUris) },
        })
      }
      done={({ name }) => words.clientCreated(name)}
    >
      {(form) => (
        <CredentialFields form={form}>
          <RedirectField form={form} />
        </CredentialFields>
      )}
    </FormWindow>
  );
}

interface Change {
  name: string;
  scopes: string[];
  allowList: Lines;
}

const changeOf = ({
  name,
  scopes,
  allowList,
}: Item<'/v2/settings/keys'> | Item<'/v2/settings/clients'>): Change => ({
  name,
  scopes,
  allowList: allowList.join('\n'),
});

const changedOf = (draft: Change) => ({
  name: draft.name.trim(),
  scopes: draft.scopes as NewKey['scopes'],
  allowList: linesOf(draft.allowList),
});

/** The secret, the owner and the customer stay unchanged. */
export function KeyEditForm({
  apiKey,
  opened,
  onClose,
}: {
  apiKey: Item<'/v2/settings/keys'>;
  opened: boolean;
  onClose: () => void;
}) {
  const words = useWords(apiWords);
  return (
    <FormWindow
      opened={opened}
      onClose={onClose}
      title={words.editKey}
      size="xl"
      initial={changeOf(apiKey)}
      run={(draft) =>
        api.patch('/v2/settings/keys/{keyId}', { path: { keyId: apiKey.keyId }, body: changedOf(draft) })
      }
      done={({ name }) => words.saved(name)}
    >
      {(form) => <ChangeFields form={form} />}
    </FormWindow>
  );
}

function ChangeFields<V extends Change>({ form }: { form: FormState<V> }) {
  const words = useWords(apiWords);
  return (
    <>
      <TextInput label={words.name} required maxLength={200} {...form.text('name')} />
      <ScopeField form={form} />
      <AllowListField form={form} />
    </>
  );
}

export function ClientEditForm({
  client,
  opened,
  onClose,
}: {
  client: Item<'/v2/settings/clients'>;
  opened: boolean;
  onClose: () => void;
}) {
  const words = useWords(apiWords);
  return (
    <FormWindow
      opened={opened}
      onClose={onClose}
      title={words.editClient}
      size="xl"
      initial={{ ...changeOf(client), redirectUris: client.redirectUris.join('\n') }}
      run={(draft) =>
        api.patch('/v2/settings/clients/{clientId}', {
          path: { clientId: client.clientId },
          body: { ...changedOf(draft), redirectUris: linesOf(draft.redirectUris) },
        })
      }
      done={({ name }) => words.saved(name)}
    >
      {(form) => (
        <>
          <ChangeFields form={form} />
          <RedirectField form={form} />
        </>
      )}
    </FormWindow>
  );
}

function RedirectField<V extends { redirectUris: Lines }>({ form }: { form: FormState<V> }) {
  const words = useWords(apiWords);
  return (
    <Textarea
      label={words.redirectUris}
      description={words.redirectUrisHint}
      autosize
      minRows={2}
      {...form.text('redirectUris')}
      error={errorOfLines(form, '/redirectUris', form.values.redirectUris)}
    />
  );
}

function ScopeField<V extends { scopes: string[] }>({ form }: { form: FormState<V> }) {
  const words = useWords(apiWords);
  return (
    <ScopeChooser
      chosen={form.values.scopes}
      onChange={(scopes) => form.set({ scopes } as Partial<V>)}
      error={form.error('/scopes') && words.noScopes}
    />
  );
}

function AllowListField<V extends { allowList: Lines }>({ form }: { form: FormState<V> }) {
  const words = useWords(apiWords);
  return (
    <Textarea
      label={words.allowList}
      description={words.allowListHint}
      autosize
      minRows={2}
      {...form.text('allowList')}
      error={errorOfLines(form, '/allowList', form.values.allowList)}
    />
  );
}

/** Fields in a row are aligned, however long their hints are. */
const HINT_BELOW: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
];

function CredentialFields<V extends Common>({ form, children }: { form: FormState<V>; children: ReactNode }) {
  const words = useWords(apiWords);
  const may = useMay();
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={words.name}
          description={words.nameHint}
          inputWrapperOrder={HINT_BELOW}
          required
          maxLength={200}
          data-autofocus
          {...form.text('name')}
        />
        <TextInput
          label={words.owner}
          description={words.ownerHint}
          inputWrapperOrder={HINT_BELOW}
          type="email"
          maxLength={254}
          {...form.text('owner')}
        />
      </SimpleGrid>
      <ScopeField form={form} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {children}
        <AllowListField form={form} />
        {may('products:read') && (
          <CustomerPicker
            label={words.customer}
            description={words.customerHint}
            {...choiceField(form, 'customerCode')}
          />
        )}
      </SimpleGrid>
    </>
  );
}
