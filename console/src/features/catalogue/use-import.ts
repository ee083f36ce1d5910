import { useRef, useState } from 'react';
import type { ImportRow } from './import-rows.js';

/** Requests in flight at a time: quick, and far from the limit of a session. */
const AT_A_TIME = 4;
/** Below the limit of 1,000 requests a minute, to leave some for other pages. */
const ROWS_PER_SECOND = 14;

interface Outcome {
  made: number;
  changed: number;
  refused: { row: ImportRow; error: unknown }[];
}

export interface ImportRun {
  state: 'idle' | 'running' | 'stopped' | 'finished';
  done: number;
  all: number;
  outcome: Outcome;
  start: (rows: readonly ImportRow[], exists: (row: ImportRow) => boolean) => Promise<void>;
  stop: () => void;
  reset: () => void;
}

const NOTHING_YET: Outcome = { made: 0, changed: 0, refused: [] };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends all rows, a few at a time, until they are sent or the user stops. */
export function useImport(send: (row: ImportRow) => Promise<unknown>, onEnd: () => Promise<void>): ImportRun {
  const [state, setState] = useState<ImportRun['state']>('idle');
  const [all, setAll] = useState(0);
  const [outcome, setOutcome] = useState(NOTHING_YET);
  const stopped = useRef(false);

  const start = async (rows: readonly ImportRow[], exists: (row: ImportRow) => boolean) => {
    stopped.current = false;
    setAll(rows.length);
    setOutcome(NOTHING_YET);
    setState('running');
    const waiting = [...rows];
    const begun = performance.now();
    let sent = 0;
    const work = async () => {
      for (let row = waiting.shift(); row && !stopped.current; row = waiting.shift()) {
        const dueMs = (sent++ / ROWS_PER_SECOND) * 1_000;
        await pause(Math.max(0, begun + dueMs - performance.now()));
        const isKnown = exists(row);
        try {
          await send(row);
          setOutcome((before) => ({
            ...before,
            made: before.made + (isKnown ? 0 : 1),
            changed: before.changed + (isKnown ? 1 : 0),
          }));
        } catch (error) {
          const refused = { row, error };
          setOutcome((before) => ({ ...before, refused: [...before.refused, refused] }));
        }
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    setState(stopped.current ? 'stopped' : 'finished');
    await onEnd();
  };

  return {
    state,
    all,
    outcome,
    done: outcome.made + outcome.changed + outcome.refused.length,
    start,
    stop() {
      stopped.current = true;
    },
    reset() {
      setState('idle');
      setOutcome(NOTHING_YET);
    },
  };
}
