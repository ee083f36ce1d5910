import { Box, Group, Text, Timeline } from '@mantine/core';
import { useList } from '../../app/api.js';
import { NOTHING, useZonedFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { PageLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { Person } from '../../ui/person.js';
import { StatusBadge } from '../../ui/status.js';
import { useActionName } from '../settings/audit-actions.js';
import type { Order } from './order.types.js';
import { orderWords } from './order-words.js';
import { type Happening, timelineOf } from './timeline.js';

/** The maximum number of changes read: more than any order has had. */
const ENTRIES_MAX = 200;

/** The history of the order: its statuses, its dispatches and, for people who may read the audit log, its changes. */
export function OrderHistory({ order }: { order: Order }) {
  const words = useWords(orderWords);
  const may = useMay();
  const dispatches = useList('/v2/dispatches', {
    query: { orderId: order.orderId },
    enabled: may('dispatches:read'),
  });
  const entries = useList('/v2/audit', {
    query: { entityType: 'order', entityId: order.orderId, limit: ENTRIES_MAX },
    enabled: may('audit:read'),
  });
  const happenings = timelineOf(
    order,
    dispatches.data?.pages.flatMap((page) => page.items) ?? [],
    entries.data?.pages.flatMap((page) => page.items) ?? [],
  );
  return (
    <Panel title={words.history}>
      <Timeline bulletSize={16} lineWidth={2} active={happenings.length - 1}>
        {happenings.map((happening) => (
          <Timeline.Item key={happening.key} title={<Title happening={happening} />}>
            <Details happening={happening} />
          </Timeline.Item>
        ))}
      </Timeline>
    </Panel>
  );
}

function Title({ happening }: { happening: Happening }) {
  const words = useWords(orderWords);
  const actionName = useActionName();
  if (happening.kind === 'change')
    return (
      <Text size="sm" fw={600}>
        {actionName(happening.action)}
      </Text>
    );
  if (happening.kind === 'dispatch')
    return (
      <Group gap="xs">
        <PageLink to="/dispatches/$dispatchId" params={{ dispatchId: happening.dispatchId }}>
          {words.steps[happening.step]}
        </PageLink>
        {happening.status && <StatusBadge status={happening.status} />}
      </Group>
    );
  return (
    <Group gap="xs">
      {happening.from === null ? (
        <Text size="sm">{words.entered}</Text>
      ) : (
        <>
          <StatusBadge status={happening.from} />
          <span aria-hidden>→</span>
        </>
      )}
      <StatusBadge status={happening.to} />
    </Group>
  );
}

function Details({ happening }: { happening: Happening }) {
  const words = useWords(orderWords);
  const format = useZonedFormat();
  const changes = happening.kind === 'change' ? happening.changes : [];
  return (
    <>
      {happening.reason && <Text size="sm">{happening.reason}</Text>}
      {happening.kind === 'dispatch' && happening.receivedBy && (
        <Text size="sm">{words.receivedBy(happening.receivedBy)}</Text>
      )}
      {changes.map(({ field, before, after }) => (
        <Text key={field} size="xs" style={{ overflowWrap: 'anywhere' }}>
          <Box component="span" className="code">
            {field}
          </Box>
          : <del>{before ?? NOTHING}</del> → <ins style={{ textDecoration: 'none' }}>{after ?? NOTHING}</ins>
        </Text>
      ))}
      <Text size="xs" c="dimmed">
        <time dateTime={happening.at}>{format.instant(happening.at)}</time>
        {happening.by && (
          <>
            {' · '}
            <Person email={happening.by} />
          </>
        )}
      </Text>
    </>
  );
}
