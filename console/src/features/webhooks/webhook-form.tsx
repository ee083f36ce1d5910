import type { Item } from '@lotward/client';
import { Checkbox, Stack, TextInput } from '@mantine/core';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { textOrNull } from '../../ui/fields.js';
import { type FormState, FormWindow } from '../../ui/form.js';
import { type EventType, usePushedTypeChoices } from '../events/event-types.js';
import type { MadeWebhook } from './shown-secret.js';
import { filterOf, headersOf, type Narrowing, NarrowingFields, NOT_NARROWED } from './webhook-fields.js';
import { webhookWords } from './webhook-words.js';

export type Webhook = Item<'/v2/webhooks'>;

interface Draft extends Narrowing {
  callbackUrl: string;
  description: string;
  eventTypes: EventType[];
}
interface NewDraft extends Draft {
  secret: string;
}

const bodyOf = (draft: Draft) => ({
  callbackUrl: draft.callbackUrl.trim(),
  description: textOrNull(draft.description),
  eventTypes: draft.eventTypes,
  filter: filterOf(draft),
  // Existing values cannot be read, so an empty field keeps them.
  ...(draft.headers.trim() === '' ? {} : { headers: headersOf(draft.headers) }),
});

interface WindowProps {
  opened: boolean;
  onClose: () => void;
}

export function NewWebhookForm(props: WindowProps & { onDone: (made: MadeWebhook) => void }) {
  const words = useWords(webhookWords);
  return (
    <FormWindow
      {...props}
      title={words.newWebhook}
      submitLabel={words.newWebhook}
      initial={{ ...NOT_NARROWED, callbackUrl: '', description: '', eventTypes: [], secret: '' } as NewDraft}
      run={(draft) =>
        api.post('/v2/webhooks', {
          body: { ...bodyOf(draft), ...(draft.secret === '' ? {} : { secret: draft.secret }) },
        })
      }
      done={words.createdNow}
    >
      {(form) => (
        <>
          <Fields form={form} headerNames={[]} />
          <TextInput
            label={words.ownSecret}
            description={words.ownSecretHint}
            minLength={16}
            maxLength={128}
            autoComplete="off"
            {...form.text('secret')}
          />
        </>
      )}
    </FormWindow>
  );
}

export function EditWebhookForm({ webhook, ...props }: WindowProps & { webhook: Webhook }) {
  const words = useWords(webhookWords);
  return (
    <FormWindow
      {...props}
      title={words.editWebhook}
      initial={
        {
          callbackUrl: webhook.callbackUrl,
          description: webhook.description ?? '',
          eventTypes: webhook.eventTypes,
          ...NOT_NARROWED,
          ...webhook.filter,
        } as Draft
      }
      run={(draft) =>
        api.patch('/v2/webhooks/{webhookId}', {
          path: { webhookId: webhook.webhookId },
          body: bodyOf(draft),
        })
      }
      done={words.saved}
    >
      {(form) => <Fields form={form} headerNames={webhook.headerNames} />}
    </FormWindow>
  );
}

function Fields<V extends Draft>({
  form,
  headerNames,
}: {
  form: FormState<V>;
  headerNames: readonly string[];
}) {
  const words = useWords(webhookWords);
  const choices = usePushedTypeChoices();
  return (
    <>
      <TextInput
        label={words.url}
        description={words.urlHint}
        type="url"
        required
        maxLength={2048}
        placeholder="https://"
        data-autofocus
        {...form.text('callbackUrl')}
      />
      <TextInput label={words.description} maxLength={200} {...form.text('description')} />
      <Checkbox.Group
        label={words.eventTypes}
        description={words.eventTypesHint}
        value={form.values.eventTypes}
        error={form.error('/eventTypes', { bad_item_count: words.noEventTypes })}
        onChange={(eventTypes) => form.set({ eventTypes } as Partial<V>)}
      >
        <Stack gap="xs" mt="xs">
          {choices.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} description={value} />
          ))}
        </Stack>
      </Checkbox.Group>
      <NarrowingFields form={form} headerNames={headerNames} />
    </>
  );
}
