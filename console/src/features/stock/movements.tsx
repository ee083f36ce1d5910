import { Text } from '@mantine/core';
import { useList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import type { Column } from '../../ui/data-table.js';
import { PageLink } from '../../ui/links.js';
import { choiceFilter, linkFilter, pickerFilter, textFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { ProductPicker, WarehousePicker } from '../catalogue/pickers.js';
import { BatchLink } from './inventory-record.js';
import { DocumentLink, type Movement, useChange } from './movement.js';
import { movementWords } from './movement-words.js';
import { stockWords } from './stock-words.js';

export default function Movements() {
  const words = useWords(movementWords);
  const stock = useWords(stockWords);
  const kinds = Object.entries(words.kinds).map(([value, label]) => ({ value, label }));
  const filters = useListFilters({
    productCode: pickerFilter(ProductPicker, 320),
    warehouse: pickerFilter(WarehousePicker, 220),
    kind: choiceFilter(words.kind, kinds),
    batchNo: textFilter(stock.batch),
    serialNo: linkFilter,
  });
  return (
    <ListPage
      title={words.movements}
      hint={words.hint}
      filters={filters}
      list={useList('/v2/stock/movements', { query: filters.query })}
      rowKey={(movement) => movement.movementId}
      empty={{ title: words.empty }}
      columns={useColumns()}
    />
  );
}

function useColumns(): Column<Movement>[] {
  const words = useWords(movementWords);
  const stock = useWords(stockWords);
  const format = useFormat();
  const changeOf = useChange();
  return [
    {
      name: words.when,
      show: (movement) => (
        <>
          <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
            {format.instant(movement.occurredAt)}
          </Text>
          <Text size="xs" c="dimmed">
            {movement.actor}
          </Text>
        </>
      ),
      wide: true,
    },
    {
      name: words.kind,
      show: (movement) => (
        <>
          {words.kinds[movement.kind]}
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {format.instant(movement.occurredAt)}
          </Text>
        </>
      ),
    },
    {
      name: stock.product,
      show: (movement) => (
        <PageLink to="/products/$productCode" params={{ productCode: movement.productCode }}>
          <CodeText>{movement.productCode}</CodeText>
        </PageLink>
      ),
      wide: true,
    },
    {
      name: stock.batch,
      show: (movement) => <BatchLink productCode={movement.productCode} batchNo={movement.batchNo} />,
    },
    { name: words.change, show: (movement) => changeOf(movement), align: 'right' },
    {
      name: stock.warehouse,
      show: (movement) => <span style={{ whiteSpace: 'nowrap' }}>{movement.warehouse}</span>,
      wide: true,
    },
    {
      name: words.document,
      show: (movement) => (
        <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
          <DocumentLink document={movement.document} />
        </Text>
      ),
      wide: true,
    },
  ];
}
