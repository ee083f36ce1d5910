import { Group, Stack, Text, Timeline } from '@mantine/core';
import { Hospital, Warehouse } from 'lucide-react';
import { useZonedFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { Empty } from '../../ui/empty.js';
import { PageLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { UNITS, withUnit } from '../environment/limits.js';
import { DocumentLink } from './chain.js';
import { documentsOf, type Stay } from './custody.js';
import { CustodyMap } from './custody-map.js';
import { custodyWords } from './custody-words.js';
import type { Step, Trace } from './trace-query.js';
import { traceWords } from './trace-words.js';
import type { Condition } from './use-conditions.js';

/** Who had the goods and when, as a drawing and as a list from top to bottom. */
export function CustodyPanel(props: {
  stays: readonly Stay[];
  steps: readonly Step[];
  recalls: Trace['recalls'];
  conditions: ReadonlyMap<string, Condition[]>;
  now: number;
}) {
  const words = useWords(custodyWords);
  const { stays } = props;
  if (stays.length === 0)
    return (
      <Panel title={words.custody}>
        <Empty title={words.none} />
      </Panel>
    );
  return (
    <Panel title={words.custody} hint={words.custodyHint}>
      <Stack>
        <CustodyMap {...props} />
        <Timeline
          component="ol"
          active={stays.length}
          bulletSize={28}
          lineWidth={2}
          m={0}
          style={{ listStyle: 'none' }}
        >
          {stays.map((stay) => (
            <Timeline.Item
              key={stay.key}
              component="li"
              bullet={
                stay.party.kind === 'customer' ? (
                  <Hospital size={15} aria-hidden />
                ) : (
                  <Warehouse size={15} aria-hidden />
                )
              }
              color={stay.party.kind === 'customer' ? 'teal' : 'ward'}
              title={<PartyName stay={stay} />}
            >
              <StayFacts stay={stay} conditions={props.conditions.get(stay.key) ?? []} />
            </Timeline.Item>
          ))}
        </Timeline>
      </Stack>
    </Panel>
  );
}

function PartyName({ stay: { party } }: { stay: Stay }) {
  const words = useWords(traceWords);
  return <>{party.name ?? party.code ?? words.kinds[party.kind]}</>;
}

function StayFacts({ stay, conditions }: { stay: Stay; conditions: readonly Condition[] }) {
  const words = useWords(custodyWords);
  const format = useZonedFormat();
  const most = format.number(stay.most);
  const documents = documentsOf(stay);
  return (
    <>
      <Text size="sm">
        {stay.until === null
          ? words.sinceThen(format.instant(stay.from))
          : words.period(format.instant(stay.from), format.instant(stay.until))}
      </Text>
      <Text size="sm" c="dimmed">
        {stay.until === null ? words.held(most, format.number(stay.left)) : words.heldBefore(most)}
      </Text>
      <StayNotes stay={stay} />
      {documents.length > 0 && (
        <Group gap={6}>
          <Text size="xs" c="dimmed">
            {words.documents}
            {format.colon.trimEnd()}
          </Text>
          {documents.map((document) => (
            <Text key={`${document.type} ${document.id}`} size="xs" c="dimmed">
              <DocumentLink document={document} />
            </Text>
          ))}
        </Group>
      )}
      {conditions.map((condition) => (
        <ConditionText key={condition.point.pointId} condition={condition} />
      ))}
    </>
  );
}

/** Holds, recalls and releases; only the last ones if there are many. */
function StayNotes({ stay: { notes } }: { stay: Stay }) {
  const words = useWords(traceWords);
  const format = useZonedFormat();
  const shown = notes.slice(-3);
  return shown.map((note, n) => (
    <Text
      // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end
      key={n}
      size="sm"
      fw={note.step === 'recalled' ? 700 : 400}
      c={note.step === 'recalled' ? 'red' : note.step === 'held' ? 'orange' : 'teal'}
    >
      {words.steps[note.step]} · {format.instant(note.at)}
    </Text>
  ));
}

function ConditionText({ condition: { point, temperature, alerts } }: { condition: Condition }) {
  const words = useWords(custodyWords);
  const format = useZonedFormat();
  const read =
    temperature === null
      ? words.noReadings
      : words.readings(
          withUnit(temperature.min, UNITS.temperature, format),
          withUnit(temperature.max, UNITS.temperature, format),
        );
  return (
    <Group gap={6}>
      <Text size="xs" c="dimmed">
        {words.temperature}{' '}
        <PageLink
          to="/environment/points/$pointId"
          params={{ pointId: point.pointId }}
          size="xs"
          underline="always"
        >
          {point.name}
        </PageLink>
        {format.colon}
        {read}
      </Text>
      {alerts.slice(0, 3).map((alert) => (
        <PageLink
          key={alert.alertId}
          to="/environment/alerts/$alertId"
          params={{ alertId: alert.alertId }}
          size="xs"
          c="red"
        >
          {words.alertsOf(1)} {format.day(alert.startedAt)}
        </PageLink>
      ))}
    </Group>
  );
}
