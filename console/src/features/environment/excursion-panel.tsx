import { useMemo, useState } from 'react';
import { useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { Empty } from '../../ui/empty.js';
import { Loaded, Panel } from '../../ui/page.js';
import type { Reading } from './curve.js';
import { bucketsFor, spanAround } from './duration.js';
import { alertWords } from './environment-words.js';
import type { AlertDetail } from './limits.js';
import { PointChart } from './point-chart.js';

const REFRESH_MS = 30_000;

/** While an alert is ongoing, its last reading outside the limits is the newest of all. */
const lastReadingOf = ({ metric, lastValue, lastObservedAt }: AlertDetail): Reading => ({
  ...{ at: lastObservedAt, temperature: null, humidity: null },
  [metric]: lastValue,
});

/** The readings around the excursion, with the limits at the time and its span; up to now if it is ongoing. */
export function ExcursionPanel({ alert }: { alert: AlertDetail }) {
  const words = useWords(alertWords);
  const [now] = useState(Date.now);
  const end = alert.closedAt ?? new Date(now).toISOString();
  const span = useMemo(() => spanAround(alert.startedAt, end, now), [alert.startedAt, end, now]);
  const { from, to } = span;
  const isOpen = alert.closedAt === null;
  const history = useResource('/v2/environment/points/{pointId}/history', {
    path: { pointId: alert.pointId },
    query: { from, ...(isOpen ? {} : { to }), buckets: bucketsFor(span) },
    ...(isOpen ? { refreshMs: REFRESH_MS } : {}),
  });
  const newest = useMemo(() => (isOpen ? lastReadingOf(alert) : null), [alert, isOpen]);
  return (
    <Panel title={words.course} hint={words.courseHint}>
      <Loaded query={history}>
        {(data) =>
          data.buckets.some((bucket) => bucket[alert.metric]) ? (
            <PointChart
              metric={alert.metric}
              newest={newest}
              history={{
                ...data,
                // The limits may have changed since, and other alerts have pages of their own.
                [alert.metric]: { min: alert.lowerLimit, max: alert.upperLimit },
                alerts: data.alerts.filter(({ alertId }) => alertId === alert.alertId),
              }}
            />
          ) : (
            <Empty title={words.noCourse} />
          )
        }
      </Loaded>
    </Panel>
  );
}
