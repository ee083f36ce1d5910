import { performance } from 'node:perf_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Outcome } from '../batched-calls.js';
import { type Database, gathered, type Tx, transact } from '../database/index.js';
import { ApiError, Refusal, Unavailable } from '../errors/index.js';
import { FairQueue, type FairQueueLimits } from '../fair-queue/index.js';
import { requesterOf } from '../principal.js';
import {
  callOf,
  idempotencyKey,
  type KeptAnswer,
  sendStored,
  storedFailure,
  storedSuccess,
  success,
} from './answers.js';
import { abandonKeys, claimKeys, requestHash, type StoredAnswer, storeAnswers } from './idempotency.js';
import { LockedRecords } from './locked-records.js';
import type { AnySharedWriteRoute, Call } from './route.js';

/** One request waiting for a shared transaction. */
interface Ticket {
  call: Call<never, never, never>;
  key: string | null;
  hash: Buffer | null;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Data to send, or a response stored under an Idempotency-Key. */
type Result = { data: unknown } | { kept: KeptAnswer };

/** The outcome of a call whose transaction failed because of one of its calls, without knowing which. */
const alone = Symbol('to be carried out alone');
type Shared = Outcome<Result> | typeof alone;

const KEYS_MAX = 64;
const WAIT_MS = 2;
/** The requests of others wait while answers are given. */
const ANSWERED_BESIDE_OTHERS = 2;
/** A transaction takes several times as long on a cluster, so waiting longer for more calls pays off. */
const DISTRIBUTED_WAIT_MS = 10;

/**
 * Calls that share a transaction wait for a lock only briefly, because a lock held elsewhere delays all of them. Then each
 * runs alone: briefly at first, so that calls that need other locks finish, and in the end with the usual wait.
 */
const SHARED_LOCK_MS = 500;
const FIRST_ALONE_LOCK_MS = 100;
/** Concurrent calls of one organization that run alone, limited to leave connections for its other requests. */
const ALONE: FairQueueLimits = {
  atOnce: 100,
  atOncePerOwner: 3,
  waitingMax: 10_000,
  waitingPerOwnerMax: 256,
  waitMs: 5_000,
  reason: 'record_locked',
};

type Submit = (ticket: Ticket) => Promise<Shared>;

/**
 * Requests of one organization that arrive while a transaction of this route is running share the next one. They wait for a
 * common lock once, and need as many statements as a single request.
 */
export function sharedHandler(route: AnySharedWriteRoute, database: Database) {
  const lanes = new Lanes(
    (tickets) => carryOut(route, database, tickets),
    database.app.isDistributed,
    route.oneAtATime ?? false,
  );
  const quick = new FairQueue(ALONE);
  const patient = new FairQueue({ ...ALONE, waitMs: 2_000 });
  const locked = new LockedRecords();
  const carryOutAlone = async (ticket: Ticket, records: readonly string[]): Promise<Outcome<Result>> => {
    const { orgId } = ticket.call.principal;
    const one = (lockMs?: number) => transactAll(route, database, [ticket], lockMs);
    const first = locked.hasAny(records)
      ? null
      : await quick.run(orgId, () => one(FIRST_ALONE_LOCK_MS).catch(unlessLocked));
    if (!first) locked.add(records);
    const [outcome] = first ?? (await patient.run(orgId, () => one()));
    locked.remove(records);
    return outcome as Outcome<Result>;
  };
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const call = callOf(request) as Call<never, never, never>;
    route.check?.(call);
    const key = idempotencyKey(request);
    const hash = key === null ? null : requestHash(request.method, request.url, request.body);
    const ticket = { call, key, hash, request, reply };
    const { orgId } = call.principal;
    const records = route.changes(call).map((name) => `${orgId} ${name}`);
    const shared = locked.hasAny(records) ? alone : await lanes.of(orgId)(ticket);
    const outcome = shared === alone ? await carryOutAlone(ticket, records) : shared;
    if ('failure' in outcome) throw outcome.failure;
    return 'data' in outcome.value ? success(outcome.value.data) : sendStored(reply, outcome.value.kept);
  };
}

const IDLE_LANE_MS = 1_000;

/** One lane per recently active organization; a lane tracks its usual number of callers. */
class Lanes {
  readonly #carryOut: (tickets: readonly Ticket[]) => Promise<Shared[]>;
  readonly #lanes = new Map<string, { submit: Submit; usedMs: number }>();
  #lookedMs = 0;

  readonly #isDistributed: boolean;
  readonly #isOneAtATime: boolean;

  constructor(
    carryOut: (tickets: readonly Ticket[]) => Promise<Shared[]>,
    isDistributed: boolean,
    isOneAtATime: boolean,
  ) {
    this.#carryOut = carryOut;
    this.#isDistributed = isDistributed;
    this.#isOneAtATime = isOneAtATime || isDistributed;
  }

