import { useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ChoiceFilter, FilterBar } from '../../ui/filter-bar.js';
import { Page, Panel } from '../../ui/page.js';
import { useStatusChoices } from '../../ui/status.js';
import { WarehousePicker } from '../catalogue/pickers.js';
import { AlertTable } from './alert-table.js';
import { alertWords } from './environment-words.js';

const FILTERS = ['warehouse', 'metric', 'status', 'acknowledged'] as const;
const REFRESH_MS = 30_000;

export default function Alerts() {
  const words = useWords(alertWords);
  const common = useWords(commonWords);
  const may = useMay();
  const [filters, change] = useFilters(FILTERS);
  const list = useList('/v2/environment/alerts', { query: filters as object, refreshMs: REFRESH_MS });
  return (
    <Page title={words.alerts} hint={words.hint}>
      <Panel>
        <FilterBar>
          <ChoiceFilter
            label={common.status}
            value={filters.status}
            choices={useStatusChoices(['open', 'closed'])}
            onChange={(status) => change({ status })}
          />
          <ChoiceFilter
            label={words.seen}
            value={filters.acknowledged}
            choices={[
              { value: 'false', label: words.notSeen },
              { value: 'true', label: words.acknowledged },
            ]}
            onChange={(acknowledged) => change({ acknowledged })}
          />
          <ChoiceFilter
            label={words.metric}
            value={filters.metric}
            choices={(['temperature', 'humidity'] as const).map((each) => ({
              value: each,
              label: words.metrics[each],
            }))}
            onChange={(metric) => change({ metric })}
          />
          {may('products:read') && (
            <WarehousePicker
              value={filters.warehouse}
              onChange={(warehouse) => change({ warehouse })}
              w={{ base: '100%', xs: 260 }}
            />
          )}
        </FilterBar>
        <AlertTable
          list={list}
          filtered={Object.keys(filters).length > 0}
          onClearFilters={() => change({ warehouse: null, metric: null, status: null, acknowledged: null })}
        />
      </Panel>
    </Page>
  );
}
