import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useFilters } from '../../app/filters.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CopyText } from '../../ui/copy.js';
import { DataTable } from '../../ui/data-table.js';
import { ChoiceFilter, FilterBar } from '../../ui/filter-bar.js';
import { JsonView } from '../../ui/json-view.js';
import { Facts, Page, Panel } from '../../ui/page.js';
import { EventAbout } from './event-about.js';
import { type FeedEvent, useFeed } from './event-feed.js';
import { useEventTypeChoices, useEventTypeName } from './event-types.js';
import { eventWords } from './event-words.js';

export default function Events() {
  const words = useWords(eventWords);
  const typeName = useEventTypeName();
  const format = useFormat();
  const choices = useEventTypeChoices();
  const [filters, change] = useFilters(['eventType']);
  const { list, readSoFar } = useFeed(choices.find(({ value }) => value === filters.eventType)?.value);
  return (
    <Page title={words.events} hint={words.hint}>
      <Panel>
        <FilterBar>
          <ChoiceFilter
            label={words.type}
            value={filters.eventType}
            choices={choices}
            onChange={(eventType) => change({ eventType })}
          />
        </FilterBar>
        {readSoFar !== null && (
          <Alert color="yellow" mb="sm" role="status">
            <Group justify="space-between">
              {words.reading(format.number(readSoFar))}
              <Button size="xs" loading={list.isFetching} onClick={() => list.refetch()}>
                {words.readOn}
              </Button>
            </Group>
          </Alert>
        )}
        <DataTable
          list={list}
          label={words.events}
          rowKey={(event) => event.eventId}
          filtered={filters.eventType !== undefined}
          onClearFilters={() => change({ eventType: null })}
          empty={{ title: words.none, hint: words.noneHint }}
          detail={(event) => <EventDetail event={event} />}
          columns={[
            {
              name: words.type,
              show: (event) => (
                <>
                  <Text size="sm" miw={110}>
                    {typeName(event.eventType)}
                  </Text>
                  <Text size="xs" c="dimmed" hiddenFrom="sm">
                    {format.instant(event.timestamp)}
                  </Text>
                </>
              ),
            },
            { name: words.about, show: (event) => <EventAbout event={event} /> },
            { name: words.at, show: (event) => format.instant(event.timestamp), wide: true },
          ]}
        />
      </Panel>
    </Page>
  );
}

function EventDetail({ event }: { event: FeedEvent }) {
  const words = useWords(eventWords);
  return (
    <Stack gap="sm" p="xs">
      <Facts
        facts={[
          [words.eventId, <CopyText key="id" text={event.eventId} label={words.eventId} />],
          [words.type, event.eventType],
        ]}
      />
      <JsonView value={event} label={words.payload} />
    </Stack>
  );
}
