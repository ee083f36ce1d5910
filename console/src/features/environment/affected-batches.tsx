import { Checkbox, Group, Stack, Text } from '@mantine/core';
import { Snowflake } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { AskedButton } from '../../ui/action.js';
import { type Column, ItemTable } from '../../ui/data-table.js';
import { PageLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { BatchLink } from '../stock/inventory-record.js';
import { alertWords } from './environment-words.js';
import type { AlertDetail } from './limits.js';

type Batch = AlertDetail['affectedBatches'][number];
const nameOf = ({ productCode, batchNo }: Batch): string => JSON.stringify([productCode, batchNo]);

/** The batches in the room that the excursion may have harmed. Those that are chosen are put on hold because of the alert. */
export function AffectedBatches({ alert }: { alert: AlertDetail }) {
  const words = useWords(alertWords);
  const may = useMay();
  const free = alert.affectedBatches.filter((batch) => !batch.held);
  // A batch that arrives meanwhile is chosen, too.
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const chosen = free.filter((batch) => !leftOut.has(nameOf(batch)));
  const canHold = free.length > 0 && may('inventory:write');
  const choose = (batches: readonly Batch[], isChosen: boolean) => {
    const next = new Set(leftOut);
    for (const batch of batches) {
      if (isChosen) next.delete(nameOf(batch));
      else next.add(nameOf(batch));
    }
    setLeftOut(next);
  };
  return (
    <Panel
      title={words.batches}
      hint={words.batchesHint}
      actions={canHold && <HoldButton alert={alert} chosen={chosen} isAll={chosen.length === free.length} />}
    >
      <Stack gap="sm">
        {canHold && (
          <Group gap="sm">
            <Checkbox
              label={words.chooseAll}
              checked={chosen.length === free.length}
              indeterminate={chosen.length > 0 && chosen.length < free.length}
              onChange={(event) => choose(free, event.currentTarget.checked)}
            />
            <Text size="sm" c="dimmed" role="status">
              {words.chosen(chosen.length, free.length)}
            </Text>
          </Group>
        )}
        <ItemTable
          items={alert.affectedBatches}
          label={words.batches}
          rowKey={nameOf}
          empty={{ title: words.noBatches, hint: words.noBatchesHint }}
          columns={useColumns({ canHold, isChosen: (batch) => !leftOut.has(nameOf(batch)), choose })}
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
  // All: also one that has arrived since the page was drawn.
  const batches = isAll
    ? {}
    : { batches: chosen.map(({ productCode, batchNo }) => ({ productCode, batchNo })) };
  return (
    <AskedButton
      label={words.hold}
      question={words.holdQuestion(chosen.length)}
      reason="optional"
      danger
      disabled={chosen.length === 0}
      icon={<Snowflake size={16} />}
      run={(entered) =>
        api.post('/v2/environment/alerts/{alertId}/hold', {
          path: { alertId: alert.alertId },
          // Without a reason the service writes one, which each page shows in its own language.
          body: { ...(entered ? { reason: entered } : {}), ...batches },
        })
      }
      done={words.heldNow}
    />
  );
}

function useColumns(selection: {
  canHold: boolean;
  isChosen: (batch: Batch) => boolean;
  choose: (batches: readonly Batch[], isChosen: boolean) => void;
}): Column<Batch>[] {
  const words = useWords(alertWords);
  const format = useFormat();
  const box: Column<Batch> = {
    name: words.held,
    show: (batch) =>
      batch.held ? (
        <StatusBadge status="on_hold" />
      ) : (
        selection.canHold && (
          <Checkbox
            aria-label={words.choose(`${batch.productName} ${batch.batchNo}`)}
            checked={selection.isChosen(batch)}
            onChange={(event) => selection.choose([batch], event.currentTarget.checked)}
          />
        )
      ),
  };
  return [
    box,
    { name: words.product, show: (batch) => batch.productName, by: (batch) => batch.productName },
    { name: words.batch, show: (batch) => <BatchLink {...batch} /> },
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
  ];
}
