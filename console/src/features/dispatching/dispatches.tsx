import { useList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { PageLink } from '../../ui/links.js';
import { choiceFilter, linkFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { dispatchWords } from './dispatch-words.js';

const STATUSES = ['picking', 'rechecking', 'dispatched', 'delivered', 'cancelled'] as const;

export default function Dispatches() {
  const words = useWords(dispatchWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const filters = useListFilters({
    status: choiceFilter(common.status, useStatusChoices(STATUSES)),
    orderId: linkFilter,
  });
  return (
    <ListPage
      title={words.dispatches}
      hint={words.hint}
      filters={filters}
      list={useList('/v2/dispatches', { query: filters.query })}
      rowKey={(dispatch) => dispatch.dispatchId}
      empty={{ title: words.empty, hint: words.emptyHint }}
      columns={[
        {
          name: words.dispatch,
          show: (dispatch) => (
            <PageLink to="/dispatches/$dispatchId" params={{ dispatchId: dispatch.dispatchId }}>
              <CodeText>{dispatch.orderNo}</CodeText>
            </PageLink>
          ),
        },
        { name: words.customer, show: (dispatch) => dispatch.customerName, wide: true },
        { name: words.warehouse, show: (dispatch) => dispatch.warehouse, wide: true },
        {
          name: words.lineCount,
          show: (dispatch) => format.number(dispatch.lines.length),
          align: 'right',
          wide: true,
        },
        { name: words.createdAt, show: (dispatch) => format.instant(dispatch.createdAt), wide: true },
        { name: words.pickedBy, show: (dispatch) => dispatch.pickedBy, wide: true },
        { name: common.status, show: (dispatch) => <StatusBadge status={dispatch.status} /> },
      ]}
    />
  );
}
