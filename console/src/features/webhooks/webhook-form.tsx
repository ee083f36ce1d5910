import type { Item } from '@lotward/client';
import { Checkbox, Stack, TextInput } from '@mantine/core';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { textOrNull } from '../../ui/fields.js';
import { type FormState, FormWindow } from '../../ui/form.js';
import { type EventType, useEventTypeChoices } from '../events/event-types.js';
import type { MadeWebhook } from './shown-secret.js';
import { webhookWords } from './webhook-words.js';

export type Webhook = Item<'/v2/webhooks'>;

interface Draft {
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
      initial={{ callbackUrl: '', description: '', eventTypes: [], secret: '' } as NewDraft}
      run={(draft) =>
        api.post('/v2/webhooks', {
          body: { ...bodyOf(draft), ...(draft.secret === '' ? {} : { secret: draft.secret }) },
        })
      }
      done={words.createdNow}
    >
      {(form) => (
        <>
          <Fields form={form} />
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
      {(form) => <Fields form={form} />}
    </FormWindow>
  );
}

function Fields<V extends Draft>({ form }: { form: FormState<V> }) {
  const words = useWords(webhookWords);
  const choices = useEventTypeChoices();
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
    </>
  );
}
