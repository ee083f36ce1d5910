import { Text } from '@mantine/core';
import { useList } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import type { Column } from '../../ui/data-table.js';
import { choiceFilter, linkFilter, pickerFilter, textFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { Person } from '../../ui/person.js';
import { When } from '../../ui/when.js';
import { WrittenReason } from '../../ui/written-reason.js';
import { ProductPicker, WarehousePicker } from '../catalogue/pickers.js';
import { useWarehouseName } from '../catalogue/warehouse-name.js';
import { BatchLink } from './inventory-record.js';
import { DocumentLink, type Movement, useSignedQuantity } from './movement.js';
import { movementWords } from './movement-words.js';
import { stockWords } from './stock-words.js';

export default function Movements() {
  const words = useWords(movementWords);
  const stock = useWords(stockWords);
  const kinds = Object.entries(words.kinds).map(([value, label]) => ({ value, label }));
  const filters = useListFilters(
    {
      productCode: pickerFilter(stock.product, ProductPicker),
      warehouse: pickerFilter(stock.warehouse, WarehousePicker),
      kind: choiceFilter(words.kind, kinds),
      batchNo: textFilter(stock.batch),
      serialNo: linkFilter(words.serialNo),
    },
    { by: [stock.product, stock.batch, words.serialNo, words.document] },
  );
  return (
    <ListPage
      title={words.movements}
      hint={words.hint}
      filters={filters}
      list={useList('/v2/stock/movements', { query: filters.query })}
      noun={words.noun}
      rowKey={(movement) => movement.movementId}
      empty={{ title: words.empty }}
      columns={useColumns()}
    />
  );
}

function useColumns(): Column<Movement>[] {
  const words = useWords(movementWords);
  const stock = useWords(stockWords);
  const warehouseName = useWarehouseName();
  return [
    { name: words.kind, show: (movement) => words.kinds[movement.kind] },
    {
      name: words.when,
      show: (movement) => (
        <>
          <When at={movement.occurredAt} />
          <Text size="xs" c="dimmed">
            <Person email={movement.actor} />
          </Text>
        </>
      ),
      wide: true,
    },
    {
      name: stock.product,
      show: (movement) => (
        <>
          {movement.productName ?? movement.productCode}
          <Text size="xs" c="dimmed">
            <CodeText>{movement.productCode}</CodeText>
          </Text>
        </>
      ),
      wide: 'below',
      below: (movement) => (
        <Text size="sm" c="var(--mantine-color-text)">
          {movement.productName ?? movement.productCode}
        </Text>
      ),
    },
    {
      name: stock.batch,
      show: (movement) => <BatchLink productCode={movement.productCode} batchNo={movement.batchNo} isRow />,
      wide: 'below',
      below: (movement) => (
        <>
          <BatchLink productCode={movement.productCode} batchNo={movement.batchNo} isRow /> ·{' '}
          {warehouseName(movement.warehouse)}
        </>
      ),
    },
    { name: stock.quantity, show: (movement) => <Change movement={movement} />, align: 'right' },
    { name: stock.warehouse, show: (movement) => warehouseName(movement.warehouse), wide: true },
    {
      name: words.document,
      show: (movement) => (
        <>
          <DocumentLink document={movement.document} />
          {movement.reason && (
            <Text size="xs" c="dimmed">
              <WrittenReason reason={movement.reason} />
            </Text>
          )}
        </>
      ),
      wide: 'below',
      below: (movement) => (
        <>
          <When at={movement.occurredAt} /> · <DocumentLink document={movement.document} />
        </>
      ),
    },
  ];
}

function Change({ movement }: { movement: Movement }) {
  const words = useWords(movementWords);
  const change = useSignedQuantity()(movement);
  if (movement.quantityDelta !== 0) return change;
  return (
    <Text size="sm" c="dimmed" title={words.unchanged}>
      {change}
    </Text>
  );
}
