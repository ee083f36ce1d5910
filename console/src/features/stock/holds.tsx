import { useList } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { choiceFilter, pickerFilter, textFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { useStatusChoices } from '../../ui/status.js';
import { ProductPicker } from '../catalogue/pickers.js';
import { useHoldColumns } from './hold-columns.js';
import { operationWords } from './operation-words.js';
import { stockWords } from './stock-words.js';

export default function Holds() {
  const words = useWords(operationWords);
  const stock = useWords(stockWords);
  const common = useWords(commonWords);
  const [onHold, released] = useStatusChoices(['on_hold', 'released']);
  const statuses = [
    { value: 'active', label: onHold?.label ?? '' },
    { value: 'released', label: released?.label ?? '' },
  ];
  const categories = Object.entries(words.categories).map(([value, label]) => ({ value, label }));
  const filters = useListFilters({
    productCode: pickerFilter(ProductPicker, 320),
    batchNo: textFilter(stock.batch),
    status: choiceFilter(common.status, statuses),
    category: choiceFilter(words.category, categories),
  });
  return (
    <ListPage
      title={words.holds}
      hint={words.holdsHint}
      filters={filters}
      list={useList('/v2/stock/holds', { query: filters.query })}
      rowKey={(hold) => hold.holdId}
      empty={{ title: words.noHolds }}
      columns={useHoldColumns()}
    />
  );
}
