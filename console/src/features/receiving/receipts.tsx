import { Text } from '@mantine/core';
import { useCountedList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { choiceFilter, pickerFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { receiptStatus, StatusBadge, useStatusChoices } from '../../ui/status.js';
import { When } from '../../ui/when.js';
import { SupplierPicker } from '../catalogue/pickers.js';
import { useWarehouseName } from '../catalogue/warehouse-name.js';
import { acceptanceRecordWords, isHeldOnArrival } from './acceptance-record-words.js';
import { receiptWords } from './receipt-words.js';

const STATUSES = ['pending_acceptance', 'accepted', 'partially_accepted', 'rejected', 'cancelled'] as const;
const KINDS = ['purchase', 'return'] as const;

export default function Receipts() {
  const words = useWords(receiptWords);
  const record = useWords(acceptanceRecordWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const kinds = KINDS.map((value) => ({ value, label: words.kinds[value] }));
  const warehouseName = useWarehouseName();
  const names = useStatusChoices(STATUSES.map(receiptStatus));
  const filters = useListFilters(
    {
      status: choiceFilter(
        common.status,
        STATUSES.map((value, at) => ({ value, label: names[at]?.label ?? value })),
      ),
      kind: choiceFilter(words.kind, kinds),
      supplierCode: pickerFilter(words.supplier, SupplierPicker),
    },
    { by: [words.receiptNo, words.from] },
  );
  return (
    <ListPage
      title={words.receipts}
      hint={words.hint}
      create={{ scope: 'receipts:write', label: words.newReceipt, to: '/receipts/new' }}
      filters={filters}
      list={useCountedList('/v2/receipts', filters)}
      noun={words.noun}
      usualSort="-createdAt"
      rowKey={(receipt) => receipt.receiptId}
      empty={{ title: words.empty, hint: words.emptyHint }}
      columns={[
        {
          name: words.receiptNo,
          sort: 'receiptNo',
          show: (receipt) => (
            <RowLink to="/receipts/$receiptId" params={{ receiptId: receipt.receiptId }}>
              <CodeText>{receipt.receiptNo}</CodeText>
            </RowLink>
          ),
        },
        { name: words.kind, show: (receipt) => words.kinds[receipt.kind], wide: true },
        { name: words.from, show: (receipt) => receipt.supplierName ?? receipt.customerName, wide: 'below' },
        { name: words.warehouse, show: (receipt) => warehouseName(receipt.warehouse), wide: 'below' },
        {
          name: words.lineCount,
          show: (receipt) => format.number(receipt.lines.length),
          align: 'right',
          wide: true,
        },
        {
          name: words.createdAt,
          sort: 'createdAt',
          show: (receipt) => <When at={receipt.createdAt} />,
          wide: 'below',
          below: (receipt) => (
            <>
              <When at={receipt.createdAt} /> · {words.kinds[receipt.kind]}
            </>
          ),
        },
        {
          name: common.status,
          show: (receipt) => (
            <>
              <StatusBadge status={receiptStatus(receipt.status)} />
              {isHeldOnArrival(receipt) && (
                <Text size="xs" c="dimmed">
                  {record.heldOnArrival}
                </Text>
              )}
            </>
          ),
        },
      ]}
    />
  );
}
