import {
  Alert,
  Badge,
  Button,
  Code,
  Group,
  PasswordInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ChevronDown, Send, TriangleAlert } from 'lucide-react';
import { type CSSProperties, useMemo, useState } from 'react';
import { useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { Loaded, Page, Panel } from '../../ui/page.js';
import { Answer, send } from './answer.js';
import { developerWords } from './developer-words.js';
import { type Operation, operationsOf, useApiDocument } from './openapi.js';
import { ParameterField } from './parameter-field.js';
import { playgroundWords } from './playground-words.js';
import { Programs } from './programs.js';
import { missingOf, requestOf } from './requests.js';

/** Works without any parameter. */
const FIRST = 'listProducts';

/** Calls the API as a program would: with a key, and without the session of the console. */
export default function Playground() {
  const words = useWords(developerWords);
  const document = useApiDocument();
  return (
    <Page title={words.playground} hint={words.playgroundHint} above={{ to: '/developers', name: words.hub }}>
      <Loaded query={document}>{(api) => <Bench operations={operationsOf(api)} />}</Loaded>
    </Page>
  );
}

function Bench({ operations }: { operations: readonly Operation[] }) {
  const words = useWords(playgroundWords);
  // Kept in memory only and lost with the page.
  const [key, setKey] = useState('');
  const [id, setId] = useState(FIRST);
  const operation = operations.find((each) => each.id === id) ?? operations[0];
  const choices = useMemo(() => operationChoices(operations, words.areas), [operations, words.areas]);
  if (!operation) return null;
  return (
    <>
      <Panel>
        <Stack>
          <PasswordInput
            label={words.key}
            description={words.keyHint}
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
            autoComplete="off"
            maw={520}
          />
          <Select
            label={words.operation}
            placeholder={words.find}
            data={choices}
            searchable
            allowDeselect={false}
            value={operation.id}
            onChange={(chosen) => chosen && setId(chosen)}
            maxDropdownHeight={360}
          />
          {words.originals !== '' && (
            <Text size="sm" c="dimmed">
              {words.originals}
            </Text>
          )}
        </Stack>
      </Panel>
      <Call key={operation.id} operation={operation} apiKey={key.trim()} />
    </>
  );
}

/** The response stays visible while the request is filled in and sent. */
const BESIDE: CSSProperties = {
  position: 'sticky',
  top: 'calc(var(--app-shell-header-offset, 0px) + var(--mantine-spacing-md))',
};

/** Grouped by area; can be searched by method, path and name. */
function operationChoices(operations: readonly Operation[], names: Readonly<Record<string, string>>) {
  const areas = [...new Set(operations.map(({ area }) => area))];
  return areas.map((of) => ({
    group: names[of] ?? of,
    items: operations
      .filter(({ area }) => area === of)
      .map(({ id, method, path, summary }) => ({ value: id, label: `${method} ${path} · ${summary}` })),
  }));
}

function Call({ operation, apiKey }: { operation: Operation; apiKey: string }) {
  const words = useWords(playgroundWords);
  const [values, setValues] = useState<Record<string, string>>({});
  const [body, setBody] = useState(operation.body === null ? null : JSON.stringify(operation.body, null, 2));
  const isJson = body === null || isParsable(body);
  const request = requestOf(operation, values, body, location.origin);
  const call = useMutation({ mutationFn: () => send(request, apiKey) });
  const isReady = apiKey !== '' && isJson && missingOf(operation, values).length === 0;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
      <Panel>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) call.mutate();
          }}
        >
          <Stack>
            <About operation={operation} />
            <Parameters
              operation={operation}
              values={values}
              onChange={(name, value) => setValues((now) => ({ ...now, [name]: value }))}
            />
            {body !== null && (
              <Textarea
                label={words.body}
                {...CODE_INPUT}
                autosize
                minRows={4}
                maxRows={20}
                value={body}
                error={isJson ? undefined : words.badJson}
                onChange={(event) => setBody(event.currentTarget.value)}
              />
            )}
            <Group justify="flex-end">
              {apiKey === '' && (
                <Text size="sm" c="dimmed">
                  {words.keyMissing}
                </Text>
              )}
              <Button
                type="submit"
                leftSection={<Send size={16} />}
                loading={call.isPending}
                disabled={apiKey === '' || !isJson}
              >
                {words.send}
              </Button>
            </Group>
          </Stack>
        </form>
      </Panel>
      <Stack style={BESIDE}>
        <Answer call={call} />
        <Programs request={request} />
      </Stack>
    </SimpleGrid>
  );
}

const PARAMETERS_SHOWN = 4;

/** The first and the required parameters; the rest on request, so that the send button stays visible. */
function Parameters({
  operation: { parameters },
  values,
  onChange,
}: {
  operation: Operation;
  values: Readonly<Record<string, string>>;
  onChange: (name: string, value: string) => void;
}) {
  const words = useWords(playgroundWords);
  const [isOpen, setOpen] = useState(false);
  const shown = parameters.filter(({ required }, at) => isOpen || required || at < PARAMETERS_SHOWN);
  const folded = parameters.length - shown.length;
  return (
    <>
      {shown.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={values[parameter.name] ?? ''}
          onChange={(value) => onChange(parameter.name, value)}
        />
      ))}
      {folded > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<ChevronDown size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setOpen(true)}
        >
          {words.moreParameters(folded)}
        </Button>
      )}
    </>
  );
}

function About({ operation }: { operation: Operation }) {
  const words = useWords(playgroundWords);
  return (
    <>
      <Group gap="sm">
        <Badge variant="light" tt="none" ff="monospace">
          {operation.method}
        </Badge>
        <Text className="code" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {operation.path}
        </Text>
        {operation.scope && (
          <Text size="sm" c="dimmed">
            {words.scope(operation.scope)}
          </Text>
        )}
      </Group>
      {operation.description && (
        <Text size="sm" lang="en">
          <WithCodes text={operation.description} />
        </Text>
      )}
      {operation.method !== 'GET' && (
        <Alert color="yellow" variant="light" icon={<TriangleAlert size={18} />}>
          {words.real}
        </Alert>
      )}
    </>
  );
}

/** The words between backticks are names of the API. */
const WithCodes = ({ text }: { text: string }) =>
  text
    .split('`')
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
    .map((part, at) => (at % 2 === 1 ? <Code key={at}>{part}</Code> : part));

function isParsable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
