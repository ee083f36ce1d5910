import { randomBytes } from 'node:crypto';

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

export function wellFormedRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && WELL_FORMED.test(header) ? header : null;
}

let pool: Buffer = Buffer.alloc(0);
let used = 0;

/** Random bytes are fetched for many ids at once: a system call for each would show on the hot path. */
export function newRequestId(): string {
  if (used === pool.length) {
    pool = randomBytes(12 * 256);
    used = 0;
  }
  const id = pool.toString('hex', used, used + 12);
  used += 12;
  return `req_${id}`;
}
