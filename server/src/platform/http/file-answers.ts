import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../database/index.js';
import { callOf } from './answers.js';
import { readFrom } from './lagging-reads.js';
import type { AnyFileRoute, Call } from './route.js';

/** A file may be opened in a browser, so it must not load resources, run scripts or be cached. */
const FILE_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
};

export function fileHandler(route: AnyFileRoute, database: Database) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const call = callOf(request) as Call<never, never, undefined>;
    const { body, fileName } = await readFrom(database, route, request, (from) => route.render(call, from));
    reply.headers(FILE_HEADERS).type(route.contentType);
    if (fileName !== undefined)
      reply.header('content-disposition', contentDisposition('attachment', fileName));
    return body;
  };
}

/** The media type without its parameters, as OpenAPI lists it. */
export const mediaTypeOf = (route: AnyFileRoute): string => route.contentType.replace(/;.*$/, '');

/** The full name for clients that support RFC 6266, and an ASCII fallback for others. */
export function contentDisposition(kind: 'attachment' | 'inline', fileName: string): string {
  const plain = fileName.replace(/[^A-Za-z0-9._-]/g, '_');
  const full = encodeURIComponent(fileName).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return plain === fileName
    ? `${kind}; filename="${plain}"`
    : `${kind}; filename="${plain}"; filename*=UTF-8''${full}`;
}
