import type { Data } from '@lotward/client';
import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Check, Snowflake } from 'lucide-react';
import { api, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { AskedButton } from '../../ui/action.js';
import { CodeText } from '../../ui/code-text.js';
import { ItemTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { FormWindow } from '../../ui/form.js';
import { PageLink } from '../../ui/links.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { alertWords } from './environment-words.js';
import { limitsText, withUnit, worstOf } from './limits.js';

type AlertDetail = Data<'/v2/environment/alerts/{alertId}', 'get'>;

export default function AlertPage() {
  const words = useWords(alertWords);
  const alertId = useParam('alertId');
  const alert = useResource('/v2/environment/alerts/{alertId}', { path: { alertId } });
  const may = useMay();
  const title = alert.data
    ? words.alertOf(words.metrics[alert.data.metric], alert.data.pointName)
    : words.alert;
  return (
    <Page
      title={title}
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
            <Panel>
              <AlertFacts alert={data} />
            </Panel>
            <AffectedBatches alert={data} />
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
  const common = useWords(commonWords);
  const format = useFormat();
  const limits = { min: alert.lowerLimit, max: alert.upperLimit };
  const seen =
    alert.acknowledgedAt && alert.acknowledgedBy ? (
      <Stack key="seen" gap={2}>
        <span>{alert.acknowledgement}</span>
        <Text size="xs" c="dimmed">
          {words.seenBy(alert.acknowledgedBy, format.instant(alert.acknowledgedAt))}
        </Text>
      </Stack>
    ) : (
      words.notSeen
    );
  return (
    <Facts
      facts={[
        [common.status, <StatusBadge key="status" status={alert.status} />],
        [
          words.point,
          <PageLink key="point" to="/environment/points/$pointId" params={{ pointId: alert.pointId }}>
            {alert.pointName}
          </PageLink>,
        ],
        [words.metric, words.metrics[alert.metric]],
        [words.limits, limitsText(limits, alert.unit, format)],
        [words.worst, withUnit(worstOf(alert), alert.unit, format)],
        [
          words.lastOutside,
          `${withUnit(alert.lastValue, alert.unit, format)}, ${format.instant(alert.lastObservedAt)}`,
        ],
        [words.began, format.instant(alert.startedAt)],
        [words.opened, format.instant(alert.openedAt)],
        [words.ended, format.instant(alert.closedAt)],
        [words.reminders, words.times(alert.repeats)],
        [words.seen, seen],
      ]}
    />
  );
}

function AffectedBatches({ alert }: { alert: AlertDetail }) {
  const words = useWords(alertWords);
  const format = useFormat();
  const may = useMay();
  const free = alert.affectedBatches.filter((batch) => !batch.held).length;
  const canHold = free > 0 && may('inventory:write');
  return (
    <Panel
      title={words.batches}
      hint={words.batchesHint}
      actions={
        canHold && (
          <AskedButton
            label={words.hold}
            question={words.holdQuestion(free)}
            reason="optional"
            danger
            icon={<Snowflake size={16} />}
            run={(reason) =>
              api.post('/v2/environment/alerts/{alertId}/hold', {
                path: { alertId: alert.alertId },
                body: { reason: reason || null },
              })
            }
            done={words.heldNow}
          />
        )
      }
    >
      <ItemTable
        items={alert.affectedBatches}
        label={words.batches}
        rowKey={(batch) => `${batch.productCode} ${batch.batchNo}`}
        empty={{ title: words.noBatches, hint: words.noBatchesHint }}
        columns={[
          { name: words.product, show: (batch) => batch.productName, by: (batch) => batch.productName },
          { name: words.batch, show: (batch) => <CodeText>{batch.batchNo}</CodeText> },
          {
            name: words.expiry,
            show: (batch) => format.day(batch.expiryDate),
            by: (batch) => batch.expiryDate,
            wide: true,
          },
          {
            name: words.quantity,
            show: (batch) => format.number(batch.quantity),
            by: (batch) => batch.quantity,
            align: 'right',
          },
          { name: words.held, show: (batch) => (batch.held ? <StatusBadge status="on_hold" /> : null) },
        ]}
      />
    </Panel>
  );
}
