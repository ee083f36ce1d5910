import { Box, Text } from '@mantine/core';
import { useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../ui/filter-bar.js';
import { PageLink } from '../../ui/links.js';
import { Page, Panel } from '../../ui/page.js';
import { ProductPicker, WarehousePicker } from '../catalogue/pickers.js';
import { BatchLink } from './inventory-record.js';
import { DocumentLink, type Movement, useChange } from './movement.js';
import { movementWords } from './movement-words.js';
import { stockWords } from './stock-words.js';

const FILTERS = ['productCode', 'warehouse', 'kind', 'batchNo', 'serialNo'] as const;

export default function Movements() {
  const words = useWords(movementWords);
  const columns = useColumns();
  const [filters, change] = useFilters(FILTERS);
  const list = useList('/v2/stock/movements', { query: filters as object });
  return (
    <Page title={words.movements} hint={words.hint}>
      <Panel>
        <Filters filters={filters} change={change} />
        <DataTable
          list={list}
          label={words.movements}
          rowKey={(movement) => movement.movementId}
          filtered={Object.keys(filters).length > 0}
          onClearFilters={() =>
            change({ productCode: null, warehouse: null, kind: null, batchNo: null, serialNo: null })
          }
          empty={{ title: words.empty }}
          columns={columns}
        />
      </Panel>
    </Page>
  );
}

function Filters({
  filters,
  change,
}: {
  filters: Partial<Record<(typeof FILTERS)[number], string>>;
  change: (part: Partial<Record<(typeof FILTERS)[number], string | null>>) => void;
}) {
  const words = useWords(movementWords);
  const stock = useWords(stockWords);
  const kinds = Object.entries(words.kinds).map(([value, label]) => ({ value, label }));
  return (
    <FilterBar>
      <Box w={{ base: '100%', xs: 320 }}>
        <ProductPicker value={filters.productCode} onChange={(productCode) => change({ productCode })} />
      </Box>
      <Box w={{ base: '100%', xs: 220 }}>
        <WarehousePicker value={filters.warehouse} onChange={(warehouse) => change({ warehouse })} />
      </Box>
      <ChoiceFilter
        label={words.kind}
        value={filters.kind}
        choices={kinds}
        onChange={(kind) => change({ kind })}
      />
      <SearchFilter label={stock.batch} value={filters.batchNo} onChange={(batchNo) => change({ batchNo })} />
    </FilterBar>
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
