import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairQueue } from '../fair-queue/index.js';
import { callOf } from './answers.js';
import { isKnown } from './entity-tag.js';
import { contentDisposition } from './file-answers.js';
import type { AnyKeptFileRoute, Call } from './route.js';

/** Files sent concurrently, in total and to one organization: each is kept in memory until the client has read it. */
const PLACES = {
  atOnce: 8,
  atOncePerOwner: 2,
  waitingMax: 64,
  waitingPerOwnerMax: 16,
  waitMs: 5_000,
  reason: 'overloaded',
} as const;

/**
 * Uploaded files are untrusted: one may be displayed, but nothing in it runs, loads or sends anything, and no other site may
 * frame it.
 */
const KEPT_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
  'cache-control': 'private, no-cache',
  'cross-origin-resource-policy': 'same-origin',
};

export function keptFileHandler(route: AnyKeptFileRoute) {
  const places = new FairQueue(PLACES);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const call = callOf(request) as Call<never, never, undefined>;
    // The file was replaced between the two reads; retrying gets the new one.
    for (;;) {
      const file = await route.describe(call);
      const headers = { ...KEPT_HEADERS, etag: `"${file.sha256}"` };
      if (isKnown(request.headers['if-none-match'], headers.etag))
        return reply.headers(headers).code(304).send();
      const { orgId } = call.principal;
      const leave = places.tryAcquire(orgId) ?? (await places.acquire(orgId));
      reply.raw.once('close', leave);
      const content = reply.raw.closed ? null : await route.readContent(call, file);
      if (content !== null) {
        const shown = contentDisposition('inline', file.fileName);
        reply.headers({ ...headers, 'content-disposition': shown }).type(file.contentType);
        return content;
      }
      leave();
      if (reply.raw.closed) return reply.hijack();
    }
  };
}
