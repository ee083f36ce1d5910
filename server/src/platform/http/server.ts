import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { TSchema } from 'typebox';
import { ERROR_ROWS, missing } from '../errors/index.js';
import { failureBody, toApiError } from './failure.js';
import { invalid, parseJsonBody } from './json-body.js';
import { newRequestId, wellFormedRequestId } from './request-id.js';
import { compile, type RequestPart } from './validation.js';

export const BODY_BYTES_MAX = 1_048_576;

export interface ServerOptions {
  logger: FastifyBaseLogger;
  tls: { cert: string; key: string } | null;
  /** Networks whose forwarded headers are believed. */
  trustedProxies: readonly string[];
  /** How long a client may take to send its headers, and its whole request. */
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
}

/** A Fastify instance on which every failure, also its own, leaves in the one error shape. */
export function createServer(options: ServerOptions): FastifyInstance {
  const headersTimeoutMs = options.headersTimeoutMs ?? 10_000;
  const server = {
    requireHostHeader: false,
    maxHeaderSize: 16_384,
    headersTimeout: headersTimeoutMs,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    connectionsCheckingInterval: Math.min(5_000, headersTimeoutMs),
  };
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    keepAliveTimeout: 65_000,
    requestTimeout: server.requestTimeout,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    routerOptions: { maxParamLength: 4_096 },
    requestIdHeader: false,
    genReqId: (request: IncomingMessage) =>
      wellFormedRequestId(request.headers['x-request-id']) ?? newRequestId(),
    frameworkErrors: sendFailure,
    clientErrorHandler: answerBrokenRequest,
    forceCloseConnections: 'idle',
    ...(options.tls ? { https: { ...options.tls, ...server } } : { http: server }),
  } as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance;

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      requireUtf8(request.headers['content-type']);
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const validate = compile(schema as TSchema, httpPart as RequestPart);
    return (value: unknown) => {
      const error = validate(value);
      return error ? { error } : { value };
    };
  });
  app.setErrorHandler(sendFailure);
  app.setNotFoundHandler((request, reply) => sendFailure(missing(), request, reply));
  app.server.maxHeadersCount = 100;
  // Node answers an unknown expectation with a bare 417; here it is one more request that is not valid.
  (app.server as Server).on('checkExpectation', (_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
    response.end(JSON.stringify(failureBody(invalid('malformed_request', 'Expect'), newRequestId())));
  });
  return app;
}

function sendFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toApiError(thrown);
  if (error.kind === 'internal')
    request.log.error({ err: error.cause ?? error, reqId: request.id }, 'request failed');
  reply
    .code(ERROR_ROWS[error.kind].status)
    .headers({ ...error.headers, 'x-request-id': request.id })
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(failureBody(error, request.id));
}

function requireUtf8(contentType: string | undefined): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw invalid('unsupported_media_type', 'Content-Type', 'only UTF-8 is read');
  }
}

/** What Node could not read as HTTP, or what took too long to arrive, still gets the one error shape. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(failureBody(invalid('malformed_request'), newRequestId()));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

const ONCE = new Map([
  [4, 'host'],
  [13, 'authorization'],
  [12, 'content-type'],
  [15, 'idempotency-key'],
]);

/** Node quietly keeps the first of doubled headers; two readers that keep different ones disagree about the caller. */
export function requireSingleHeaders(request: IncomingMessage): void {
  const raw = request.rawHeaders;
  let seen = '';
  let hosts = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    const watched = ONCE.get(name.length);
    if (watched === undefined) continue;
    const lower = name.toLowerCase();
    if (lower !== watched) continue;
    if (seen.includes(lower)) throw invalid('duplicate_header', lower);
    seen += lower;
    if (lower === 'host') hosts++;
  }
  if (hosts === 0 && request.httpVersion === '1.1')
    throw invalid('duplicate_header', 'host', 'Host is required');
}
