import type { Data } from '@lotward/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../app/api.js';

export type Verification = Data<'/v2/audit/verification', 'get'>;

interface Run {
  /** The result so far; final once the verification has stopped. */
  found: Verification | null;
  error: unknown;
  isRunning: boolean;
}
const NOTHING_YET: Run = { found: null, error: null, isRunning: true };

/** Verifies the whole chain, call by call, until it ends, a link is broken, or the page is closed. */
export function useVerification() {
  const [run, setRun] = useState(NOTHING_YET);
  const current = useRef<AbortController | null>(null);
  const start = useCallback(async (expectHead: string) => {
    current.current?.abort();
    const aborter = new AbortController();
    const { signal } = aborter;
    current.current = aborter;
    setRun(NOTHING_YET);
    const expected = expectHead === '' ? {} : { expectHead };
    try {
      let cursor: string | null = null;
      do {
        const query: { cursor?: string; expectHead?: string } = {
          ...expected,
          ...(cursor === null ? {} : { cursor }),
        };
        const found: Verification = await api.get('/v2/audit/verification', { query, signal });
        if (signal.aborted) return;
        cursor = found.nextCursor;
        setRun({ found, error: null, isRunning: cursor !== null });
      } while (cursor !== null);
    } catch (error) {
      if (!signal.aborted) setRun((before) => ({ ...before, error, isRunning: false }));
    }
  }, []);
  useEffect(() => {
    start('');
    return () => current.current?.abort();
  }, [start]);
  return { ...run, start };
}
