import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { openCredentialUse } from '../credentials/index.js';
import { callerRequestId, isStream } from '../platform/http/index.js';
import { loggedUrl } from './logged-url.js';
import type { Metrics } from './metrics.js';

interface Notes {
  logger: FastifyBaseLogger;
  metrics: Metrics;
  use: ReturnType<typeof openCredentialUse>;
}

/** Every request that was answered is measured, counted for its credential, and logged. */
export function noteRequests(app: FastifyInstance, { logger, metrics, use }: Notes): void {
  app.addHook('onResponse', (request, reply, done) => {
    // A stream that lasted was not slow.
    if (!isStream(reply)) metrics.observe(request, reply);
    if (request.principal) use.count(request.principal, reply.statusCode);
    // One line a request: a second one would cost a fifth of the throughput.
    logger.info(
      {
        reqId: request.id,
        callerReqId: callerRequestId(request.headers) ?? undefined,
        method: request.method,
        url: loggedUrl(request.url, queryOf(request)),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        org: request.principal?.orgId,
        credential: request.principal?.credentialId,
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
