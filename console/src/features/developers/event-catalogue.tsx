import { Accordion, Box, Code, Flex, Stack, Table, Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { JsonView } from '../../ui/json-view.js';
import { PageLink } from '../../ui/links.js';
import { Loaded, Page } from '../../ui/page.js';
import { type EventType, useEventTypeName } from '../events/event-types.js';
import { developerWords } from './developer-words.js';
import { type ApiDocument, type Content, fieldsOf, sampleOf, useApiDocument } from './openapi.js';

/** Items contrast with the background like panels. */
const PANEL = { background: 'var(--mantine-color-body)', borderColor: 'var(--line)' };

/** Renders the events of the API document itself, so that the page cannot contradict it. */
export default function EventCatalogue() {
  const words = useWords(developerWords);
  const nameOf = useEventTypeName();
  const document = useApiDocument();
  return (
    <Page title={words.events} hint={words.eventsHint} above={{ to: '/developers', name: words.hub }}>
      <Loaded query={document}>
        {(api) => (
          <Accordion variant="separated" multiple order={2} styles={{ item: PANEL }}>
            {Object.entries(api.webhooks).map(([type, { post }]) => (
              <Accordion.Item key={type} value={type}>
                <Accordion.Control>
                  <Flex direction={{ base: 'column', sm: 'row' }} columnGap="sm">
                    <CodeText>{type}</CodeText>
                    <Text size="sm" c="dimmed">
                      {nameOf(type as EventType)}
                    </Text>
                  </Flex>
                </Accordion.Control>
                <Accordion.Panel>
                  <EventDetails
                    type={type}
                    content={post.requestBody?.content['application/json'] ?? { schema: {} }}
                    api={api}
                  />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )}
      </Loaded>
    </Page>
  );
}

function EventDetails({ type, content, api }: { type: string; content: Content; api: ApiDocument }) {
  const { schema } = content;
  const words = useWords(developerWords);
  const format = useFormat();
  const may = useMay();
  return (
    <Stack>
      {type === 'inventory.changed' && <Text size="sm">{words.notInFeed}</Text>}
      {type !== 'inventory.changed' && may('events:read') && (
        <PageLink to="/events" search={{ eventType: type }}>
          {words.inLog}
        </PageLink>
      )}
      <Box component="section" tabIndex={0} aria-label={type} style={{ overflowX: 'auto' }}>
        <Table aria-label={type}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.field}</Table.Th>
              <Table.Th>{words.type}</Table.Th>
              <Table.Th>{words.meaning}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fieldsOf(schema, api).map((field) => (
              <Table.Tr key={field.path}>
                <Table.Td>
                  <Code>{field.path}</Code>
                </Table.Td>
                <Table.Td>
                  <Text size="sm" c="dimmed">
                    {field.type}
                  </Text>
                </Table.Td>
                <Table.Td lang="en">{field.description}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      <Text size="sm" fw={600}>
        {words.sample}
      </Text>
      <JsonView
        value={content.example ?? sampleOf(schema, api)}
        label={`${words.sample}${format.colon}${type}`}
      />
    </Stack>
  );
}
