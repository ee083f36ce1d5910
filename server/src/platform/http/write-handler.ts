import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Database, type Tx, transact } from '../database/index.js';
import { ApiError, Refusal } from '../errors/index.js';
import { requesterOf } from '../principal.js';
import type { SealPlace, SecretBox } from '../secrets/index.js';
import {
  callOf,
  idempotencyKey,
  type KeptAnswer,
  sendStored,
  storedFailure,
  storedSuccess,
  success,
} from './answers.js';
import { etagOf } from './entity-tag.js';
import {
  answerPlace,
  claimKeys,
  isAnswered,
  requestHash,
  type StoredAnswer,
  storeAnswers,
} from './idempotency.js';
import type { OneAfterAnother } from './one-after-another.js';
import { Precondition } from './precondition.js';
import { answeredRequestId } from './request-id.js';
import type { AnyWriteRoute, Call } from './route.js';

export interface WriteOptions {
  database: Database;
  /** Encrypts stored responses that show a secret. */
  box: SecretBox;
  queue: OneAfterAnother;
}

/** Runs a write in a transaction of its own, with its Idempotency-Key. */
export function writeHandler(route: AnyWriteRoute, { database, box, queue }: WriteOptions) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const precondition = route.conditional ? preconditionOf(request, reply) : undefined;
    const call = { ...callOf(request), precondition } as Call<never, never, never>;
    const key = idempotencyKey(request);
    const options = { requestId: request.id };
    if (key === null) {
      const found = await route.prefetch?.(call);
      const write = () => transact(database, call.principal, (tx) => route.execute(tx, call, found), options);
      return success(await queue.run(route, call, write));
    }
    const owner = { credentialId: requesterOf(call.principal), key };
    const keeping = route.showsSecret ? sealedIn(box, answerPlace(call.principal.orgId, owner)) : inClear;
    const hash = requestHash(request.method, request.url, request.body, precondition?.text);
    const found = await prefetchOnce(route, database, call, { ...owner, hash });
    const writeOnce = async (tx: Tx): Promise<KeptAnswer> => {
      const [claim] = await claimKeys(tx, [{ ...owner, hash }]);
      if (claim instanceof ApiError) throw claim;
      if (claim !== 'fresh' && claim !== undefined) return { answer: keeping.open(claim), isReplay: true };
      const work = () => tx.savepoint(() => route.execute(tx, call, found));
      const { sent, stored } = await answerOf(work, request, reply);
      await storeAnswers(tx, [{ ...owner, ...keeping.seal(stored) }]);
      return { answer: sent, isReplay: false };
    };
    const write = () => transact(database, call.principal, writeOnce, options);
    return sendStored(reply, await queue.run(route, call, write));
  };
}

const ENCODINGS = [null, 'gzip', 'br'] as const;

/** The condition of a request; undefined without one. */
function preconditionOf(request: FastifyRequest, reply: FastifyReply): Precondition | undefined {
  const header = request.headers['if-match'];
  if (header === undefined) return undefined;
  return new Precondition(header, (record) => {
    // A read of the record uses the same response schema, and so returns the same bytes.
    const body = Buffer.from(reply.code(200).serialize(success(record)) as string);
    return ENCODINGS.map((encoding) => etagOf(body, encoding));
  });
}

async function prefetchOnce(
  route: AnyWriteRoute,
  database: Database,
  call: Call<never, never, never>,
  key: { credentialId: string; key: string; hash: Buffer },
): Promise<unknown> {
  if (!route.prefetch) return undefined;
  if (await transact(database, call.principal, (tx) => isAnswered(tx, key))) return undefined;
  return route.prefetch(call);
}

/** How the responses of a route are stored. */
interface Keeping {
  seal(answer: StoredAnswer): StoredAnswer;
  open(answer: StoredAnswer): StoredAnswer;
}
const inClear: Keeping = { seal: (answer) => answer, open: (answer) => answer };
const sealedIn = (box: SecretBox, place: SealPlace): Keeping => ({
  seal: (answer) => ({ ...answer, body: box.seal(answer.body, place) }),
  open: (answer) => ({ ...answer, body: box.open(answer.body, place) }),
});

async function answerOf(
  work: () => Promise<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ sent: StoredAnswer; stored: StoredAnswer }> {
  try {
    const answer = storedSuccess(reply, await work());
    return { sent: answer, stored: answer };
  } catch (error) {
    // Only a refusal is stored as a result; after any other failure the caller may retry.
    if (!(error instanceof Refusal)) throw error;
    const answerAs = (requestId: string) => storedFailure(error, requestId);
    return { sent: answerAs(answeredRequestId(request)), stored: answerAs(request.id) };
  }
}
