import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { JsonView } from '../../ui/json-view.js';
import { Panel } from '../../ui/page.js';
import { playgroundWords } from './playground-words.js';
import type { Request } from './requests.js';

interface Received {
  status: number;
  durationMs: number;
  headers: [name: string, value: string][];
  body: unknown;
}

/** Without cookies, so that only the key identifies the caller. */
export async function send({ method, url, body }: Request, apiKey: string): Promise<Received> {
  const startedMs = performance.now();
  const answer = await fetch(url, {
    method,
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(method === 'POST' || method === 'PATCH' ? { 'idempotency-key': crypto.randomUUID() } : {}),
    },
    ...(body === null ? {} : { body }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    durationMs: Math.round(performance.now() - startedMs),
    headers: [...answer.headers],
    body: parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function Answer({ call }: { call: Pick<UseMutationResult<Received>, 'data' | 'isError'> }) {
  const words = useWords(playgroundWords);
  const format = useFormat();
  const { data, isError } = call;
  return (
    <Panel title={words.answer}>
      <div role="status">
        {!data && !isError && <Text c="dimmed">{words.noAnswer}</Text>}
        {isError && <Text c="red">{words.notSent}</Text>}
        {data && (
          <Group gap="sm">
            <Badge color={data.status < 400 ? 'teal' : 'red'} variant="light">
              {data.status}
            </Badge>
            <Text size="sm" c="dimmed">
              {words.tookMs(format.number(data.durationMs))}
            </Text>
          </Group>
        )}
      </div>
      {data && (
        <Stack mt="sm">
          <div>
            <Text size="sm" fw={600} mb={4}>
              {words.answerBody}
            </Text>
            <JsonView value={data.body} label={words.answerBody} />
          </div>
          <div>
            <Text size="sm" fw={600} mb={4}>
              {words.headers}
            </Text>
            <Code
              block
              tabIndex={0}
              role="region"
              aria-label={words.headers}
              mah={200}
              style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
            >
              {data.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
            </Code>
          </div>
        </Stack>
      )}
    </Panel>
  );
}
