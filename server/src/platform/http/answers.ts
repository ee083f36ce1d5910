import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiError, ERROR_ROWS, type Issue } from '../errors/index.js';
import { failureBody } from './failure.js';
import type { StoredAnswer } from './idempotency.js';
import { invalid } from './json-body.js';
import type { Call } from './route.js';

/** Shared by read and write handlers: the call of a request and the form of a response. */

export function callOf(request: FastifyRequest): Call {
  const { principal } = request;
  if (!principal) throw new Error('route handler called without a principal');
  return {
    principal,
    params: request.params,
    query: request.query,
    body: request.body,
    target: request.url,
    requestId: request.id,
  };
}

export const success = (data: unknown) => ({ code: 0, message: 'success', data });

/** The response as it will be sent, so that it can be stored in the transaction of the write. */
export const storedSuccess = (reply: FastifyReply, data: unknown): StoredAnswer => ({
  status: 200,
  body: reply.code(200).serialize(success(data)) as string,
});

export const storedFailure = (error: ApiError, requestId: string): StoredAnswer => ({
  status: ERROR_ROWS[error.kind].status,
  body: JSON.stringify(failureBody(error, requestId)),
});

/** Sends a response that was stored under an Idempotency-Key, by this request or, marked as a replay, by an earlier one. */
export function sendStored(reply: FastifyReply, { answer, isReplay }: KeptAnswer): string {
  reply.code(answer.status).type('application/json; charset=utf-8').serializer(String);
  if (isReplay) reply.header(REPLAYED_HEADER, 'true');
  if (answer.status >= 400) reply.request.failure = { issues: issuesIn(answer.body), refused: null };
  return answer.body;
}

const issuesIn = (body: string): Issue[] => (JSON.parse(body) as { errors?: Issue[] }).errors ?? [];

export interface KeptAnswer {
  answer: StoredAnswer;
  isReplay: boolean;
}

const REPLAYED_HEADER = 'idempotent-replayed';

const IDEMPOTENCY_KEY_MAX = 255;

export function idempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  // A PUT or DELETE can be repeated as it is.
  if (key === undefined || !(request.method === 'POST' || request.method === 'PATCH')) return null;
  if (typeof key !== 'string' || key.length === 0 || key.length > IDEMPOTENCY_KEY_MAX) {
    throw invalid('bad_length', 'Idempotency-Key', `1 to ${IDEMPOTENCY_KEY_MAX} characters`);
  }
  return key;
}
