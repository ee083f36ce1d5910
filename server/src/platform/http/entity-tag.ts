import { createHash } from 'node:crypto';
import type { ContentEncoding } from './content-encoding.js';

/** Another content has another tag, and so has the same content in another encoding. */
export function etagOf(content: string | Buffer, encoding: ContentEncoding | null = null): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
}

/** Does `If-None-Match` say that the caller has it? */
export const isKnown = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag);
