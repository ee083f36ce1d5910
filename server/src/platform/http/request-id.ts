import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** The form of generated ids. A caller's id of this form is ignored, because it could be mistaken for another request's. */
const GENERATED = /^req_[0-9a-f]{24}$/;

/** The caller's own request id, if it is well-formed. */
export function callerRequestId(headers: IncomingHttpHeaders): string | null {
  const header = headers['x-request-id'];
  if (typeof header !== 'string') return null;
  return WELL_FORMED.test(header) && !GENERATED.test(header) ? header : null;
}

/**
 * The `X-Request-Id` of the response. Only the response itself contains the caller's id: audit entries and stored responses
 * outlive the request, so they contain the generated id, which a caller cannot forge.
 */
export const answeredRequestId = (request: { id: string; headers: IncomingHttpHeaders }): string =>
  callerRequestId(request.headers) ?? request.id;

/** The headers that identify a request. The generated id is added if `X-Request-Id` is the caller's. */
export function requestIdHeaders(request: { id: string; headers: IncomingHttpHeaders }) {
  const given = callerRequestId(request.headers);
  return given === null
    ? { 'x-request-id': request.id }
    : { 'x-request-id': given, 'x-lotward-request-id': request.id };
}

let pool: Buffer = Buffer.alloc(0);
let used = 0;

/** Random bytes are fetched for many ids at once, because a system call per id is measurable on the hot path. */
export function newRequestId(): string {
  if (used === pool.length) {
    pool = randomBytes(12 * 256);
    used = 0;
  }
  const id = pool.toString('hex', used, used + 12);
  used += 12;
  return `req_${id}`;
}
