import { useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ChoiceFilter, FilterBar } from '../../ui/filter-bar.js';
import { PageLink } from '../../ui/links.js';
import { Page, Panel } from '../../ui/page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { dispatchWords } from './dispatch-words.js';

const FILTERS = ['status', 'orderId'] as const;

export default function Dispatches() {
  const words = useWords(dispatchWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const [filters, change] = useFilters(FILTERS);
  const list = useList('/v2/dispatches', { query: filters as object });
  return (
    <Page title={words.dispatches} hint={words.hint}>
      <Panel>
        <FilterBar>
          <ChoiceFilter
            label={common.status}
            value={filters.status}
            choices={useStatusChoices(['picking', 'rechecking', 'dispatched', 'delivered', 'cancelled'])}
            onChange={(status) => change({ status })}
          />
        </FilterBar>
        <DataTable
          list={list}
          label={words.dispatches}
          rowKey={(dispatch) => dispatch.dispatchId}
          filtered={Object.keys(filters).length > 0}
          onClearFilters={() => change({ status: null, orderId: null })}
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
      </Panel>
    </Page>
  );
}
