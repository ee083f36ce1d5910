import type { IncomingMessage } from 'node:http';
import { invalid } from './json-body.js';

export const HEADERS_MAX = 100;

const ONCE = new Map([
  [4, 'host'],
  [13, 'authorization'],
  [12, 'content-type'],
  [15, 'idempotency-key'],
]);

/**
 * Node silently keeps the first of repeated headers and drops headers beyond its limit. A proxy that keeps a different one
 * would see another caller.
 */
export function requireClearHeaders(request: IncomingMessage): void {
  const raw = request.rawHeaders;
  if (raw.length > 2 * HEADERS_MAX)
    throw invalid('malformed_request', null, `at most ${HEADERS_MAX} headers are read`);
  let seen = '';
  let hosts = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    const watched = ONCE.get(name.length);
    if (watched === undefined) continue;
    const lower = name.toLowerCase();
    if (lower !== watched) continue;
    if (seen.includes(lower)) throw invalid('duplicate_header', lower);
    seen += lower;
    if (lower === 'host') hosts++;
  }
  if (hosts === 0 && request.httpVersion === '1.1')
    throw invalid('duplicate_header', 'host', 'Host is required');
  const { expect } = request.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw invalid('malformed_request', 'expect', 'nothing but 100-continue can be expected');
}
