import { useList } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { choiceFilter, pickerFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { useStatusChoices } from '../../ui/status.js';
import { WarehousePicker } from '../catalogue/pickers.js';
import { useAlertColumns } from './alert-columns.js';
import { alertWords } from './environment-words.js';

const METRICS = ['temperature', 'humidity'] as const;
const REFRESH_MS = 30_000;

export default function Alerts() {
  const words = useWords(alertWords);
  const common = useWords(commonWords);
  const may = useMay();
  const metrics = METRICS.map((value) => ({ value, label: words.metrics[value] }));
  const acknowledgements = [
    { value: 'false', label: words.notSeen },
    { value: 'true', label: words.acknowledged },
  ];
  const filters = useListFilters({
    status: choiceFilter(common.status, useStatusChoices(['open', 'closed'])),
    acknowledged: choiceFilter(words.seen, acknowledgements),
    metric: choiceFilter(words.metric, metrics),
    warehouse: pickerFilter(WarehousePicker, 260, may('products:read')),
  });
  return (
    <ListPage
      title={words.alerts}
      hint={words.hint}
      filters={filters}
      list={useList('/v2/environment/alerts', { query: filters.query, refreshMs: REFRESH_MS })}
      rowKey={(alert) => alert.alertId}
      empty={{ title: words.none, hint: words.noneHint }}
      columns={useAlertColumns()}
    />
  );
}
