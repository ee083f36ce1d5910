import { Stack, Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import type { Column } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { Person } from '../../ui/person.js';
import { StatusBadge } from '../../ui/status.js';
import { When } from '../../ui/when.js';
import { WrittenReason } from '../../ui/written-reason.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { BatchLink } from '../stock/inventory-record.js';
import { entryStatus, type Nonconformity } from './quality.types.js';
import { registerWords } from './register-words.js';

/** The columns of a list of entries; on the page of a batch, without the batch. */
export function useNonconformityColumns({ ofOneBatch = false } = {}): Column<Nonconformity>[] {
  const words = useWords(registerWords);
  const common = useWords(commonWords);
  const format = useFormat();
  return [
    {
      name: words.goods,
      show: (entry) => (
        <Stack gap={0} miw={{ base: 100, sm: 150 }}>
          <RowLink to="/quality/nonconformities/$ncId" params={{ ncId: entry.ncId }}>
            {entry.productName}
          </RowLink>
          <Text size="xs" c="dimmed">
            <CodeText>{entry.productCode}</CodeText>
          </Text>
          {!ofOneBatch && <BatchLink productCode={entry.productCode} batchNo={entry.batchNo} />}
        </Stack>
      ),
    },
    {
      name: words.quantity,
      show: (entry) => (
        <>
          {format.number(entry.quantity)}
          {entry.openQuantity > 0 && entry.openQuantity < entry.quantity && (
            <Text size="xs" c="dimmed">
              {words.ofThemOpen(format.number(entry.openQuantity))}
            </Text>
          )}
        </>
      ),
      align: 'right',
      wide: 'below',
      below: (entry) => (
        <>
          {words.quantity} {format.number(entry.quantity)} · <WarehouseText code={entry.warehouse} />
        </>
      ),
    },
    {
      name: words.warehouse,
      show: (entry) => (
        <Text size="sm" miw={130}>
          <WarehouseText code={entry.warehouse} />
        </Text>
      ),
      wide: true,
    },
    {
      name: common.reason,
      show: (entry) => <Reason entry={entry} />,
      wide: 'below',
    },
    {
      name: words.enteredAt,
      show: (entry) => (
        <>
          <When at={entry.createdAt} />
          <Text size="xs" c="dimmed">
            <Person email={entry.createdBy} />
          </Text>
        </>
      ),
      wide: 'below',
      below: (entry) => (
        <>
          <When at={entry.createdAt} /> · <Person email={entry.createdBy} />
        </>
      ),
    },
    {
      name: common.status,
      show: (entry) => <StatusBadge status={entryStatus(entry)} />,
    },
  ];
}

/** Why the goods do not conform, and where that was found. */
function Reason({ entry }: { entry: Nonconformity }) {
  const words = useWords(registerWords);
  return (
    <Stack gap={0} miw={{ sm: 140 }}>
      <Text fz={{ base: 'xs', sm: 'sm' }}>
        <WrittenReason reason={entry.reason} />
      </Text>
      <Text size="xs" c="dimmed">
        {words.sources[entry.source.kind]}
        {entry.source.no && (
          <>
            {' · '}
            <CodeText>{entry.source.no}</CodeText>
          </>
        )}
      </Text>
    </Stack>
  );
}
