import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { commonWords } from '../../ui/everywhere-words.js';
import {
  choiceFilter,
  dayFilter,
  type ListFilters,
  pickerFilter,
  textFilter,
  useListFilters,
} from '../../ui/list-filters.js';
import { useStatusChoices } from '../../ui/status.js';
import { useTaskFilter } from '../../ui/task-filter.js';
import { ProductPicker, WarehousePicker } from '../catalogue/pickers.js';
import { NONCONFORMITY_STATUSES, SOURCES } from './quality.types.js';
import { registerWords } from './register-words.js';

type FilterName = 'status' | 'task' | 'source' | 'productCode' | 'batchNo' | 'warehouse' | 'since' | 'until';

/** The filters and search text of a list, as in the URL. */
export const registerView = ({
  values,
  search,
}: ListFilters<FilterName>): Partial<Record<FilterName | 'q', string>> => ({
  ...values,
  ...(search?.value ? { q: search.value } : {}),
});

/** The filters of the register, for the list, the file and the printout. */
export function useRegisterFilters(): ListFilters<FilterName> {
  const words = useWords(registerWords);
  const common = useWords(commonWords);
  const mayPick = useMay()('products:read');
  const names = useStatusChoices(Object.values(NONCONFORMITY_STATUSES));
  const statuses = Object.keys(NONCONFORMITY_STATUSES).map((value, at) => ({
    value,
    label: names[at]?.label ?? value,
  }));
  return useListFilters<FilterName>(
    {
      status: choiceFilter(common.status, statuses),
      task: useTaskFilter('nonconformities_to_decide'),
      source: choiceFilter(
        words.source,
        SOURCES.map((value) => ({ value, label: words.sources[value] })),
      ),
      productCode: pickerFilter(words.product, ProductPicker, mayPick),
      batchNo: textFilter(words.batch),
      warehouse: pickerFilter(words.warehouse, WarehousePicker, mayPick),
      since: dayFilter(words.since),
      until: dayFilter(words.until, 'end'),
    },
    { by: [words.product, words.batch, words.source, words.supplier] },
  );
}
