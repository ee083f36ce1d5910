import type { Data } from '@lotward/client';
import { Alert, Button, Modal, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Facts } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { type EventType, useEventTypeName } from '../events/event-types.js';
import { AnswerText } from './attempts.js';
import { deliveryWords } from './delivery-words.js';
import type { Webhook } from './webhook-form.js';
import { webhookWords } from './webhook-words.js';

type Answer = Data<'/v2/webhooks/{webhookId}/test', 'post'>;

interface Props {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

export function TestWindow({ webhook, opened, onClose }: Props) {
  const words = useWords(deliveryWords);
  const common = useWords(commonWords);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={words.testTitle}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Test webhook={webhook} />
    </Modal>
  );
}

function Test({ webhook }: { webhook: Webhook }) {
  const words = useWords(deliveryWords);
  const typeName = useEventTypeName();
  const [eventType, setEventType] = useState<EventType | undefined>(webhook.eventTypes[0]);
  const test = useMutation({
    mutationFn: () =>
      api.post('/v2/webhooks/{webhookId}/test', {
        path: { webhookId: webhook.webhookId },
        body: eventType ? { eventType } : {},
      }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        test.mutate();
      }}
    >
      <Stack>
        <Text size="sm">{words.testHint}</Text>
        <Select
          label={words.testType}
          data={webhook.eventTypes.map((value) => ({ value, label: typeName(value) }))}
          allowDeselect={false}
          value={eventType ?? null}
          onChange={(value) => setEventType(webhook.eventTypes.find((each) => each === value))}
        />
        <Button type="submit" loading={test.isPending}>
          {words.send}
        </Button>
        <div aria-live="polite">
          {test.isError && <Problem error={test.error} action={words.send} />}
          {test.data && <AnswerOf answer={test.data} />}
        </div>
      </Stack>
    </form>
  );
}

function AnswerOf({ answer }: { answer: Answer }) {
  const words = useWords(deliveryWords);
  const { ms } = useWords(webhookWords);
  const format = useFormat();
  return (
    <Alert
      color={answer.delivered ? 'teal' : 'red'}
      icon={answer.delivered ? <CircleCheck size={18} /> : <CircleAlert size={18} />}
      title={answer.delivered ? words.arrived : words.failed}
    >
      <Facts
        facts={[
          [words.answer, <AnswerText key="answer" attempt={answer} />],
          [words.duration, ms(format.number(answer.durationMs))],
          ...(answer.responseExcerpt ? [[words.response, answer.responseExcerpt] as const] : []),
        ]}
      />
    </Alert>
  );
}
