import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import type { Column } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { StatusBadge } from '../../ui/status.js';
import { When } from '../../ui/when.js';
import { alertWords } from './environment-words.js';
import { type Alert, withUnit, worstOf } from './limits.js';

/** The columns of a list of alerts; on the page of a point, without the point. */
export function useAlertColumns({ ofOnePoint = false } = {}): Column<Alert>[] {
  const words = useWords(alertWords);
  const common = useWords(commonWords);
  const format = useFormat();
  return [
    {
      name: words.began,
      sort: 'startedAt',
      show: (alert) => (
        <RowLink to="/environment/alerts/$alertId" params={{ alertId: alert.alertId }}>
          <When at={alert.startedAt} />
        </RowLink>
      ),
    },
    ...(ofOnePoint
      ? []
      : [{ name: words.point, show: (alert: Alert) => alert.pointName, wide: 'below' as const }]),
    { name: words.metric, show: (alert) => words.metrics[alert.metric], wide: true },
    {
      name: words.worst,
      show: (alert) => withUnit(worstOf(alert), alert.unit, format),
      align: 'right',
      wide: true,
    },
    { name: words.ended, show: (alert) => format.instant(alert.closedAt), wide: true },
    {
      name: words.seen,
      show: (alert) => (alert.acknowledgedAt ? <StatusBadge status="acknowledged" /> : words.notSeen),
      wide: true,
    },
    { name: common.status, show: (alert) => <StatusBadge status={alert.status} /> },
  ];
}
