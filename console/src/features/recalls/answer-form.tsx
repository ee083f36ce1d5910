import { NumberInput, SimpleGrid, Text, Textarea } from '@mantine/core';
import { api } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { numberField, textOrNull } from '../../ui/fields.js';
import { FormWindow } from '../../ui/form.js';
import { recallWords } from './recall-words.js';
import type { Recall } from './recalls.js';

export type Consignee = Recall['consignees'][number];

export const COUNTS = ['onHand', 'used', 'returned', 'destroyed', 'notFound'] as const;

const valuesOf = (answer: Consignee['answer'] | undefined) => ({
  onHand: (answer?.onHand ?? null) as number | null,
  used: (answer?.used ?? null) as number | null,
  returned: (answer?.returned ?? null) as number | null,
  destroyed: (answer?.destroyed ?? null) as number | null,
  notFound: (answer?.notFound ?? null) as number | null,
  note: answer?.note ?? '',
});

/** Enters or corrects a consignee's answer about its goods. */
export function AnswerForm({
  recallId,
  consignee,
  onClose,
}: {
  recallId: string;
  consignee: Consignee | null;
  onClose: () => void;
}) {
  const words = useWords(recallWords);
  const format = useFormat();
  const delivered = consignee?.quantity ?? 0;
  return (
    <FormWindow
      opened={consignee !== null}
      onClose={onClose}
      title={words.answerOf(consignee?.customerName ?? '')}
      submitLabel={words.recordAnswer}
      draft={`recall-answer:${recallId}:${consignee?.customerCode ?? ''}`}
      initial={valuesOf(consignee?.answer)}
      run={({ note, ...counts }) =>
        api.post('/v2/recalls/{recallId}/consignees/{customerCode}/answer', {
          path: { recallId, customerCode: consignee?.customerCode ?? '' },
          body: {
            onHand: counts.onHand ?? 0,
            used: counts.used ?? 0,
            returned: counts.returned ?? 0,
            destroyed: counts.destroyed ?? 0,
            notFound: counts.notFound ?? 0,
            note: textOrNull(note),
          },
        })
      }
      done={words.answeredNow}
    >
      {(form) => {
        const accounted = COUNTS.reduce((sum, name) => sum + (form.values[name] ?? 0), 0);
        return (
          <>
            <Text size="sm">{words.answerHint(format.number(delivered))}</Text>
            <SimpleGrid cols={{ base: 2, xs: 3 }}>
              {COUNTS.map((name, n) => (
                <NumberInput
                  key={name}
                  label={words.fates[name]}
                  min={0}
                  allowDecimal={false}
                  {...(n === 0 ? { 'data-autofocus': true } : {})}
                  {...numberField(form, name)}
                />
              ))}
            </SimpleGrid>
            <Text size="sm" {...(accounted > delivered ? { c: 'red' } : {})} aria-live="polite">
              {words.accounted(format.number(accounted), format.number(delivered))}
            </Text>
            <Textarea
              label={words.note}
              description={words.noteHint}
              autosize
              minRows={2}
              maxLength={500}
              {...form.text('note')}
            />
          </>
        );
      }}
    </FormWindow>
  );
}
