import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairQueue, RecentOwners } from '../fair-queue/index.js';

const WAITING = { waitingMax: 512, waitingPerOwnerMax: 256, reason: 'overloaded' } as const;
/**
 * Reads in progress, in all and of one organization. So many keep the database busy. With more, this process would work on them
 * for longer without a pause, and the requests of others would wait.
 */
const READS = { ...WAITING, atOnce: 80, atOncePerOwner: 24 };
/** More of them, because a change may wait for a record that is locked; and no read waits behind those. */
const WRITES = { ...WAITING, atOnce: 96, atOncePerOwner: 64 };
/** Fewer, because others wait behind a transaction for as long as it has calls. */
const WRITES_BESIDE_OTHERS = 16;
/** How long an organization counts as one that asks. */
const RECENT_MS = 1_000;
/** Callers without a credential, by address. They have places of their own, so that they take none from organizations. */
const UNKNOWN = {
  atOnce: 40,
  atOncePerOwner: 20,
  waitingMax: 256,
  waitingPerOwnerMax: 64,
  reason: 'overloaded',
} as const;

/** Who waits longer is better refused: most callers give up soon after. */
const WAIT_MS = 1_000;

interface Options {
  waitMs?: number;
  /** Replaces the usual number of places of organizations. */
  places?: { atOnce: number; atOncePerOwner: number };
  monotonicMs?: () => number;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Lets requests into their handlers in turn, and refuses at once what could not be answered in time. */
export function takingTurns({
  waitMs = WAIT_MS,
  places,
  monotonicMs,
}: Options = {}): (handler: Handler) => Handler {
  const recent = new RecentOwners(RECENT_MS, monotonicMs);
  const reads = new FairQueue({ ...READS, ...places, waitMs });
  const besideOthers = { atOncePerOwner: WRITES_BESIDE_OTHERS, recent };
  const writes = new FairQueue({ ...WRITES, besideOthers, ...places, waitMs });
  const unknown = new FairQueue({ ...UNKNOWN, waitMs });
  return (handler) => async (request, reply) => {
    const { principal, ip } = request;
    const known = isRead(request) ? reads : writes;
    const leave = principal ? await place(known, principal.orgId) : await place(unknown, ip);
    // Until the response has been read: otherwise callers that do not read could have any number of them kept in memory.
    reply.raw.once('close', leave);
    // The caller has gone.
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
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

/** Without a promise when a place is free, which is the usual case. */
const place = (places: FairQueue, owner: string) => places.tryAcquire(owner) ?? places.acquire(owner);
