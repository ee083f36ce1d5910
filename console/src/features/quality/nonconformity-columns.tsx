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
      show: (entry) => format.number(entry.quantity),
      align: 'right',
    },
    { name: words.open, show: (entry) => format.number(entry.openQuantity), align: 'right', wide: true },
    { name: words.warehouse, show: (entry) => <WarehouseText code={entry.warehouse} />, wide: true },
    {
      name: common.reason,
      show: (entry) => (
        <Stack gap={0} miw={140}>
          <Text size="sm">
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
      ),
      wide: true,
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
      wide: true,
    },
    {
      name: common.status,
      show: (entry) => <StatusBadge status={entryStatus(entry)} />,
    },
  ];
}
