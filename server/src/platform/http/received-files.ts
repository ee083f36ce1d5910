import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../errors/index.js';
import { FairQueue } from '../fair-queue/index.js';
import { callOf } from './answers.js';
import { sendContinue } from './expected-continue.js';
import { invalid } from './json-body.js';
import { type AnyWriteRoute, type ReceivedFile, type Route, receivedTypes } from './route.js';

/**
 * Files received concurrently, in total and from one organization: each may take some megabytes of memory from its first
 * byte until it is answered.
 */
const PLACES = {
  atOnce: 8,
  atOncePerOwner: 2,
  waitingMax: 64,
  waitingPerOwnerMax: 16,
  waitMs: 5_000,
  reason: 'overloaded',
} as const;

export interface ReceivedFiles {
  /** Refuses a file by its headers, after the caller was authorized and before any byte is read. */
  refuse(route: Route, request: FastifyRequest): ApiError | undefined;
  /** For the `preParsing` of a route: waits until there is room for the file. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** Registers the routes that take a file in a separate scope: all others accept only JSON. */
export function receiveFiles(
  app: FastifyInstance,
  routes: readonly Route[],
  add: (scope: FastifyInstance, route: Route, files: ReceivedFiles) => void,
): void {
  const places = new FairQueue(PLACES);
  const files: ReceivedFiles = {
    refuse: refuseByHeaders,
    async admit(request, reply) {
      const { orgId } = callOf(request).principal;
      const leave = places.tryAcquire(orgId) ?? (await places.acquire(orgId));
      reply.raw.once('close', leave);
      if (reply.raw.closed) leave();
      sendContinue(request, reply);
    },
  };
  const types = new Set(routes.flatMap((route) => receivedTypes(route) ?? []));
  app.register(async (scope) => {
    scope.addContentTypeParser([...types], { parseAs: 'buffer' }, (request, content, done) => {
      request.bodyBytes = content.length;
      done(null, { contentType: mediaTypeOf(request), content } as ReceivedFile);
    });
    for (const route of routes) add(scope, route, files);
  });
}

function refuseByHeaders(route: Route, request: FastifyRequest): ApiError | undefined {
  const { receives, bodyBytesMax } = route as AnyWriteRoute;
  if (!receives?.includes(mediaTypeOf(request)))
    return invalid('unsupported_media_type', 'Content-Type', `must be one of ${receives?.join(', ')}`);
  if (Number(request.headers['content-length'] ?? 0) > (bodyBytesMax ?? 0)) return invalid('body_too_large');
  return undefined;
}

const mediaTypeOf = ({ headers }: FastifyRequest): string =>
  (headers['content-type'] ?? '').replace(/;.*$/s, '').trim().toLowerCase();

/** The framework calls no parser for an empty body. */
export const emptyFile = (request: FastifyRequest): ReceivedFile => ({
  contentType: mediaTypeOf(request),
  content: Buffer.alloc(0),
});
