import { useCountedList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { choiceFilter, linkFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { Person } from '../../ui/person.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { useTaskFilter } from '../../ui/task-filter.js';
import { When } from '../../ui/when.js';
import { useWarehouseName } from '../catalogue/warehouse-name.js';
import { dispatchWords } from './dispatch-words.js';

const STATUSES = ['picking', 'rechecking', 'dispatched', 'delivered', 'cancelled'] as const;

export default function Dispatches() {
  const words = useWords(dispatchWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const warehouseName = useWarehouseName();
  const filters = useListFilters(
    {
      status: choiceFilter(common.status, useStatusChoices(STATUSES)),
      task: useTaskFilter('dispatches_to_pick', 'dispatches_to_recheck'),
      orderId: linkFilter(words.order),
    },
    { by: [words.order, words.trackingNo, words.customer] },
  );
  return (
    <ListPage
      title={words.dispatches}
      hint={words.hint}
      filters={filters}
      list={useCountedList('/v2/dispatches', filters)}
      noun={words.noun}
      usualSort="-createdAt"
      rowKey={(dispatch) => dispatch.dispatchId}
      empty={{ title: words.empty, hint: words.emptyHint }}
      columns={[
        {
          name: words.dispatchNo,
          show: (dispatch) => (
            <RowLink to="/dispatches/$dispatchId" params={{ dispatchId: dispatch.dispatchId }}>
              <CodeText>{dispatch.dispatchNo}</CodeText>
            </RowLink>
          ),
        },
        { name: words.customer, show: (dispatch) => dispatch.customerName, wide: 'below' },
        { name: words.warehouse, show: (dispatch) => warehouseName(dispatch.warehouse), wide: 'below' },
        {
          name: words.lineCount,
          show: (dispatch) => format.number(dispatch.lines.length),
          align: 'right',
          wide: true,
        },
        {
          name: words.createdAt,
          sort: 'createdAt',
          show: (dispatch) => <When at={dispatch.createdAt} />,
          wide: 'below',
          below: (dispatch) => (
            <>
              <When at={dispatch.createdAt} /> · {words.linesOf(format.number(dispatch.lines.length))}
            </>
          ),
        },
        {
          name: words.people,
          show: (dispatch) => (
            <>
              <div>
                <Person email={dispatch.pickedBy} />
              </div>
              {dispatch.recheckedBy && (
                <div>
                  <Person email={dispatch.recheckedBy} />
                </div>
              )}
            </>
          ),
          wide: true,
        },
        { name: common.status, show: (dispatch) => <StatusBadge status={dispatch.status} /> },
      ]}
    />
  );
}
