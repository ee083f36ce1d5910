import { Box, Stack, Text } from '@mantine/core';
import { type Format, NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { timesPrice } from '../../app/money.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import type { Column } from '../../ui/data-table.js';
import { useWarehouseName } from '../catalogue/warehouse-name.js';
import { BatchLink } from '../stock/inventory-record.js';
import type { ExpiringBatch } from './bulk.js';
import { expiryWords } from './expiry-words.js';

const textColor = (color: string) =>
  `light-dark(var(--mantine-color-${color}-light-color), var(--mantine-color-${color}-4))`;
const SOON_DAYS = 30;

/** The columns of the list. With a warehouse chosen, the quantities are those of that warehouse. Expired stock has no demand. */
export function useExpiryColumns(
  warehouse: string | undefined,
  isOfExpired: boolean,
): Column<ExpiringBatch>[] {
  const words = useWords(expiryWords);
  const may = useMay();
  const format = useFormat();
  const warehouseName = useWarehouseName();
  const placesOf = (batch: ExpiringBatch) =>
    batch.byWarehouse.filter((each) => warehouse === undefined || each.warehouse === warehouse);
  const namesOf = (batch: ExpiringBatch) =>
    format.list(placesOf(batch).map((each) => warehouseName(each.warehouse)));
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
      below: (batch) => (
        <Text size="sm" c="var(--mantine-color-text)">
          {batch.productName}
        </Text>
      ),
    },
    {
      name: words.batch,
      wide: 'below',
      show: (batch) => (
        <Stack gap={0}>
          <BatchLink productCode={batch.productCode} batchNo={batch.batchNo} isRow />
          <Text size="xs" c="dimmed">
            {namesOf(batch)}
          </Text>
        </Stack>
      ),
      below: (batch) => (
        <>
          <BatchLink productCode={batch.productCode} batchNo={batch.batchNo} isRow /> · {namesOf(batch)}
        </>
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
    ...(isOfExpired ? [] : demandColumns(words, format)),
    ...(may('orders:read') ? [valueColumn(words, format)] : []),
  ];
}

type Words = ReturnType<typeof useWords<(typeof expiryWords)['en']>>;

function demandColumns(words: Words, format: Format): Column<ExpiringBatch>[] {
  return [
    {
      name: words.demand,
      wide: true,
      show: ({ demand, daysLeft }) =>
        daysLeft < 0 ? (
          NOTHING
        ) : (
          <TwoLines
            first={words.shipped(format.number(demand.shippedQuantity))}
            second={demand.openQuantity ? words.open(format.number(demand.openQuantity)) : ''}
          />
        ),
    },
    {
      name: words.surplus,
      align: 'right',
      wide: 'below',
      show: (batch) => <Surplus batch={batch} />,
      below: ({ demand, daysLeft }) =>
        daysLeft >= 0 &&
        (demand.surplus === 0 ? words.usedInTime : words.surplusOf(format.number(demand.surplus))),
    },
  ];
}

const valueColumn = (words: Words, format: Format): Column<ExpiringBatch> => ({
  name: words.value,
  align: 'right',
  wide: true,
  show: ({ price, totalQuantity }) =>
    price ? (
      format.money(timesPrice(price.unitPrice, totalQuantity), price.currency)
    ) : (
      <Text size="xs" c="dimmed">
        {words.neverShipped}
      </Text>
    ),
});

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
  const days = format.number(Math.abs(daysLeft));
  const said = daysLeft < 0 ? words.expiredAgo(days) : daysLeft === 0 ? words.today : words.daysLeft(days);
  return (
    <Box style={{ whiteSpace: 'nowrap' }}>
      <Text component="span" size="sm" mr={6}>
        {format.day(expiryDate)}
      </Text>
      <Text
        component="span"
        size="xs"
        display={{ base: 'inline', sm: 'block' }}
        {...(daysLeft <= SOON_DAYS
          ? { c: textColor(daysLeft < 0 ? 'red' : 'orange'), fw: 600 }
          : { c: 'dimmed' })}
      >
        {said}
      </Text>
    </Box>
  );
}

function Surplus({ batch: { demand, daysLeft } }: { batch: ExpiringBatch }) {
  const words = useWords(expiryWords);
  const format = useFormat();
  if (daysLeft < 0) return NOTHING;
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
      c={textColor('orange')}
      title={words.surplusHint(format.number(demand.expectedUse), format.number(demand.expiringEarlier))}
    >
      {format.number(demand.surplus)}
    </Text>
  );
}
