import { Box } from '@mantine/core';
import { useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../ui/filter-bar.js';
import { Page, Panel } from '../../ui/page.js';
import { useStatusChoices } from '../../ui/status.js';
import { ProductPicker } from '../catalogue/pickers.js';
import { HoldTable } from './hold-table.js';
import { operationWords } from './operation-words.js';
import { stockWords } from './stock-words.js';

const FILTERS = ['productCode', 'batchNo', 'status'] as const;

export default function Holds() {
  const words = useWords(operationWords);
  const stock = useWords(stockWords);
  const common = useWords(commonWords);
  const [filters, change] = useFilters(FILTERS);
  const [onHold, released] = useStatusChoices(['on_hold', 'released']);
  const list = useList('/v2/stock/holds', { query: filters as object });
  return (
    <Page title={words.holds} hint={words.holdsHint}>
      <Panel>
        <FilterBar>
          <Box w={{ base: '100%', xs: 320 }}>
            <ProductPicker value={filters.productCode} onChange={(productCode) => change({ productCode })} />
          </Box>
          <SearchFilter
            label={stock.batch}
            value={filters.batchNo}
            onChange={(batchNo) => change({ batchNo })}
          />
          <ChoiceFilter
            label={common.status}
            value={filters.status}
            choices={[
              { value: 'active', label: onHold?.label ?? '' },
              { value: 'released', label: released?.label ?? '' },
            ]}
            onChange={(status) => change({ status })}
          />
        </FilterBar>
        <HoldTable
          list={list}
          empty={words.noHolds}
          filtered={Object.keys(filters).length > 0}
          onClearFilters={() => change({ productCode: null, batchNo: null, status: null })}
        />
      </Panel>
    </Page>
  );
}
