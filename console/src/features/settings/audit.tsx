import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ShieldCheck } from 'lucide-react';
import { useCountedList } from '../../app/api.js';
import { useLanguage, useWords } from '../../app/language.js';
import { shownZone } from '../../app/zone.js';
import { choiceFilter, dayFilter, textFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { Person } from '../../ui/person.js';
import { KNOWN_ACTIONS, useActionName } from './audit-actions.js';
import { Entity, type Entry } from './audit-entity.js';
import { AuditEntry } from './audit-entry.js';
import { VerifyWindow } from './audit-verify.js';
import { auditWords, entityWords } from './audit-words.js';

export default function Audit() {
  const words = useWords(auditWords);
  const entityNames: Readonly<Record<string, string>> = useWords(entityWords);
  const entities = Object.entries(entityNames).map(([value, label]) => ({ value, label }));
  const actionName = useActionName();
  const actions = KNOWN_ACTIONS.map((value) => ({ value, label: actionName(value) }));
  /** Saving creates or changes a record; its entry shows which. */
  const nameOf = ({ action, entityType, before }: Entry): string =>
    action === `${entityType}.put`
      ? (before === null ? words.created : words.changed)(entityNames[entityType] ?? entityType)
      : actionName(action);
  const filters = useListFilters(
    {
      entityType: choiceFilter(words.entityType, entities),
      entityId: textFilter(words.entityId),
      actor: textFilter(words.actor),
      action: choiceFilter(words.action, actions, { searchable: true }),
      since: dayFilter(words.since),
      until: dayFilter(words.until, 'end'),
    },
    { by: [words.search] },
  );
  return (
    <ListPage
      title={words.audit}
      hint={words.hint}
      actions={<Verify />}
      filters={filters}
      list={useCountedList('/v2/audit', filters)}
      noun={words.noun}
      rowKey={(entry) => entry.entryId}
      empty={{ title: words.empty }}
      detail={(entry) => <AuditEntry entry={entry} />}
      columns={[
        {
          name: words.at,
          show: (entry) => (
            <Text size="sm" miw={{ base: 90, sm: 150 }}>
              <Moment at={entry.at} />
            </Text>
          ),
        },
        {
          name: words.action,
          show: nameOf,
          wide: 'below',
          below: (entry) => (
            <Text size="sm" c="var(--mantine-color-text)">
              {nameOf(entry)}
            </Text>
          ),
        },
        {
          name: words.actor,
          show: (entry) => (
            <Text size="sm" maw={{ base: 180, sm: 240 }} truncate title={entry.actor}>
              <Person email={entry.actor} />
            </Text>
          ),
          wide: 'below',
        },
        { name: words.entity, show: (entry) => <Entity entry={entry} />, wide: 'below' },
        {
          name: words.reason,
          show: (entry) =>
            entry.reason && (
              <Text size="sm" maw={200} lineClamp={2} title={entry.reason}>
                {entry.reason}
              </Text>
            ),
          wide: true,
        },
      ]}
    />
  );
}

/** With seconds and year, because entries may differ only in these. */
function Moment({ at }: { at: string }) {
  const { language } = useLanguage();
  const format = new Intl.DateTimeFormat(language, {
    ...{ dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' },
    timeZone: shownZone(),
  });
  return (
    <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
      {format.format(Date.parse(at))}
    </time>
  );
}

function Verify() {
  const words = useWords(auditWords);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<ShieldCheck size={16} />} onClick={open}>
        {words.verify}
      </Button>
      <VerifyWindow opened={opened} onClose={close} />
    </>
  );
}
