import type { Body, Data } from '@lotward/client';
import { useRef, useState } from 'react';
import { bulkApi, client } from '../../app/api.js';

export type ImportReport = Data<'/v2/imports/{importId}', 'get'>;
type File = Pick<Body<'/v2/imports', 'post'>, 'kind' | 'content'>;

/** How often the progress is polled. */
const POLL_MS = 700;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export interface ImportRun {
  /** A trial run without writing comes first, then the import. */
  state: 'idle' | 'checking' | 'checked' | 'running' | 'ended';
  /** The report of the trial run until the import begins. */
  report: ImportReport | null;
  /** Why the service refused the file, or could not be reached. */
  error: unknown;
  check: (file: File) => Promise<void>;
  start: (file: File) => Promise<void>;
  stop: () => Promise<void>;
  reset: () => void;
}

/** Sends a file and polls its progress until the import has ended. */
export function useImport(onEnd: () => Promise<void>): ImportRun {
  const [state, setState] = useState<ImportRun['state']>('idle');
  const [report, setReport] = useState<ImportReport | null>(null);
  const [error, setError] = useState<unknown>(null);
  /** The id of the current import, since another file may have been chosen meanwhile. */
  const currentId = useRef('');

  const runToEnd = async (file: File, dryRun: boolean): Promise<boolean> => {
    setReport(null);
    setError(null);
    currentId.current = '';
    try {
      const { importId } = await bulkApi.post('/v2/imports', { body: { ...file, format: 'csv', dryRun } });
      currentId.current = importId;
      for (;;) {
        const found = await client.get('/v2/imports/{importId}', { path: { importId } });
        if (currentId.current !== importId) return false;
        setReport(found);
        if (found.finishedAt !== null) return true;
        await pause(POLL_MS);
      }
    } catch (failure) {
      setError(failure);
      return false;
    }
  };

  return {
    state,
    report,
    error,
    async check(file) {
      setState('checking');
      setState((await runToEnd(file, true)) ? 'checked' : 'idle');
    },
    async start(file) {
      setState('running');
      await runToEnd(file, false);
      setState('ended');
      await onEnd();
    },
    async stop() {
      const importId = currentId.current;
      // An import that has just ended cannot be cancelled, as its report shows.
      await bulkApi.post('/v2/imports/{importId}/cancel', { path: { importId }, body: {} }).catch(() => {});
    },
    reset() {
      currentId.current = '';
      setState('idle');
      setReport(null);
      setError(null);
    },
  };
}
