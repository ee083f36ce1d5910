import type { FastifyInstance } from 'fastify';
import { invalid } from '../platform/http/index.js';

/**
 * These paths refuse plain HTTP themselves, in the documented order of their errors; health and metrics are read from inside
 * the network.
 */
const JUDGED_ELSEWHERE =
  /^\/(v2(?!\/(openapi\.json|event-types)\b)|oauth|sign-in|healthz|readyz|metrics)(?![^/?])/;

/** Browsers that a proxy lets in over plain HTTP are sent to the public address if that is HTTPS; others are refused. */
export function servePagesOverHttps(app: FastifyInstance, origin: () => string): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.protocol === 'https' || JUDGED_ELSEWHERE.test(request.url)) {
      done();
      return;
    }
    const isForPeople = /\btext\/html\b/i.test(request.headers.accept ?? '');
    if (isForPeople && origin().startsWith('https:')) reply.redirect(origin() + request.url, 308);
    else done(invalid('https_required'));
  });
}
