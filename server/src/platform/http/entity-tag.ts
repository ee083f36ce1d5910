import { createHash } from 'node:crypto';
import type { ContentEncoding } from './content-encoding.js';

/** Different content has a different tag, and so has each encoding of the same content. */
export function etagOf(content: string | Buffer, encoding: ContentEncoding | null = null): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
}

/** Whether `If-None-Match` says that the caller has it. */
export const isKnown = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag);
