import { Check } from 'lucide-react';
import { bulkApi, useCountedList } from '../../app/api.js';
import { changedPaths } from '../../app/changes.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { refreshPaths } from '../../app/queries.js';
import { useMay } from '../../app/session.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { choiceFilter, pickerFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { useStatusName } from '../../ui/status.js';
import { WarehousePicker } from '../catalogue/pickers.js';
import { useAlertColumns } from './alert-columns.js';
import { alertWords } from './environment-words.js';
import { ALERT_STATUSES } from './limits.js';

const METRICS = ['temperature', 'humidity'] as const;
const REFRESH_MS = 30_000;
const ACKNOWLEDGE = '/v2/environment/alerts/{alertId}/acknowledge';

export default function Alerts() {
  const words = useWords(alertWords);
  const common = useWords(commonWords);
  const may = useMay();
  const format = useFormat();
  const metrics = METRICS.map((value) => ({ value, label: words.metrics[value] }));
  const acknowledgements = [
    { value: 'false', label: words.notSeen },
    { value: 'true', label: words.acknowledged },
  ];
  const statusName = useStatusName();
  const statuses = Object.entries(ALERT_STATUSES).map(([value, status]) => ({
    value,
    label: statusName(status),
  }));
  const filters = useListFilters(
    {
      status: choiceFilter(common.status, statuses),
      acknowledged: choiceFilter(words.seen, acknowledgements),
      metric: choiceFilter(words.metric, metrics),
      warehouse: pickerFilter(words.warehouse, WarehousePicker, may('products:read')),
    },
    { by: [words.point, words.warehouse] },
  );
  return (
    <ListPage
      title={words.alerts}
      hint={words.hint}
      filters={filters}
      list={useCountedList('/v2/environment/alerts', { ...filters, refreshMs: REFRESH_MS })}
      noun={words.noun}
      usualSort="-startedAt"
      bulk={{
        nameOf: (alert) => `${alert.pointName} · ${format.instant(alert.startedAt)}`,
        actions: may('environment:write')
          ? [
              {
                label: words.acknowledge,
                icon: <Check size={14} />,
                question: words.acknowledgeQuestion,
                reason: 'required',
                isPossible: ({ acknowledgedAt }) => acknowledgedAt === null,
                run: ({ alertId }, reason, idempotencyKey) =>
                  bulkApi.post(ACKNOWLEDGE, { path: { alertId }, body: { comment: reason }, idempotencyKey }),
                settle: () => refreshPaths(changedPaths(ACKNOWLEDGE)),
              },
            ]
          : [],
      }}
      rowKey={(alert) => alert.alertId}
      empty={{ title: words.none, hint: words.noneHint }}
      columns={useAlertColumns()}
    />
  );
}
