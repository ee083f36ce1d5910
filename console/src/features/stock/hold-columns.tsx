import type { Item } from '@lotward/client';
import { Box, Stack, Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import type { Column } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Person, usePersonName } from '../../ui/person.js';
import { StatusBadge } from '../../ui/status.js';
import { When } from '../../ui/when.js';
import { WrittenReason } from '../../ui/written-reason.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { HoldMenu } from './hold-menu.js';
import { BatchLink } from './inventory-record.js';
import { operationWords } from './operation-words.js';
import { stockWords } from './stock-words.js';

type Hold = Item<'/v2/stock/holds'>;

/** The columns of a list of holds; the page of a batch omits the batch. Each hold can be released, moved or disposed of. */
export function useHoldColumns({ ofOneBatch = false } = {}): Column<Hold>[] {
  const words = useWords(operationWords);
  const stock = useWords(stockWords);
  const common = useWords(commonWords);
  const may = useMay();
  const goods: Column<Hold>[] = [
    {
      name: stock.batch,
      show: (hold) => <BatchLink productCode={hold.productCode} batchNo={hold.batchNo} isRow />,
    },
    {
      name: stock.product,
      show: (hold) => (
        <>
          {hold.productName ?? hold.productCode}
          <Text size="xs" c="dimmed">
            <CodeText>{hold.productCode}</CodeText>
          </Text>
        </>
      ),
      wide: 'below',
    },
  ];
  return [
    ...(ofOneBatch ? [] : goods),
    {
      name: common.reason,
      show: (hold) => <Reason hold={hold} />,
      ...(ofOneBatch ? {} : { wide: 'below' as const, below: (hold: Hold) => <ShortReason hold={hold} /> }),
    },
    {
      name: words.extent,
      show: (hold) => <Extent hold={hold} />,
      wide: 'below',
      below: (hold) => (
        <>
          <Amount hold={hold} /> · <Place hold={hold} />
        </>
      ),
    },
    {
      name: words.since,
      sort: 'createdAt',
      show: (hold) => (
        <>
          <When at={hold.createdAt} />
          <Text size="xs" c="dimmed">
            <Person email={hold.createdBy} />
          </Text>
        </>
      ),
      wide: 'below',
      below: (hold) => (
        <>
          <When at={hold.createdAt} /> · <Person email={hold.createdBy} />
        </>
      ),
    },
    ...(ofOneBatch
      ? []
      : [{ name: common.status, show: (hold: Hold) => <HoldStatus hold={hold} />, wide: 'below' as const }]),
    ...(may('inventory:write') || may('quality:write')
      ? [{ name: common.actions, show: (hold: Hold) => hold.status === 'active' && <HoldMenu hold={hold} /> }]
      : []),
  ];
}

/** Not every ended hold was released for sale: its goods may have been destroyed. */
const HoldStatus = ({ hold }: { hold: Hold }) => (
  <StatusBadge status={hold.status === 'active' ? 'on_hold' : 'ended'} />
);

/** The reason that the service writes names the recall or return. */
const isSelfEvident = ({ category }: Hold): boolean =>
  !['logistics', 'quality', 'environment'].includes(category);

function Reason({ hold }: { hold: Hold }) {
  const words = useWords(operationWords);
  return (
    <Stack gap={0} miw={{ base: 0, sm: 150 }}>
      <Text size="sm">
        <WrittenReason reason={hold.reason} />
      </Text>
      {!isSelfEvident(hold) && (
        <Text size="xs" c="dimmed">
          {words.categories[hold.category]}
        </Text>
      )}
      <End hold={hold} />
    </Stack>
  );
}

function ShortReason({ hold }: { hold: Hold }) {
  const words = useWords(operationWords);
  const { colon } = useFormat();
  return (
    <>
      {!isSelfEvident(hold) && words.categories[hold.category] + colon}
      <WrittenReason reason={hold.reason} />
      <End hold={hold} />
    </>
  );
}

/** When and why the hold ended, and by whom. */
function End({ hold }: { hold: Hold }) {
  const words = useWords(operationWords);
  const format = useFormat();
  const personName = usePersonName();
  if (hold.status === 'active') return null;
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {words.endedBy(format.instant(hold.releasedAt), personName(hold.releasedBy ?? ''))}
      {hold.releaseReason && format.colon + hold.releaseReason}
    </Text>
  );
}

/** The held quantity of the batch, and its location. */
function Extent({ hold }: { hold: Hold }) {
  return (
    <Box miw={130}>
      <Amount hold={hold} />
      <Text size="xs" c="dimmed">
        <Place hold={hold} />
      </Text>
    </Box>
  );
}

function Place({ hold }: { hold: Hold }) {
  const words = useWords(operationWords);
  return hold.warehouse === null ? words.everywhereShort : <WarehouseText code={hold.warehouse} />;
}

function Amount({ hold }: { hold: Hold }) {
  const words = useWords(operationWords);
  const format = useFormat();
  if (hold.extent === 'batch') return words.extentOf.batch;
  if (hold.quantity === 0) return words.noUnitsLeft;
  if (hold.extent === 'quantity') return words.extentOf.quantity(format.number(hold.quantity));
  return (
    <>
      {words.extentOf.serials(format.number(hold.serials.length))}
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {hold.serials.slice(0, 5).join(', ')}
        {hold.serials.length > 5 ? ' …' : ''}
      </Text>
    </>
  );
}
