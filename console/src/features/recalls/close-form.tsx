import { Alert, Button, List, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { TriangleAlert } from 'lucide-react';
import { api } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { FormWindow } from '../../ui/form.js';
import { recallWords } from './recall-words.js';
import type { Recall } from './recalls.js';

/** Closes a recall. Lists what is open: stock to decide on, and customers without an answer or a reason. */
export function CloseRecall({ recall }: { recall: Recall }) {
  const words = useWords(recallWords);
  const common = useWords(commonWords);
  const [opened, { open, close }] = useDisclosure();
  const silent = recall.consignees.filter((each) => each.answer === null);
  return (
    <>
      <Button variant="light" color="red" onClick={open}>
        {words.close}
      </Button>
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.close}
        submitLabel={words.close}
        draft={`recall-close:${recall.recallId}`}
        initial={{
          reason: '',
          unanswered: silent.map(({ customerCode }) => ({ customerCode, reason: '' })),
        }}
        run={({ reason, unanswered }) =>
          api.post('/v2/recalls/{recallId}/close', {
            path: { recallId: recall.recallId },
            body: {
              reason: reason.trim(),
              unanswered: unanswered
                .map((each) => ({ ...each, reason: each.reason.trim() }))
                .filter((each) => each.reason !== ''),
            },
          })
        }
        done={words.closedNow}
      >
        {(form) => (
          <>
            <Text size="sm">{words.closeQuestion}</Text>
            <OpenStock recall={recall} />
            {silent.length > 0 && (
              <Stack gap="xs">
                <Text size="sm" fw={600}>
                  {words.silent}
                </Text>
                <Text size="xs" c="dimmed">
                  {words.silentHint}
                </Text>
                {silent.map(({ customerName, customerCode }, at) => (
                  <TextInput
                    key={customerCode}
                    label={words.whyUnanswered(customerName)}
                    maxLength={500}
                    value={form.values.unanswered[at]?.reason ?? ''}
                    onChange={(event) => form.setRow('unanswered', at, { reason: event.currentTarget.value })}
                  />
                ))}
              </Stack>
            )}
            <Textarea
              label={common.reason}
              required
              autosize
              minRows={2}
              maxLength={500}
              {...form.text('reason')}
            />
          </>
        )}
      </FormWindow>
    </>
  );
}

function OpenStock({ recall }: { recall: Recall }) {
  const words = useWords(recallWords);
  const format = useFormat();
  if (recall.affectedStock.length === 0) return null;
  return (
    <Alert color="orange" icon={<TriangleAlert size={18} />} title={words.stockOpen}>
      <List size="sm">
        {recall.affectedStock.map(({ warehouse, batchNo, quantity }) => (
          <List.Item key={`${warehouse} ${batchNo}`}>
            {words.stockOf(format.number(quantity), batchNo, warehouse)}
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs">
        {words.stockOpenHint}
      </Text>
    </Alert>
  );
}
