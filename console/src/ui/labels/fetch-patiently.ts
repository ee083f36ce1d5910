const WAIT_DEFAULT_S = 5;
const ATTEMPTS_MAX = 6;

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** The text of a file. Many labels together may reach the rate limit; it then waits as long as the service asks for. */
export async function fetchPatiently(
  url: string,
  signal: AbortSignal | undefined,
  wait: (seconds: number) => Promise<void> = pause,
  get: typeof fetch = fetch,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const answer = await get(url, signal ? { signal } : {});
    if (answer.ok) return answer.text();
    if (answer.status !== 429 || attempt === ATTEMPTS_MAX) throw new Error(`${url}: ${answer.status}`);
    await wait(Number(answer.headers.get('retry-after')) || WAIT_DEFAULT_S);
    signal?.throwIfAborted();
  }
}
