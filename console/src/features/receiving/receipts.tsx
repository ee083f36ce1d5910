import { Box } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../ui/filter-bar.js';
import { ButtonLink, PageLink } from '../../ui/links.js';
import { Page, Panel } from '../../ui/page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { SupplierPicker } from '../catalogue/pickers.js';
import { receiptWords } from './receipt-words.js';

const FILTERS = ['receiptNo', 'status', 'kind', 'supplierCode'] as const;

export default function Receipts() {
  const words = useWords(receiptWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const may = useMay();
  const [filters, change] = useFilters(FILTERS);
  const list = useList('/v2/receipts', { query: filters as object });
  const newButton = may('receipts:write') && (
    <ButtonLink to="/receipts/new" leftSection={<Plus size={16} />}>
      {words.newReceipt}
    </ButtonLink>
  );
  return (
    <Page title={words.receipts} hint={words.hint} actions={newButton}>
      <Panel>
        <FilterBar>
          <SearchFilter
            label={words.receiptNo}
            value={filters.receiptNo}
            onChange={(receiptNo) => change({ receiptNo })}
          />
          <ChoiceFilter
            label={common.status}
            value={filters.status}
            choices={useStatusChoices([
              'pending_acceptance',
              'accepted',
              'partially_accepted',
              'rejected',
              'cancelled',
            ])}
            onChange={(status) => change({ status })}
          />
          <ChoiceFilter
            label={words.kind}
            value={filters.kind}
            choices={(['purchase', 'return'] as const).map((value) => ({ value, label: words.kinds[value] }))}
            onChange={(kind) => change({ kind })}
          />
          <Box w={{ base: '100%', xs: 260 }}>
            <SupplierPicker
              value={filters.supplierCode}
              onChange={(supplierCode) => change({ supplierCode })}
            />
          </Box>
        </FilterBar>
        <DataTable
          list={list}
          label={words.receipts}
          rowKey={(receipt) => receipt.receiptId}
          filtered={Object.keys(filters).length > 0}
          onClearFilters={() => change({ receiptNo: null, status: null, kind: null, supplierCode: null })}
          empty={{ title: words.empty, hint: words.emptyHint }}
          columns={[
            {
              name: words.receiptNo,
              show: (receipt) => (
                <PageLink to="/receipts/$receiptId" params={{ receiptId: receipt.receiptId }}>
                  <CodeText>{receipt.receiptNo}</CodeText>
                </PageLink>
              ),
            },
            { name: words.kind, show: (receipt) => words.kinds[receipt.kind], wide: true },
            { name: words.from, show: (receipt) => receipt.supplierName ?? receipt.customerName, wide: true },
            { name: words.warehouse, show: (receipt) => receipt.warehouse, wide: true },
            {
              name: words.lineCount,
              show: (receipt) => format.number(receipt.lines.length),
              align: 'right',
              wide: true,
            },
            { name: words.createdAt, show: (receipt) => format.instant(receipt.createdAt), wide: true },
            { name: common.status, show: (receipt) => <StatusBadge status={receipt.status} /> },
          ]}
        />
      </Panel>
    </Page>
  );
}
