import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { ItemTable } from '../../ui/data-table.js';
import { textOrNull } from '../../ui/fields.js';
import { FormWindow } from '../../ui/form.js';
import { PageLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { recallWords } from './recall-words.js';
import type { Recall } from './recalls.js';

type Consignee = Recall['consignees'][number];

/** The consignees to notify, with their acknowledgements. */
export function Consignees({ recall }: { recall: Recall }) {
  const words = useWords(recallWords);
  const format = useFormat();
  const may = useMay();
  const [asked, setAsked] = useState<Consignee | null>(null);
  const canAnswer = recall.status === 'open' && may('recalls:write');
  return (
    <Panel title={words.consignees} hint={words.consigneesHint}>
      <ItemTable
        items={recall.consignees}
        label={words.consignees}
        rowKey={(consignee) => consignee.customerCode}
        empty={{ title: words.noConsignees }}
        columns={[
          {
            name: words.customer,
            show: (consignee) => consignee.customerName,
            by: (consignee) => consignee.customerName,
          },
          {
            name: words.shipped,
            show: (consignee) => format.number(consignee.quantity),
            by: (consignee) => consignee.quantity,
            align: 'right',
          },
          {
            name: words.back,
            show: (consignee) => format.number(consignee.returnedQuantity),
            by: (consignee) => consignee.returnedQuantity,
            align: 'right',
            wide: true,
          },
          {
            name: words.documents,
            show: (consignee) => <Documents documents={consignee.documents} />,
            wide: true,
          },
          {
            name: words.answer,
            show: (consignee) =>
              canAnswer && consignee.acknowledgedAt === null ? (
                <Button
                  size="xs"
                  variant="light"
                  aria-label={`${words.acknowledge}: ${consignee.customerName}`}
                  onClick={() => setAsked(consignee)}
                >
                  {words.acknowledge}
                </Button>
              ) : (
                <Answer consignee={consignee} />
              ),
          },
        ]}
      />
      <AcknowledgeForm recallId={recall.recallId} consignee={asked} onClose={() => setAsked(null)} />
    </Panel>
  );
}

const Documents = ({ documents }: { documents: Consignee['documents'] }) => (
  <Stack gap={0}>
    {documents.map((document) => (
      <PageLink key={document.id} to="/dispatches/$dispatchId" params={{ dispatchId: document.id }}>
        {document.no ?? document.id}
      </PageLink>
    ))}
  </Stack>
);

function Answer({ consignee }: { consignee: Consignee }) {
  const format = useFormat();
  if (!consignee.acknowledgedAt) return format.instant(null);
  return (
    <Stack gap={0}>
      <Text size="sm">{format.instant(consignee.acknowledgedAt)}</Text>
      {consignee.note && (
        <Text size="xs" c="dimmed">
          {consignee.note}
        </Text>
      )}
    </Stack>
  );
}

function AcknowledgeForm({
  recallId,
  consignee,
  onClose,
}: {
  recallId: string;
  consignee: Consignee | null;
  onClose: () => void;
}) {
  const words = useWords(recallWords);
  return (
    <FormWindow
      opened={consignee !== null}
      onClose={onClose}
      title={words.acknowledgeOf(consignee?.customerName ?? '')}
      submitLabel={words.acknowledge}
      initial={{ note: '', acknowledgedAt: '' }}
      run={({ note, acknowledgedAt }) =>
        api.post('/v2/recalls/{recallId}/acknowledgements', {
          path: { recallId },
          body: {
            customerCode: consignee?.customerCode ?? '',
            note: textOrNull(note),
            ...(acknowledgedAt ? { acknowledgedAt: new Date(acknowledgedAt).toISOString() } : {}),
          },
        })
      }
      done={words.acknowledgedNow}
    >
      {(form) => (
        <>
          <Textarea
            label={words.note}
            description={words.noteHint}
            autosize
            minRows={2}
            maxLength={500}
            data-autofocus
            {...form.text('note')}
          />
          <TextInput
            label={words.when}
            description={words.whenHint}
            type="datetime-local"
            {...form.text('acknowledgedAt')}
          />
        </>
      )}
    </FormWindow>
  );
}
