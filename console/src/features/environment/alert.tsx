import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Check } from 'lucide-react';
import { api, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { FormWindow } from '../../ui/form.js';
import { PageLink } from '../../ui/links.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { usePersonName } from '../../ui/person.js';
import { StatusBadge } from '../../ui/status.js';
import { useWarehouseName, useZoneName } from '../catalogue/warehouse-name.js';
import { AffectedBatches } from './affected-batches.js';
import { durationText } from './duration.js';
import { alertWords } from './environment-words.js';
import { ExcursionPanel } from './excursion-panel.js';
import { ALERT_STATUSES, type AlertDetail, limitsText, readingText, UNITS, worstOf } from './limits.js';

const REFRESH_MS = 30_000;

export default function AlertPage() {
  const words = useWords(alertWords);
  const alertId = useParam('alertId');
  const alert = useResource('/v2/environment/alerts/{alertId}', { path: { alertId }, refreshMs: REFRESH_MS });
  const may = useMay();
  const title = alert.data
    ? words.alertOf(words.metrics[alert.data.metric], alert.data.pointName)
    : words.alert;
  return (
    <Page
      title={title}
      status={alert.data && <StatusBadge status={ALERT_STATUSES[alert.data.status]} />}
      above={{ to: '/environment/alerts', name: words.alerts }}
      actions={
        alert.data &&
        !alert.data.acknowledgedAt &&
        may('environment:write') && <Acknowledge alertId={alertId} />
      }
    >
      <Loaded query={alert} missing={{ title: words.notFound, to: '/environment/alerts' }}>
        {(data) => (
          <Stack>
            <ExcursionPanel alert={data} />
            <Panel>
              <AlertFacts alert={data} />
            </Panel>
            <AffectedBatches key={data.alertId} alert={data} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Acknowledge({ alertId }: { alertId: string }) {
  const words = useWords(alertWords);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<Check size={16} />} onClick={open}>
        {words.acknowledge}
      </Button>
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.acknowledge}
        submitLabel={words.acknowledge}
        draft={`alert:${alertId}`}
        initial={{ comment: '' }}
        run={({ comment }) =>
          api.post('/v2/environment/alerts/{alertId}/acknowledge', {
            path: { alertId },
            body: { comment: comment.trim() },
          })
        }
        done={words.acknowledgedNow}
      >
        {(form) => (
          <>
            <Text size="sm">{words.acknowledgeQuestion}</Text>
            <Textarea
              label={words.what}
              required
              autosize
              minRows={3}
              maxLength={2000}
              data-autofocus
              {...form.text('comment')}
            />
          </>
        )}
      </FormWindow>
    </>
  );
}

function AlertFacts({ alert }: { alert: AlertDetail }) {
  const words = useWords(alertWords);
  const { language } = useLanguage();
  const format = useFormat();
  const warehouseName = useWarehouseName();
  const zoneName = useZoneName();
  const personName = usePersonName();
  const limits = { min: alert.lowerLimit, max: alert.upperLimit };
  const worst = worstOf(alert);
  const seen =
    alert.acknowledgedAt && alert.acknowledgedBy ? (
      <Stack key="seen" gap={2}>
        <span style={{ whiteSpace: 'pre-line' }}>{alert.acknowledgement}</span>
        <Text size="sm" c="dimmed">
          {words.seenBy(personName(alert.acknowledgedBy), format.instant(alert.acknowledgedAt))}
        </Text>
      </Stack>
    ) : (
      <StatusBadge key="seen" status="unacknowledged" />
    );
  return (
    <Facts
      facts={[
        [
          words.point,
          <PageLink key="point" to="/environment/points/$pointId" params={{ pointId: alert.pointId }}>
            {alert.pointName}
          </PageLink>,
        ],
        [words.metric, words.metrics[alert.metric]],
        [words.limits, limitsText(limits, UNITS[alert.metric], format)],
        [words.worst[worst.is], readingText(worst.value, alert.metric, language)],
        [
          words.lastOutside,
          `${readingText(alert.lastValue, alert.metric, language)} · ${format.instant(alert.lastObservedAt)}`,
        ],
        [words.began, format.instant(alert.startedAt)],
        ...(alert.openedAt === alert.startedAt
          ? []
          : [[words.opened, format.instant(alert.openedAt)] as const]),
        [words.ended, alert.closedAt ? format.instant(alert.closedAt) : words.goesOn],
        [
          words.lasted,
          alert.closedAt
            ? durationText(alert.startedAt, alert.closedAt, language)
            : words.lastsSoFar(durationText(alert.startedAt, new Date().toISOString(), language)),
        ],
        [
          words.warehouse,
          [
            warehouseName(alert.warehouse),
            ...(alert.zone ? [zoneName(alert.warehouse, alert.zone)] : []),
          ].join(' · '),
        ],
        [words.reminders, words.times(alert.repeats)],
        [words.seen, seen],
      ]}
    />
  );
}
