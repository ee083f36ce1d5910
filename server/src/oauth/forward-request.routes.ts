import { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

export interface ForwardedRequest {
  method: 'GET' | 'POST';
  /** Path and query. */
  target: string;
  authorization?: string;
  /** A form. */
  body?: string;
}

/**
 * Builds the request that the provider receives. Only the listed parts of the caller's request are copied, and the host is
 * that of the issuer, so that a forged header cannot change the URLs the provider generates.
 */
export function buildRequest(
  request: FastifyRequest,
  issuer: string,
  given: ForwardedRequest,
): IncomingMessage {
  const { protocol, host } = new URL(issuer);
  const made = new IncomingMessage(request.raw.socket);
  const { accept, cookie } = request.headers;
  made.method = given.method;
  made.url = given.target;
  made.headers = {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': request.ip,
    ...(accept === undefined ? {} : { accept }),
    ...(cookie === undefined ? {} : { cookie }),
    ...(given.authorization === undefined ? {} : { authorization: given.authorization }),
  };
  if (given.body !== undefined) {
    const body = Buffer.from(given.body);
    made.headers['content-type'] = 'application/x-www-form-urlencoded';
    made.headers['content-length'] = String(body.length);
    made.push(body);
  }
  made.push(null);
  made.complete = true;
  return made;
}

/** Has the provider answer the request. */
export async function forwardRequest(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  given: ForwardedRequest,
): Promise<void> {
  const made = buildRequest(request, provider.issuer, given);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  await provider.callback()(made, reply.raw);
}
