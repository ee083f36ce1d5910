import { Box, Code, Text } from '@mantine/core';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { ItemTable } from '../../ui/data-table.js';
import type { Attempt } from './delivery.types.js';
import { deliveryWords } from './delivery-words.js';
import { webhookWords } from './webhook-words.js';

/** `HTTP 500`, or why there was no response. */
export function AnswerText({ attempt }: { attempt: Attempt }) {
  const errors: Readonly<Record<string, string>> = useWords(deliveryWords).errors;
  const parts = [
    ...(attempt.status === null ? [] : [`HTTP ${attempt.status}`]),
    ...(attempt.error === null ? [] : [errors[attempt.error] ?? attempt.error]),
  ];
  return parts.join(' · ') || NOTHING;
}

export function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const words = useWords(deliveryWords);
  const format = useFormat();
  const { ms } = useWords(webhookWords);
  return (
    <ItemTable
      items={attempts}
      label={words.attempts}
      rowKey={(attempt) => attempt.at}
      empty={{ title: words.noAttempt }}
      columns={[
        { name: words.at, show: (attempt) => format.instant(attempt.at) },
        { name: words.answer, show: (attempt) => <Answer attempt={attempt} /> },
        {
          name: words.duration,
          show: (attempt) => ms(format.number(attempt.durationMs)),
          align: 'right',
          wide: true,
        },
        {
          name: words.response,
          show: (attempt) => <Excerpt attempt={attempt} />,
          wide: true,
        },
      ]}
    />
  );
}

function Excerpt({ attempt: { responseExcerpt } }: { attempt: Attempt }) {
  if (responseExcerpt === null) return null;
  return <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{responseExcerpt}</Code>;
}

/** On a narrow screen, all columns are combined in one. */
function Answer({ attempt }: { attempt: Attempt }) {
  const format = useFormat();
  const { ms } = useWords(webhookWords);
  return (
    <>
      <AnswerText attempt={attempt} />
      <Box hiddenFrom="sm">
        <Text size="xs" c="dimmed">
          {ms(format.number(attempt.durationMs))}
        </Text>
        <Excerpt attempt={attempt} />
      </Box>
    </>
  );
}
