import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { type Column, ItemTable } from '../../ui/data-table.js';
import { PageLink } from '../../ui/links.js';
import type { Selection } from '../../ui/list/selection.js';
import { Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { useWarehouseName } from '../catalogue/warehouse-name.js';
import { Expiry } from '../stock/expiry.js';
import { HoldBatchesButton } from '../stock/hold-batches.js';
import { holdBatchesWords } from '../stock/hold-batches-words.js';
import { BatchLink } from '../stock/inventory-record.js';
import { alertWords } from './environment-words.js';
import { type AlertDetail, readingText, worstOf } from './limits.js';

type Batch = AlertDetail['affectedBatches'][number];
const nameOf = ({ productCode, batchNo }: Batch): string => JSON.stringify([productCode, batchNo]);

/** The batches in the room that the excursion may have harmed. Selected ones are put on hold because of the alert. */
export function AffectedBatches({ alert }: { alert: AlertDetail }) {
  const words = useWords(alertWords);
  const may = useMay();
  const free = alert.affectedBatches.filter((batch) => !batch.held);
  // Once someone has decided about the alert, the remaining batches were left out on purpose.
  const isDecided = alert.acknowledgedAt !== null || free.length < alert.affectedBatches.length;
  // A batch that arrives meanwhile is selected, too.
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set(isDecided ? free.map(nameOf) : []));
  const isChosen = (batch: Batch) => !leftOut.has(nameOf(batch));
  const chosen = free.filter(isChosen);
  const canHold = free.length > 0 && may('inventory:write');
  const selection: Selection<Batch> = {
    items: chosen,
    has: isChosen,
    toggle(batch) {
      const next = new Set(leftOut);
      if (!next.delete(nameOf(batch))) next.add(nameOf(batch));
      setLeftOut(next);
    },
    add: () => setLeftOut(new Set()),
    clear: () => setLeftOut(new Set(free.map(nameOf))),
    nameOf: (batch) => words.batchName(batch.productName, batch.batchNo),
    canSelect: (batch) => !batch.held,
  };
  return (
    <Panel
      title={words.batches}
      hint={words.batchesHint}
      actions={canHold && <HoldButton alert={alert} chosen={chosen} isAll={chosen.length === free.length} />}
    >
      <Stack gap="sm">
        {canHold && (
          <Text size="sm" c="dimmed" role="status">
            {words.chosen(chosen.length, free.length)}
          </Text>
        )}
        <ItemTable
          items={alert.affectedBatches}
          label={words.batches}
          rowKey={nameOf}
          empty={{ title: words.noBatches, hint: words.noBatchesHint }}
          selection={canHold ? selection : undefined}
          columns={useColumns()}
        />
        <Text size="sm" c="dimmed">
          {words.left}{' '}
          <PageLink to="/movements" search={{ warehouse: alert.warehouse }} underline="always">
            {words.movements}
          </PageLink>
        </Text>
      </Stack>
    </Panel>
  );
}

function HoldButton({
  alert,
  chosen,
  isAll,
}: {
  alert: AlertDetail;
  chosen: readonly Batch[];
  isAll: boolean;
}) {
  const words = useWords(alertWords);
  const { held } = useWords(holdBatchesWords);
  const warehouseName = useWarehouseName();
  const { language } = useLanguage();
  // All batches, including one that arrived after the page was rendered.
  const batches = isAll
    ? {}
    : { batches: chosen.map(({ productCode, batchNo }) => ({ productCode, batchNo })) };
  const because = words.holdReason(
    words.metrics[alert.metric],
    readingText(worstOf(alert).value, alert.metric, language),
    alert.pointName,
  );
  return (
    <HoldBatchesButton
      batches={chosen}
      where={warehouseName(alert.warehouse)}
      because={because}
      disabled={chosen.length === 0}
      run={({ reason }) =>
        api.post('/v2/environment/alerts/{alertId}/hold', {
          path: { alertId: alert.alertId },
          // An unchanged suggestion is not sent: the service writes the reason, which each page shows in its own language.
          body: { ...(reason === because ? {} : { reason }), ...batches },
        })
      }
      done={held(chosen.length)}
    />
  );
}

function useColumns(): Column<Batch>[] {
  const words = useWords(alertWords);
  const format = useFormat();
  return [
    {
      name: words.product,
      show: (batch) => (
        <Group gap="xs">
          <Text size="sm">{batch.productName}</Text>
          {batch.held && <StatusBadge status="on_hold" />}
        </Group>
      ),
      by: (batch) => batch.productName,
    },
    { name: words.batch, show: (batch) => <BatchLink {...batch} />, wide: 'below' },
    {
      name: words.expiry,
      show: (batch) => <Expiry date={batch.expiryDate} />,
      by: (batch) => batch.expiryDate,
      wide: 'below',
    },
    {
      name: words.quantity,
      show: (batch) => format.number(batch.quantity),
      by: (batch) => batch.quantity,
      align: 'right',
    },
  ];
}
