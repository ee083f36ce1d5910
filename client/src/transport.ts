import { type Issue, LotwardError, NoAnswer } from './errors.js';

/** Sends one HTTP request. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Makes one attempt and returns its response; rejects with NoAnswer if there is none, or with the caller's reason if the
 * caller aborts it.
 */
export function sender(fetch: typeof globalThis.fetch, timeoutMs: number): Send {
  return async (url, init) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    try {
      const response = await fetch(url, { ...init, signal });
      // The body is read within the attempt: a connection that breaks in the middle counts as no response.
      const body = await response.arrayBuffer();
      const { status, statusText, headers } = response;
      return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
    } catch (cause) {
      if (init.signal?.aborted) throw init.signal.reason;
      throw new NoAnswer(
        deadline.aborted ? `no response within ${timeoutMs} ms` : 'no response from the service',
        {
          cause,
        },
      );
    }
  };
}

/** Fills in `{orderId}` in the path, repeats query parameters that have several values, and leaves out undefined ones. */
export function urlOf(
  baseUrl: string,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = parameters[name];
    if (value === undefined || value === '') throw new TypeError(`the path needs ${name}`);
    return encodeURIComponent(value);
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    given.flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)])),
  );
  // Codes may contain a plus sign, so spaces are not written as one.
  const text = search.toString().replaceAll('+', '%20');
  return baseUrl + filled + (text === '' ? '' : `?${text}`);
}

interface Envelope {
  code: number;
  message: string;
  data: unknown;
  requestId?: string;
  errors?: Issue[];
}

/** Returns `data` of a success; throws everything else. */
export async function readAnswer(response: Response): Promise<unknown> {
  const answer = (await response.json().catch(() => null)) as Partial<Envelope> | null;
  if (response.ok && answer?.code === 0) return answer.data;
  throw new LotwardError({
    status: response.status,
    code: answer?.code ?? 9999,
    message: answer?.message ?? `HTTP ${response.status}`,
    errors: answer?.errors ?? [],
    requestId: answer?.requestId ?? response.headers.get('x-request-id'),
    retryAfterMs: retryAfter(response.headers.get('retry-after')),
  });
}

function retryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
