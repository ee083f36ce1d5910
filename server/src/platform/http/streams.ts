import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/index.js';
import { type Principal, personOrSystemOf } from '../principal.js';
import { callOf } from './answers.js';
import { requestReasons } from './reasons.js';
import type { AnyStreamRoute } from './route.js';

/** Resolves the principal again; null if the credential is no longer valid. */
type Identify = (
  headers: IncomingHttpHeaders,
  address: string,
) => Principal | null | Promise<Principal | null>;

export interface StreamOptions {
  identify: Identify;
  monotonicMs: () => number;
}

/** Server-sent event streams, one per listener: checked together, and ended when the server closes. */
export interface Streams {
  handler(route: AnyStreamRoute): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
  endAll(): void;
}

interface Stream {
  principal: Principal;
  headers: IncomingHttpHeaders;
  address: string;
  body: Readable;
  openedAtMs: number;
  wroteAtMs: number;
}

const MEDIA_TYPE = 'text/event-stream';
const WATCH_EVERY_MS = 1_000;
const HEARTBEAT_MS = 15_000;
const LONGEST_MS = 10 * 60_000;
const RECONNECT_MS = 3_000;
const PER_OWNER_MAX = 10;
/** Per process, so that one organization's streams cannot take all memory and checks. */
const PER_ORGANIZATION_MAX = 100;
/** A client with more unread bytes than this is treated as disconnected. */
const UNREAD_BYTES_MAX = 65_536;

const STREAM_HEADERS = {
  'content-type': `${MEDIA_TYPE}; charset=utf-8`,
  // A proxy that buffers the response would delay the events.
  'x-accel-buffering': 'no',
};

export const isStream = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type') ?? '').startsWith(MEDIA_TYPE);

export function openStreams({ identify, monotonicMs }: StreamOptions): Streams {
  const streams = new Set<Stream>();
  const ofOwner = openPlaces(PER_OWNER_MAX);
  const ofOrganization = openPlaces(PER_ORGANIZATION_MAX);
  let closing = false;
  let timer: NodeJS.Timeout | undefined;

  const write = (stream: Stream, text: string) => {
    if (stream.body.readableEnded || stream.body.destroyed) return;
    stream.wroteAtMs = monotonicMs();
    stream.body.push(text);
    if (stream.body.readableLength > UNREAD_BYTES_MAX) stream.body.destroy();
  };
  const end = (stream: Stream) => {
    if (streams.delete(stream)) stream.body.push(null);
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const recheck = async (stream: Stream) => {
    // If the principal cannot be resolved, the database is unavailable and there are no events to leak.
    const who = await Promise.resolve(identify(stream.headers, stream.address)).catch(() => stream.principal);
    if (who === null || !hasSamePermissions(who, stream.principal)) end(stream);
  };
  const watch = () => {
    const now = monotonicMs();
    for (const stream of streams) {
      if (now - stream.openedAtMs >= LONGEST_MS) {
        end(stream);
        continue;
      }
      if (now - stream.wroteAtMs >= HEARTBEAT_MS) write(stream, ':\n\n');
      void recheck(stream);
    }
  };

  return {
    handler: (route) => async (request, reply) => {
      const { principal } = callOf(request);
      if (request.method === 'HEAD') return reply.headers(STREAM_HEADERS).send('');
      reply.raw.once('close', ofOrganization(principal.orgId));
      reply.raw.once('close', ofOwner(personOrSystemOf(principal)));
      const now = monotonicMs();
      const stream: Stream = {
        principal,
        headers: request.headers,
        address: request.ip,
        body: new Readable({ read() {} }),
        openedAtMs: now,
        wroteAtMs: now,
      };
      const stop = await route.subscribe(principal, (event, data) => {
        if (streams.has(stream)) write(stream, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      });
      const finish = () => {
        stop();
        end(stream);
      };
      if (reply.raw.destroyed) finish();
      else reply.raw.once('close', finish);
      streams.add(stream);
      timer ??= setInterval(watch, WATCH_EVERY_MS).unref();
      write(stream, `retry: ${RECONNECT_MS}\n\n`);
      if (closing) end(stream);
      return reply.headers(STREAM_HEADERS).send(stream.body);
    },
    endAll() {
      closing = true;
      for (const stream of streams) end(stream);
    },
  };
}

/** Takes one of an owner's slots. Returns a function that releases it. */
function openPlaces(max: number): (owner: string) => () => void {
  const taken = new Map<string, number>();
  return (owner) => {
    const before = taken.get(owner) ?? 0;
    if (before >= max) throw tooMany();
    taken.set(owner, before + 1);
    return () => {
      const left = (taken.get(owner) ?? 1) - 1;
      if (left > 0) taken.set(owner, left);
      else taken.delete(owner);
    };
  };
}

/** A stream whose permissions changed is ended: the client reconnects and is authorized anew. */
function hasSamePermissions(now: Principal, then: Principal): boolean {
  return (
    now.orgId === then.orgId &&
    now.boundTo === then.boundTo &&
    now.session?.state === then.session?.state &&
    now.scopes.size === then.scopes.size &&
    [...now.scopes].every((scope) => then.scopes.has(scope))
  );
}

function tooMany(): ApiError {
  const reason = 'too_many_streams';
  const issue = { path: null, reason, message: requestReasons[reason].meaning };
  return new ApiError('limited', [issue], { headers: { 'retry-after': '60' } });
}
