import { Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import type { Column } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { StatusBadge } from '../../ui/status.js';
import { When } from '../../ui/when.js';
import { durationText } from './duration.js';
import { alertWords } from './environment-words.js';
import { ALERT_STATUSES, type Alert, limitsText, readingText, UNITS, worstOf } from './limits.js';

/** The columns of a list of alerts; the page of a point omits the point. */
export function useAlertColumns({ ofOnePoint = false } = {}): Column<Alert>[] {
  const words = useWords(alertWords);
  const common = useWords(commonWords);
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
    { name: words.reading, show: (alert) => <WorstReading alert={alert} />, wide: 'below' },
    { name: words.ended, show: (alert) => <Ended alert={alert} />, wide: true },
    {
      name: words.seen,
      show: (alert) => <StatusBadge status={alert.acknowledgedAt ? 'acknowledged' : 'unacknowledged'} />,
      wide: 'below',
    },
    { name: common.status, show: (alert) => <StatusBadge status={ALERT_STATUSES[alert.status]} /> },
  ];
}

function WorstReading({ alert }: { alert: Alert }) {
  const words = useWords(alertWords);
  const { language } = useLanguage();
  const format = useFormat();
  const limits = limitsText({ min: alert.lowerLimit, max: alert.upperLimit }, UNITS[alert.metric], format);
  return (
    <>
      {words.metrics[alert.metric]} {readingText(worstOf(alert).value, alert.metric, language)}
      <Text size="xs" c="dimmed">
        {words.limitsOf(limits ?? '')}
      </Text>
    </>
  );
}

/** When the alert ended and how long it lasted, or how long it has lasted so far. */
function Ended({ alert: { startedAt, closedAt } }: { alert: Alert }) {
  const words = useWords(alertWords);
  const { language } = useLanguage();
  const lasted = durationText(startedAt, closedAt ?? new Date().toISOString(), language);
  return (
    <>
      {closedAt === null ? words.goesOn : <When at={closedAt} />}
      <Text size="xs" c="dimmed">
        {closedAt === null ? words.lastsSoFar(lasted) : lasted}
      </Text>
    </>
  );
}
