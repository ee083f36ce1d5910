/** The limit of the first page, for a browser that was never here. */
export const FIRST_LOAD_BYTES_MAX = 300_000;

/** Everything that comes over the wire to a page, headers included, by its kind. */
export async function watchWire(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const open = new Map();
  const kinds = {};
  let requests = 0;
  session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    // The stream of news does not end; data: comes with what it stands in.
    if (new URL(request.url).pathname === '/stream' || request.url.startsWith('data:')) return;
    open.set(requestId, String(type).toLowerCase());
    requests++;
  });
  const end = ({ requestId, encodedDataLength = 0 }) => {
    const kind = open.get(requestId);
    if (kind === undefined) return;
    kinds[kind] = (kinds[kind] ?? 0) + encodedDataLength;
    open.delete(requestId);
  };
  session.on('Network.loadingFinished', end);
  session.on('Network.loadingFailed', end);
  return { open, kinds, requests: () => requests };
}
