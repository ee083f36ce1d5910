import { Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { ItemTable } from '../../ui/data-table.js';
import { DateTimeField } from '../../ui/date-field.js';
import { textOrNull } from '../../ui/fields.js';
import { FormWindow } from '../../ui/form.js';
import { PageLink } from '../../ui/links.js';
import { instantOf } from '../../ui/local-time.js';
import { Panel } from '../../ui/page.js';
import { AnswerForm, COUNTS, type Consignee } from './answer-form.js';
import { ConsigneeActions } from './consignee-actions.js';
import { recallWords } from './recall-words.js';
import type { Recall } from './recalls.js';

/** The consignees to notify, with their acknowledgements and answers. */
export function Consignees({ recall }: { recall: Recall }) {
  const words = useWords(recallWords);
  const format = useFormat();
  const may = useMay();
  const [asked, setAsked] = useState<Consignee | null>(null);
  const [answering, setAnswering] = useState<Consignee | null>(null);
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
            show: (consignee) => <Customer consignee={consignee} />,
            by: (consignee) => consignee.customerName,
          },
          {
            name: words.shipped,
            show: (consignee) => format.number(consignee.quantity),
            by: (consignee) => consignee.quantity,
            align: 'right',
            wide: 'below',
            below: (consignee) => `${words.shipped} ${format.number(consignee.quantity)}`,
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
            name: words.acknowledgement,
            show: (consignee) => <Acknowledged consignee={consignee} />,
            wide: 'below',
            below: (consignee) =>
              consignee.acknowledgedAt
                ? `${words.acknowledgement} ${format.instant(consignee.acknowledgedAt)}`
                : words.notAcknowledged,
          },
          {
            name: words.answer,
            show: (consignee) => <Answer consignee={consignee} />,
            wide: 'below',
            below: (consignee) =>
              consignee.answer || consignee.unansweredReason ? (
                <Answer consignee={consignee} />
              ) : (
                words.fates.notAnswered
              ),
          },
          {
            name: words.actions,
            show: (consignee) => (
              <ConsigneeActions
                recallId={recall.recallId}
                consignee={consignee}
                canAnswer={canAnswer}
                onAcknowledge={() => setAsked(consignee)}
                onAnswer={() => setAnswering(consignee)}
              />
            ),
            wide: 'below',
          },
        ]}
      />
      <AcknowledgeForm recallId={recall.recallId} consignee={asked} onClose={() => setAsked(null)} />
      <AnswerForm recallId={recall.recallId} consignee={answering} onClose={() => setAnswering(null)} />
    </Panel>
  );
}

const Customer = ({ consignee: { customerCode, customerName } }: { consignee: Consignee }) => (
  <PageLink to="/partners/$partnerCode" params={{ partnerCode: customerCode }} underline="always">
    {customerName}
  </PageLink>
);

const Documents = ({ documents }: { documents: Consignee['documents'] }) => (
  <Stack gap={0}>
    {documents.map((document) => (
      <PageLink key={document.id} to="/dispatches/$dispatchId" params={{ dispatchId: document.id }}>
        {document.no ?? document.id}
      </PageLink>
    ))}
  </Stack>
);

function Acknowledged({ consignee }: { consignee: Consignee }) {
  const format = useFormat();
  if (!consignee.acknowledgedAt) return NOTHING;
  return <Noted text={format.instant(consignee.acknowledgedAt)} note={consignee.note} />;
}

function Answer({ consignee: { answer, unansweredReason } }: { consignee: Consignee }) {
  const words = useWords(recallWords);
  const format = useFormat();
  if (!answer) return unansweredReason ? <Noted text={words.excused} note={unansweredReason} /> : NOTHING;
  const counted = COUNTS.filter((name) => answer[name] > 0);
  const text = counted.map((name) => `${words.fates[name]} ${format.number(answer[name])}`).join(' · ');
  return <Noted text={text === '' ? words.nothingCounted : text} note={answer.note} />;
}

const Noted = ({ text, note }: { text: string; note: string | null }) => (
  <Stack gap={0}>
    <Text size="sm">{text}</Text>
    {note && (
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    )}
  </Stack>
);

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
            ...(acknowledgedAt ? { acknowledgedAt: instantOf(acknowledgedAt) } : {}),
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
          <DateTimeField label={words.when} description={words.whenHint} {...form.text('acknowledgedAt')} />
        </>
      )}
    </FormWindow>
  );
}
