import type { Udi, UdiFailure } from '@lotward/client';
import { Alert, Badge, Code, Mark, Stack, Table, Text } from '@mantine/core';
import { ScanLine } from 'lucide-react';
import { type Format, useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { failureWords, partWords } from './code-words.js';
import { traceWords } from './trace-words.js';

interface SaidPart {
  /** The identifier of the part in the code, if the format has one. */
  identifier: string | null;
  name: string;
  hint: string | null;
  value: string;
  isCode: boolean;
}

const FIELDS = [
  ['deviceIdentifier', '01'],
  ['batchNo', '10'],
  ['serialNo', '21'],
  ['manufactureDate', '11'],
  ['expiryDate', '17'],
  ['quantity', '30'],
] as const;

type Words = ReturnType<typeof useWords<typeof partWords.en>>;

function partsOf(udi: Udi, words: Words, format: Format): SaidPart[] {
  const isGs1 = udi.issuingAgency === 'GS1';
  const names: Readonly<Record<string, string>> = words.otherNames;
  const main = FIELDS.flatMap(([field, identifier]): SaidPart[] => {
    const value = udi[field];
    if (value === null) return [];
    const isDay = field === 'manufactureDate' || field === 'expiryDate';
    return [
      {
        identifier: isGs1 ? `(${identifier})` : null,
        name: words[field],
        hint: words[`${field}Hint`],
        value: isDay ? `${format.day(String(value))} (${value})` : String(value),
        isCode: !isDay,
      },
    ];
  });
  const others = Object.entries(udi.other).map(
    ([key, value]): SaidPart => ({
      identifier: isGs1 && /^\d+$/.test(key) ? `(${key})` : key.length <= 3 ? key : null,
      name: names[key] ?? words.other,
      hint: null,
      value,
      isCode: true,
    }),
  );
  return [...main, ...others];
}

/** The parts of a code with their names and values. */
export function Said({ udi }: { udi: Udi }) {
  const words = useWords(traceWords);
  const parts = partsOf(udi, useWords(partWords), useFormat());
  return (
    <Stack gap="xs">
      <Text size="sm" component="div">
        {words.agency} <Badge variant="light">{udi.issuingAgency}</Badge>
      </Text>
      <Table aria-label={words.says} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th visibleFrom="xs">{words.part}</Table.Th>
            <Table.Th>{words.means}</Table.Th>
            <Table.Th>{words.value}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {parts.map((part) => (
            <Table.Tr key={`${part.identifier}${part.name}${part.value}`}>
              <Table.Td visibleFrom="xs">{part.identifier && <Code>{part.identifier}</Code>}</Table.Td>
              <Table.Td>
                <Text size="sm" fw={600}>
                  {part.name}
                </Text>
                {part.hint && (
                  <Text size="xs" c="dimmed">
                    {part.hint}
                  </Text>
                )}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {part.isCode ? <CodeText>{part.value}</CodeText> : part.value}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

/** Why a code cannot be read, and at which position. */
export function Unreadable({ code, failure }: { code: string; failure: UdiFailure }) {
  const words = useWords(traceWords);
  const reasons = useWords(failureWords);
  const { language } = useLanguage();
  const [before, after] = [code.slice(0, failure.position), code.slice(failure.position)];
  return (
    <Alert color="orange" icon={<ScanLine size={18} />} title={words.unreadable} role="alert">
      <Stack gap={6}>
        <Text size="sm">{reasons[failure.reason]}</Text>
        {/* The message describes the exact part, in English only. */}
        {language === 'en' && <Text size="sm">{failure.message}</Text>}
        <Text size="sm">
          {words.atPosition(failure.position)}{' '}
          <Code style={{ overflowWrap: 'anywhere' }}>
            {visible(before)}
            {after && <Mark color="orange">{visible(after)}</Mark>}
          </Code>
        </Text>
      </Stack>
    </Alert>
  );
}

/** The GS1 separator is not printable. */
const visible = (text: string): string => text.replaceAll('\u001d', '␝');
