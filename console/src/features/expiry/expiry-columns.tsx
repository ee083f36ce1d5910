import { Stack, Text } from '@mantine/core';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { timesPrice } from '../../app/money.js';
import { CodeText } from '../../ui/code-text.js';
import type { Column } from '../../ui/data-table.js';
import { useWarehouseName } from '../catalogue/warehouse-name.js';
import { BatchLink } from '../stock/inventory-record.js';
import type { ExpiringBatch } from './bulk.js';
import { expiryWords } from './expiry-words.js';

const textColor = (color: string) =>
  `light-dark(var(--mantine-color-${color}-light-color), var(--mantine-color-${color}-4))`;
const SOON_DAYS = 30;

/** The columns of the list. With a warehouse chosen, the quantities are those of that warehouse. */
export function useExpiryColumns(warehouse: string | undefined): Column<ExpiringBatch>[] {
  const words = useWords(expiryWords);
  const format = useFormat();
  const warehouseName = useWarehouseName();
  const placesOf = (batch: ExpiringBatch) =>
    batch.byWarehouse.filter((each) => warehouse === undefined || each.warehouse === warehouse);
  return [
    { name: words.expiry, show: (batch) => <Left batch={batch} /> },
    {
      name: words.product,
      wide: 'below',
      show: (batch) => (
        <Stack gap={0} miw={{ base: 0, sm: 150 }}>
          <Text size="sm">{batch.productName}</Text>
          <Text size="xs" c="dimmed">
            <CodeText>{batch.productCode}</CodeText>
          </Text>
        </Stack>
      ),
    },
    {
      name: words.batch,
      wide: 'below',
      show: (batch) => (
        <Stack gap={0}>
          <BatchLink productCode={batch.productCode} batchNo={batch.batchNo} />
          <Text size="xs" c="dimmed">
            {format.list(placesOf(batch).map((each) => warehouseName(each.warehouse)))}
          </Text>
        </Stack>
      ),
    },
    {
      name: words.quantity,
      align: 'right',
      show: (batch) => {
        const places = placesOf(batch);
        const sum = (name: 'totalQuantity' | 'reservedQuantity' | 'blockedQuantity') =>
          places.reduce((total, each) => total + each[name], 0);
        const [reserved, blocked] = [sum('reservedQuantity'), sum('blockedQuantity')];
        const others = [
          ...(reserved > 0 ? [words.reserved(format.number(reserved))] : []),
          // An expired batch is blocked as a whole.
          ...(blocked > 0 && batch.daysLeft >= 0 ? [words.blocked(format.number(blocked))] : []),
        ];
        return <TwoLines first={format.number(sum('totalQuantity'))} second={format.list(others)} />;
      },
    },
    {
      name: words.demand,
      wide: true,
      show: ({ demand }) => (
        <TwoLines
          first={words.shipped(format.number(demand.shippedQuantity))}
          second={demand.openQuantity ? words.open(format.number(demand.openQuantity)) : ''}
        />
      ),
    },
    { name: words.surplus, align: 'right', show: (batch) => <Surplus batch={batch} /> },
    {
      name: words.value,
      align: 'right',
      wide: true,
      show: ({ price, totalQuantity }) => (
        <span title={words.valueHint}>
          {price ? format.money(timesPrice(price.unitPrice, totalQuantity), price.currency) : NOTHING}
        </span>
      ),
    },
  ];
}

const TwoLines = ({ first, second }: { first: string; second: string }) => (
  <Stack gap={0} style={{ whiteSpace: 'nowrap' }}>
    <Text size="sm">{first}</Text>
    {second !== '' && (
      <Text size="xs" c="dimmed">
        {second}
      </Text>
    )}
  </Stack>
);

function Left({ batch: { expiryDate, daysLeft } }: { batch: ExpiringBatch }) {
  const words = useWords(expiryWords);
  const format = useFormat();
  const said =
    daysLeft < 0 ? words.expiredAgo(-daysLeft) : daysLeft === 0 ? words.today : words.daysLeft(daysLeft);
  return (
    <Stack gap={0} style={{ whiteSpace: 'nowrap' }}>
      <Text size="sm">{format.day(expiryDate)}</Text>
      <Text
        size="xs"
        {...(daysLeft <= SOON_DAYS
          ? { c: textColor(daysLeft < 0 ? 'red' : 'orange'), fw: 600 }
          : { c: 'dimmed' })}
      >
        {said}
      </Text>
    </Stack>
  );
}

function Surplus({ batch: { demand, daysLeft } }: { batch: ExpiringBatch }) {
  const words = useWords(expiryWords);
  const format = useFormat();
  if (demand.surplus === 0)
    return (
      <Text size="xs" c="dimmed">
        {words.usedInTime}
      </Text>
    );
  return (
    <Text
      size="sm"
      fw={600}
      c={textColor(daysLeft < 0 ? 'red' : 'orange')}
      title={words.surplusHint(format.number(demand.expectedUse), format.number(demand.expiringEarlier))}
    >
      {format.number(demand.surplus)}
    </Text>
  );
}
