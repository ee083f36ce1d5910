import { Fragment } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { type Scale, type Stay, scaleOf } from './custody.js';
import styles from './custody-map.module.css';
import { custodyWords } from './custody-words.js';
import type { Step, Trace } from './trace-query.js';
import { traceWords } from './trace-words.js';

/** Parties one above the other, time from left to right, recalls in red across the top. The list below contains the same. */
export function CustodyMap({
  stays,
  steps,
  recalls,
  now,
}: {
  stays: readonly Stay[];
  steps: readonly Step[];
  recalls: Trace['recalls'];
  now: number;
}) {
  const words = useWords(traceWords);
  const custody = useWords(custodyWords);
  const format = useFormat();
  const scale = scaleOf(steps, now);
  const parties = [...new Map(stays.map(({ party }) => [`${party.kind} ${party.code}`, party]))];
  return (
    <div className={styles.map} aria-hidden="true">
      {recalls.map((recall) => {
        const from = Math.max(0, scale.at(recall.openedAt));
        return (
          <Fragment key={recall.recallId}>
            <div className={styles.name} style={{ color: 'var(--mantine-color-red-text)', fontWeight: 700 }}>
              {custody.recall} {recall.recallNo}
            </div>
            <div className={styles.track} data-recall>
              {/* Even a closed recall is drawn to the end, because it still concerns the goods. */}
              <div className={styles.recall} style={{ left: `min(${from}%, 100% - 12px)`, right: 0 }} />
              <div
                className={styles.reason}
                data-inside={from < INSIDE_MAX || undefined}
                style={reasonAt(from)}
              >
                {words.recallClass(recall.class)} · {recall.reason}
              </div>
            </div>
          </Fragment>
        );
      })}
      {parties.map(([key, party]) => (
        <Fragment key={key}>
          <div className={styles.name} title={party.name ?? undefined}>
            {party.name ?? party.code ?? words.kinds[party.kind]}
          </div>
          <div className={styles.track}>
            {stays
              .filter((stay) => `${stay.party.kind} ${stay.party.code}` === key)
              .map((stay) => (
                <Bar key={stay.key} stay={stay} scale={scale} />
              ))}
          </div>
        </Fragment>
      ))}
      <div />
      <div className={styles.axis}>
        <span>{format.day(new Date(scale.start).toISOString())}</span>
        <span>{format.day(new Date((scale.start + scale.end) / 2).toISOString())}</span>
        <span>{custody.today}</span>
      </div>
    </div>
  );
}

/** A recent recall has no room for its reason, which is then placed before it. */
const INSIDE_MAX = 50;
const reasonAt = (from: number) =>
  from < INSIDE_MAX ? { left: `${from}%`, right: 0 } : { left: 0, right: `max(${100 - from}%, 12px)` };

function Bar({ stay, scale }: { stay: Stay; scale: Scale }) {
  const words = useWords(traceWords);
  const format = useFormat();
  const from = scale.at(stay.from);
  return (
    <>
      <div
        className={styles.bar}
        data-kind={stay.party.kind}
        style={{ left: `min(${from}%, 100% - 4px)`, width: `${scale.at(stay.until) - from}%` }}
      >
        {words.units(format.number(stay.most))}
      </div>
      {stay.notes.map((note, n) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end
          key={n}
          className={styles.mark}
          data-step={note.step}
          style={{ left: `${scale.at(note.at)}%` }}
        />
      ))}
    </>
  );
}
