import { Stack } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { CopyText } from '../../ui/copy.js';
import { JsonView } from '../../ui/json-view.js';
import { choiceFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { Facts } from '../../ui/page.js';
import { When } from '../../ui/when.js';
import { EventAbout } from './event-about.js';
import { type FeedEvent, useFeed } from './event-feed.js';
import { useEventTypeChoices, useEventTypeName } from './event-types.js';
import { eventWords } from './event-words.js';

export default function Events() {
  const words = useWords(eventWords);
  const typeName = useEventTypeName();
  const choices = useEventTypeChoices();
  const filters = useListFilters(
    { eventType: choiceFilter(words.type, choices) },
    { by: [words.about, words.customer] },
  );
  const { eventType } = filters.values;
  const list = useFeed({
    eventType: choices.find(({ value }) => value === eventType)?.value,
    q: filters.query.q,
  });
  return (
    <ListPage
      title={words.events}
      hint={words.hint}
      filters={filters}
      list={list}
      noun={words.noun}
      rowKey={(event) => event.eventId}
      empty={{ title: words.none, hint: words.noneHint }}
      detail={(event) => <EventDetail event={event} />}
      columns={[
        { name: words.type, show: (event) => typeName(event.eventType) },
        { name: words.about, show: (event) => <EventAbout event={event} />, wide: 'below' },
        { name: words.at, show: (event) => <When at={event.timestamp} />, wide: 'below' },
      ]}
    />
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
