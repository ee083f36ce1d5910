import { useRef, useState } from 'react';

export interface BulkRow<I> {
  key: string;
  item: I;
  state: 'waiting' | 'running' | 'done' | 'failed';
  error?: unknown;
}

export interface BulkRun<I> {
  rows: readonly BulkRow<I>[];
  hasStarted: boolean;
  isRunning: boolean;
  start: (reason: string) => void;
  /** Runs the rows that failed or did not start, with the keys of their first attempts, so that none takes effect twice. */
  retry: () => void;
  /** Stops after the current row. */
  stop: () => void;
}

/** Runs an action for each row, one after the other, and records each outcome. */
export function useBulkRun<I>(
  items: readonly I[],
  action: {
    run: (item: I, reason: string, idempotencyKey: string) => Promise<unknown>;
    settle: () => Promise<void>;
  },
): BulkRun<I> {
  const [rows, setRows] = useState<readonly BulkRow<I>[]>(() =>
    items.map((item) => ({ key: crypto.randomUUID(), item, state: 'waiting' })),
  );
  const [isRunning, setRunning] = useState(false);
  const [hasStarted, setStarted] = useState(false);
  const isStopped = useRef(false);
  const given = useRef('');
  const note = (key: string, part: Partial<BulkRow<I>>) =>
    setRows((before) => before.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const work = async (open: readonly BulkRow<I>[]) => {
    isStopped.current = false;
    setStarted(true);
    setRunning(true);
    for (const { key } of open) note(key, { state: 'waiting' });
    for (const { key, item } of open) {
      if (isStopped.current) break;
      note(key, { state: 'running' });
      try {
        await action.run(item, given.current, key);
        note(key, { state: 'done' });
      } catch (error) {
        note(key, { state: 'failed', error });
      }
    }
    await action.settle();
    setRunning(false);
  };
  return {
    rows,
    hasStarted,
    isRunning,
    start(reason) {
      given.current = reason;
      work(rows);
    },
    retry: () => work(rows.filter(({ state }) => state !== 'done')),
    stop() {
      isStopped.current = true;
    },
  };
}
