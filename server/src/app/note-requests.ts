import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LoggedIssue, openCredentialUse } from '../credentials/index.js';
import { callerRequestId, isStream } from '../platform/http/index.js';
import type { Principal } from '../platform/principal.js';
import { loggedUrl, withoutSecrets } from './logged-url.js';
import type { Metrics } from './metrics.js';

interface Notes {
  logger: FastifyBaseLogger;
  metrics: Metrics;
  use: ReturnType<typeof openCredentialUse>;
}

/** Every answered request is measured, counted and logged: for its credential, and for the operator. */
export function noteRequests(app: FastifyInstance, { logger, metrics, use }: Notes): void {
  app.addHook('onResponse', (request, reply, done) => {
    const isLasting = isStream(reply);
    // Streams are long-lived, so their duration is not observed.
    if (!isLasting) metrics.observe(request, reply);
    const url = loggedUrl(request.url, queryOf(request));
    const principal = request.principal ?? request.failure?.refused;
    if (principal) {
      use.count(principal, reply.statusCode);
      if (use.log.wants(principal, reply.statusCode))
        logForCredential(use, principal, { request, reply, url, isLasting });
    }
    // One line per request: a second one would cost a fifth of the throughput.
    logger.info(
      {
        reqId: request.id,
        callerReqId: callerRequestId(request.headers) ?? undefined,
        method: request.method,
        url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        org: principal?.orgId,
        credential: principal?.credentialId,
        ip: request.ip,
      },
      'request',
    );
    done();
  });
}

/** The query parameters that the route of a request declares. */
const queryOf = ({ routeOptions }: FastifyRequest): object | undefined =>
  (routeOptions.schema?.querystring as { properties?: object } | undefined)?.properties;

interface Answered {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Secrets are removed. */
  url: string;
  isLasting: boolean;
}

const PATH_MAX = 512;

function logForCredential(
  { log }: Notes['use'],
  principal: Principal,
  { request, reply, url, isLasting }: Answered,
): void {
  const { statusCode: status } = reply;
  const query = url.indexOf('?');
  log.add(principal, {
    requestId: request.id,
    callerRequestId: callerRequestId(request.headers),
    method: request.method,
    route: request.routeOptions.url ?? '',
    path: url.slice(0, Math.min(query === -1 ? PATH_MAX : query, PATH_MAX)),
    status,
    issues: status < 400 ? null : issuesOf(request),
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    requestBytes: request.bodyBytes || declaredBytes(request),
    responseBytes: isLasting ? null : Number(reply.getHeader('content-length') ?? 0),
  });
}

/** The length of a body that was not read because the request was refused first. The caller can declare any number. */
const declaredBytes = ({ headers }: FastifyRequest): number => {
  const bytes = Number(headers['content-length'] ?? 0);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0;
};

const ISSUES_MAX = 10;
const TEXT_MAX = 500;

/** The issues as they were answered, with their number and length limited. */
const issuesOf = ({ failure }: FastifyRequest): LoggedIssue[] =>
  (failure?.issues ?? []).slice(0, ISSUES_MAX).map(({ path, reason, message }) => ({
    path: path === null ? null : storable(path),
    reason,
    message: storable(message),
  }));

/** A message can repeat part of the request, which can contain anything. */
const storable = (text: string): string =>
  withoutSecrets(text).slice(0, TEXT_MAX).toWellFormed().replaceAll('\u0000', '');