  of(orgId: string): Submit {
    const nowMs = performance.now();
    if (nowMs - this.#lookedMs > IDLE_LANE_MS) this.#removeIdle(nowMs);
    let lane = this.#lanes.get(orgId);
    if (!lane) {
      // A single organization gets two transactions, or the database would idle while the next one is prepared. The nodes of
      // a cluster have other organizations to serve, and larger transactions cost them less.
      const inFlightMax = () => (this.#lanes.size > 1 || this.#isOneAtATime ? 1 : 2);
      const waitMs = this.#isDistributed ? DISTRIBUTED_WAIT_MS : WAIT_MS;
      // Alone, an organization keeps nobody waiting, and its next transaction begins sooner.
      const answeredAtOnce = () => (this.#lanes.size > 1 ? ANSWERED_BESIDE_OTHERS : KEYS_MAX);
      const limits = { keysMax: KEYS_MAX, waitMs, inFlightMax, answeredAtOnce };
      lane = { submit: gathered(this.#carryOut, limits), usedMs: nowMs };
      this.#lanes.set(orgId, lane);
    }
    lane.usedMs = nowMs;
    return lane.submit;
  }

  #removeIdle(nowMs: number): void {
    this.#lookedMs = nowMs;
    for (const [orgId, { usedMs }] of this.#lanes)
      if (nowMs - usedMs > IDLE_LANE_MS) this.#lanes.delete(orgId);
  }
}

async function carryOut(
  route: AnySharedWriteRoute,
  database: Database,
  tickets: readonly Ticket[],
): Promise<Shared[]> {
  const repeated = repeatedKeys(tickets);
  if (repeated.size > 0) return runDuplicatesAfter(route, database, tickets, repeated);
  try {
    return await transactAll(route, database, tickets, SHARED_LOCK_MS);
  } catch (error) {
    // An unavailable database affects all callers. A lock, or any other error, may be caused by one of them. Even a single
    // call that waits for a lock runs alone, because others wait for the next transaction.
    const isOfAll = tickets.length === 1 || error instanceof ApiError;
    if (isOfAll && !isLocked(error)) throw error;
    return tickets.map(() => alone);
  }
}

async function transactAll(
  route: AnySharedWriteRoute,
  database: Database,
  tickets: readonly Ticket[],
  lockMs?: number,
): Promise<Outcome<Result>[]> {
  const [first] = tickets;
  if (!first) return [];
  const options = { requestId: first.call.requestId, ...(lockMs === undefined ? {} : { lockMs }) };
  return transact(database, first.call.principal, (tx) => executeAll(route, tx, tickets), options);
}

const isLocked = (error: unknown): boolean =>
  error instanceof Unavailable && error.reason === 'record_locked';

function unlessLocked(error: unknown): null {
  if (isLocked(error)) return null;
  throw error;
}

/** Indexes of tickets whose Idempotency-Key also occurs in an earlier ticket. */
function repeatedKeys(tickets: readonly Ticket[]): Set<number> {
  const seen = new Set<string>();
  const repeated = new Set<number>();
  tickets.forEach(({ key, call }, place) => {
    if (key === null) return;
    const text = `${requesterOf(call.principal)}\n${key}`;
    if (seen.has(text)) repeated.add(place);
    seen.add(text);
  });
  return repeated;
}

/** Runs duplicates of a key after the first request with it, whose stored response they then find. */
async function runDuplicatesAfter(
  route: AnySharedWriteRoute,
  database: Database,
  tickets: readonly Ticket[],
  later: ReadonlySet<number>,
): Promise<Shared[]> {
  const outcomes: Shared[] = new Array(tickets.length);
  for (const turn of [false, true]) {
    const places = tickets.map((_, place) => place).filter((place) => later.has(place) === turn);
    const results = await carryOut(
      route,
      database,
      places.map((place) => tickets[place] as Ticket),
    );
    places.forEach((place, i) => {
      outcomes[place] = results[i] as Shared;
    });
  }
  return outcomes;
}

async function executeAll(
  route: AnySharedWriteRoute,
  tx: Tx,
  tickets: readonly Ticket[],
): Promise<Outcome<Result>[]> {
  const claims = await claimKeys(
    tx,
    tickets.map(({ call, key, hash }) => ({ credentialId: requesterOf(call.principal), key, hash })),
  );
  const fresh = tickets.filter((_, place) => claims[place] === 'fresh');
  const outcomes = await route.executeAll(
    tx,
    fresh.map((ticket) => ticket.call),
  );
  const answers = fresh.map((ticket, i) => answerOf(ticket, outcomes[i] as Outcome<unknown>));
  await storeAnswers(
    tx,
    answers.flatMap(({ ticket, stored }) =>
      ticket.key !== null && stored ? [{ ...owner(ticket), ...stored }] : [],
    ),
  );
  await abandonKeys(
    tx,
    answers.flatMap(({ ticket, stored }) => (ticket.key !== null && !stored ? [owner(ticket)] : [])),
  );
  const byTicket = new Map(answers.map(({ ticket, outcome }) => [ticket, outcome]));
  return tickets.map((ticket, place) => {
    const claim = claims[place];
    if (claim === 'fresh') return byTicket.get(ticket) as Outcome<Result>;
    if (claim instanceof ApiError) return { failure: claim };
    return { value: { kept: { answer: claim as StoredAnswer, isReplay: true } } };
  });
}

const owner = (ticket: Ticket) => ({
  credentialId: requesterOf(ticket.call.principal),
  key: ticket.key ?? '',
});

/** The outcome of a ticket, and the response stored for it: successes and refusals, as they are sent. */
function answerOf(
  ticket: Ticket,
  outcome: Outcome<unknown>,
): { ticket: Ticket; outcome: Outcome<Result>; stored: StoredAnswer | null } {
  if ('value' in outcome) {
    if (ticket.key === null) return { ticket, outcome: { value: { data: outcome.value } }, stored: null };
    const stored = storedSuccess(ticket.reply, outcome.value);
    return { ticket, outcome: { value: { kept: { answer: stored, isReplay: false } } }, stored };
  }
  const stored =
    outcome.failure instanceof Refusal ? storedFailure(outcome.failure, ticket.request.id) : null;
  return { ticket, outcome, stored };
}
