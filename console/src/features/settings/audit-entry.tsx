import { Code, Stack, Table, Text } from '@mantine/core';
import { NOTHING } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { Facts } from '../../ui/page.js';
import { Person } from '../../ui/person.js';
import { type Difference, differences } from './audit-differences.js';
import { Entity, type Entry } from './audit-entity.js';
import { auditWords } from './audit-words.js';

/** The details of one change. */
export function AuditEntry({ entry }: { entry: Entry }) {
  const words = useWords(auditWords);
  const changes = differences(entry.before, entry.after);
  return (
    <Stack gap="sm" p="xs">
      <Facts
        facts={[
          [words.actor, <Person key="actor" email={entry.actor} withEmail />],
          [words.action, <Code key="action">{entry.action}</Code>],
          [words.entity, <Entity key="entity" entry={entry} />],
          [words.reason, entry.reason ?? NOTHING],
          [words.credential, <Code key="credential">{entry.credentialId}</Code>],
          [words.request, entry.requestId ? <Code key="request">{entry.requestId}</Code> : NOTHING],
          [words.position, entry.position ?? words.notSealed],
          [words.hash, entry.hash ? <Code key="hash">{entry.hash}</Code> : NOTHING],
        ]}
      />
      {changes.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.noDifference}
        </Text>
      ) : (
        <Changes changes={changes} />
      )}
    </Stack>
  );
}

function Changes({ changes }: { changes: readonly Difference[] }) {
  const words = useWords(auditWords);
  return (
    <Table withTableBorder layout="fixed" aria-label={words.changes} fz="xs" verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="28%">{words.field}</Table.Th>
          <Table.Th>{words.before}</Table.Th>
          <Table.Th>{words.after}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ field, before, after }) => (
          <Table.Tr key={field}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{field}</Table.Td>
            <Value text={before} sign="−" />
            <Value text={after} sign="+" />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** The sign repeats the meaning of the column for readers who see only the row. */
function Value({ text, sign }: { text: string | null; sign: string }) {
  return (
    <Table.Td style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
      {text === null ? NOTHING : <Code fz="xs">{`${sign} ${text}`}</Code>}
    </Table.Td>
  );
}
