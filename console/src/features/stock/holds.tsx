import { bulkApi, useCountedList } from '../../app/api.js';
import { changedPaths } from '../../app/changes.js';
import { useWords } from '../../app/language.js';
import { refreshPaths } from '../../app/queries.js';
import { useMay } from '../../app/session.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { choiceFilter, linkFilter, pickerFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { useStatusName } from '../../ui/status.js';
import { ProductPicker } from '../catalogue/pickers.js';
import { useHoldColumns } from './hold-columns.js';
import { operationWords } from './operation-words.js';
import { stockWords } from './stock-words.js';

const ALL = 'all';
const RELEASE = '/v2/stock/holds/{holdId}/release';

export default function Holds() {
  const words = useWords(operationWords);
  const stock = useWords(stockWords);
  const common = useWords(commonWords);
  const statusName = useStatusName();
  const statuses = [
    { value: 'active', label: statusName('on_hold') },
    { value: 'released', label: statusName('ended') },
    { value: ALL, label: common.all },
  ];
  const categories = Object.entries(words.categories).map(([value, label]) => ({ value, label }));
  const filters = useListFilters(
    {
      productCode: pickerFilter(stock.product, ProductPicker),
      batchNo: linkFilter(stock.batch),
      status: {
        ...choiceFilter(common.status, statuses),
        ...{ usual: 'active', isRequired: true },
        toParameter: (status) => (status === ALL ? undefined : status),
      },
      category: choiceFilter(words.category, categories),
    },
    { by: [stock.product, stock.batch] },
  );
  const may = useMay();
  const releasable = (category: string) =>
    category !== 'recall' && may(category === 'logistics' ? 'inventory:write' : 'quality:write');
  return (
    <ListPage
      title={words.holds}
      hint={words.holdsHint}
      filters={filters}
      list={useCountedList('/v2/stock/holds', filters)}
      noun={words.noun}
      usualSort="-createdAt"
      bulk={{
        nameOf: (hold) => [hold.productName ?? hold.productCode, hold.batchNo].filter(Boolean).join(' · '),
        actions:
          may('inventory:write') || may('quality:write')
            ? [
                {
                  label: words.release,
                  question: words.releaseQuestion,
                  reason: 'required',
                  isPossible: ({ status, category }) => status === 'active' && releasable(category),
                  run: ({ holdId }, reason, idempotencyKey) =>
                    bulkApi.post(RELEASE, { path: { holdId }, body: { reason }, idempotencyKey }),
                  settle: () => refreshPaths(changedPaths(RELEASE)),
                },
              ]
            : [],
      }}
      rowKey={(hold) => hold.holdId}
      empty={{ title: words.noHolds }}
      columns={useHoldColumns()}
    />
  );
}
