import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** The browser's EventSource: it stops for good when the response is not a stream. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Source[] = [];
  readyState = 0;
  constructor(readonly url: string) {
    super();
    Source.opened.push(this);
  }
  close() {
    this.readyState = Source.CLOSED;
  }
  refuse() {
    this.close();
    this.dispatchEvent(new Event('error'));
  }
}
const latest = () => Source.opened.at(-1) as Source;

let asked: string[];
let stop: () => void;
beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Source);
  vi.stubGlobal('location', { origin: 'http://console.example' });
  Source.opened = [];
  asked = [];
  const queries = new QueryClient();
  for (const key of ['/v2/orders', '/v2/dispatches', '/v2/webhooks', '/v2/partners', 'session'])
    queries.setQueryData([key], {});
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.isInvalidated) asked.push(String(query.queryKey[0]));
  });
  const { listen } = await import('../src/app/live.js');
  stop = listen(queries);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('live updates from the server', () => {
  it('refetch the lists that they concern', () => {
    expect(latest().url).toBe('/stream');
    latest().dispatchEvent(new Event('dispatches'));
    expect(asked).toEqual(['/v2/dispatches']);
    latest().dispatchEvent(new Event('deliveries'));
    expect(asked).toEqual(['/v2/dispatches', '/v2/webhooks']);
  });

  it('reconnect after a refusal with back-off, which a connection resets', () => {
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const before = Source.opened.length;
      latest().refuse();
      vi.advanceTimersByTime(seconds * 749);
      expect(Source.opened).toHaveLength(before);
      vi.advanceTimersByTime(seconds * 251);
      expect(Source.opened).toHaveLength(before + 1);
    }
    // Somebody may have been signed out meanwhile.
    expect(asked).toContain('session');
    latest().dispatchEvent(new Event('open'));
    expect(asked).toEqual(expect.arrayContaining(['/v2/orders', '/v2/dispatches', '/v2/webhooks']));
    expect(asked).not.toContain('/v2/partners');
    const before = Source.opened.length;
    latest().refuse();
    vi.advanceTimersByTime(1_000);
    expect(Source.opened).toHaveLength(before + 1);
  });

  it('stop when the page is closed', () => {
    latest().refuse();
    stop();
    vi.advanceTimersByTime(600_000);
    expect(Source.opened).toHaveLength(1);
  });
});
