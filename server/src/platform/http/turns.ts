import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairQueue, RecentOwners } from '../fair-queue/index.js';

const WAITING = { waitingMax: 512, waitingPerOwnerMax: 256, reason: 'overloaded' } as const;
/**
 * Concurrent reads, in total and per organization. This many keep the database busy. More would keep this process occupied
 * longer without a pause and delay the requests of others.
 */
const READS = { ...WAITING, atOnce: 80, atOncePerOwner: 24 };
const READS_BESIDE_OTHERS = 14;
/** More than reads, because a change may wait for a locked record, and no read waits behind it. */
const WRITES = { ...WAITING, atOnce: 96, atOncePerOwner: 64 };
const WRITES_BESIDE_OTHERS = 16;
/** How long an organization counts as active after a request. */
const RECENT_MS = 1_000;
/** A second slot, for work that keeps a connection of the database and this process busy: a little of it slows down all others. */
const LONG = { ...WAITING, atOnce: 16, atOncePerOwner: 1 };
/** Callers without a credential, by address. Their slots are separate, so that they take none from organizations. */
const UNKNOWN = {
  atOnce: 40,
  atOncePerOwner: 20,
  waitingMax: 256,
  waitingPerOwnerMax: 64,
  reason: 'overloaded',
} as const;

/** Callers that would wait longer are refused, because most give up soon after. */
const WAIT_MS = 1_000;
/** Callers know that this work takes long. */
const LONG_WAIT_MS = 5_000;

interface Options {
  waitMs?: number;
  /** Replaces the usual number of slots of organizations. */
  places?: { atOnce: number; atOncePerOwner: number };
  monotonicMs?: () => number;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * Admits requests to their handlers in turn, and immediately refuses those that could not be answered in time. Handlers with `takesLong`
 * work on one request of an organization after another: one that changes, and one that reads.
 */
export function takingTurns({
  waitMs = WAIT_MS,
  places,
  monotonicMs,
}: Options = {}): (handler: Handler, route?: { takesLong?: true }) => Handler {
  const recent = new RecentOwners(RECENT_MS, monotonicMs);
  const besideOthers = (atOncePerOwner: number) => ({ besideOthers: { atOncePerOwner, recent } });
  const reads = new FairQueue({ ...READS, ...besideOthers(READS_BESIDE_OTHERS), ...places, waitMs });
  const writes = new FairQueue({ ...WRITES, ...besideOthers(WRITES_BESIDE_OTHERS), ...places, waitMs });
  const unknown = new FairQueue({ ...UNKNOWN, waitMs });
  const longWaitMs = Math.max(waitMs, LONG_WAIT_MS);
  const longReads = new FairQueue({ ...LONG, waitMs: longWaitMs });
  const longWrites = new FairQueue({ ...LONG, waitMs: longWaitMs });
  const inTurn = (handler: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { principal, ip } = request;
    const known = isRead(request) ? reads : writes;
    const leave = principal ? await place(known, principal.orgId) : await place(unknown, ip);
    // Held until the response has been read: otherwise callers that do not read could keep any number of responses in
    // memory.
    reply.raw.once('close', leave);
    // The caller has disconnected.
    if (reply.raw.closed || request.socket.destroyed) {
      leave();
      return reply.hijack();
    }
    try {
      return await handler(request, reply);
    } catch (error) {
      // A refusal is short, and may be sent later.
      leave();
      throw error;
    }
  };
  return (handler, { takesLong } = {}) => {
    const usual = inTurn(handler);
    if (!takesLong) return usual;
    return (request, reply) => {
      const long = isRead(request) ? longReads : longWrites;
      // Until there is a response: a caller that reads it slowly holds up no other.
      return long.run(request.principal?.orgId ?? request.ip, () => usual(request, reply));
    };
  };
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

/** Without a promise when a place is free, which is the usual case. */
const place = (places: FairQueue, owner: string) => places.tryAcquire(owner) ?? places.acquire(owner);
