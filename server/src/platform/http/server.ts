import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import compileSerializer, { type Schema } from 'fast-json-stringify';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { TSchema } from 'typebox';
import { type ApiError, ERROR_ROWS, type Issue, noSuchPath, Unavailable } from '../errors/index.js';
import type { Principal } from '../principal.js';
import { brokenRequests } from './broken-request.js';
import { deferContinue, sendContinue } from './expected-continue.js';
import { failureBody, SAFE_HEADERS, toApiError } from './failure.js';
import { invalid, parseJsonBody } from './json-body.js';
import { HEADERS_MAX } from './request-headers.js';
import { answeredRequestId, newRequestId, requestIdHeaders } from './request-id.js';
import { SlowRefusals } from './slow-refusals.js';
import { compile, type RequestPart } from './validation.js';

const MERGE_PATCH = 'application/merge-patch+json';
const BODY_BYTES_MAX = 1_048_576;
/** One year. Subdomains are excluded, because they may belong to others. */
const HSTS = 'max-age=31536000';

export interface ServerOptions {
  logger: FastifyBaseLogger;
  tls: { cert: string; key: string } | null;
  /** Networks whose forwarded headers are trusted. */
  trustedProxies: readonly string[];
  /** How long a client may take to send its headers, and its whole request. */
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
  /** Replaces the usual delays, for tests. */
  refusals?: SlowRefusals;
}

interface RequestFailure {
  readonly issues: readonly Issue[];
  /** The caller, if it was refused before it became the principal. */
  readonly refused: Principal | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body that were read. */
    bodyBytes: number;
    /** Why the request was not carried out; null for a success. */
    failure: RequestFailure | null;
  }
  interface FastifyContextConfig {
    receivesFile?: boolean;
  }
}

/** A Fastify instance that reports every failure, including its own, in the common error shape. */
export function createServer(options: ServerOptions): FastifyInstance {
  const broken = brokenRequests();
  const unused = unusedConnections();
  const fail = sendingFailures(options.refusals ?? new SlowRefusals());
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    routerOptions: { maxParamLength: 4_096 },
    requestIdHeader: false,
    genReqId: newRequestId,
    frameworkErrors: fail,
    clientErrorHandler: broken.answer,
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection while the server closes is handled as usual.
    return503OnClosing: false,
    // For HOST=localhost the framework would create a second server without these limits and error handlers.
    serverFactory: (listener: RequestListener) => {
      const server = listeningServer(listener, options);
      broken.watch(server);
      unused.watch(server);
      return server;
    },
    ...(options.tls ? { https: options.tls } : {}),
  } as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance;

  app.decorateRequest('bodyBytes', 0);
  app.decorateRequest('failure', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', MERGE_PATCH],
    { parseAs: 'buffer' },
    (request, body, done) => {
      request.bodyBytes = body.length;
      const contentType = request.headers['content-type'];
      try {
        if (request.method !== 'PATCH' && contentType?.toLowerCase().startsWith(MERGE_PATCH))
          throw invalid('unsupported_media_type');
        requireUtf8(contentType);
        done(null, parseJsonBody(body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const validate = compile(schema as TSchema, httpPart as RequestPart);
    return (value: unknown) => {
      const error = validate(value);
      return error ? { error } : { value };
    };
  });
  // Compiled on first use, like the validators.
  app.setSerializerCompiler(({ schema }) => {
    let serialize: ((data: unknown) => string) | undefined;
    return (data) => {
      serialize ??= compileSerializer(schema as Schema);
      return serialize(data);
    };
  });
  // An unknown path is reported as missing even if the rest of the request is invalid too.
  app.setErrorHandler((error, request, reply) => fail(request.is404 ? noSuchPath() : error, request, reply));
  app.setNotFoundHandler((request, reply) => fail(noSuchPath(), request, reply));
  addRequestHooks(app);
  app.addHook('preClose', (done) => {
    // Otherwise a connection with a response in progress would stay open and idle, and keep the server from closing.
    app.server.keepAliveTimeout = 1;
    unused.close();
    done();
  });
  return app;
}

function addRequestHooks(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SAFE_HEADERS).headers(requestIdHeaders(request));
    // Behind a trusted proxy the protocol is that of the caller.
    if (request.protocol === 'https') reply.header('strict-transport-security', HSTS);
    done();
  });
  app.addHook('preParsing', (request, reply, _payload, done) => {
    // A file upload waits for a free slot.
    if (!request.routeOptions.config.receivesFile) sendContinue(request, reply);
    done();
  });
}

/** Connections that browsers open in advance. Node counts them as busy, so a closing server would wait for them. */
function unusedConnections() {
  const open = new Set<Socket>();
  return {
    watch(server: Server): void {
      server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
        open.add(socket);
        socket.once('close', () => open.delete(socket));
      });
      server.on('request', (request) => open.delete(request.socket));
    },
    close(): void {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

const STALLED_MS = 60_000;

/** Suites of TLS 1.2 with forward secrecy and authenticated encryption, as Mozilla recommends; those of 1.3 all have both. */
const CIPHERS = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDSA', 'RSA'].flatMap((by) => [
    `ECDHE-${by}-AES128-GCM-SHA256`,
    `ECDHE-${by}-AES256-GCM-SHA384`,
    `ECDHE-${by}-CHACHA20-POLY1305`,
  ]),
].join(':');

function listeningServer(listener: RequestListener, options: ServerOptions): Server {
  const headersTimeout = options.headersTimeoutMs ?? 10_000;
  const limits = {
    requireHostHeader: false,
    maxHeaderSize: 16_384,
    headersTimeout,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    connectionsCheckingInterval: Math.min(5_000, headersTimeout),
    keepAliveTimeout: 65_000,
  };
  const server = options.tls
    ? createHttpsServer({ ciphers: CIPHERS, ...options.tls, ...limits }, listener)
    : createHttpServer(limits, listener);
  deferContinue(server);
  // Ends a connection whose client has stopped reading, counted from the last byte in either direction: requests are
  // answered sooner, and streams have heartbeats.
  server.timeout = STALLED_MS;
  // One more than allowed, so that an excess can be detected.
  server.maxHeadersCount = HEADERS_MAX + 1;
  return server;
}

/** Sends failures. Refusals are counted by organization, or by address before it is known. */
const sendingFailures =
  (refusals: SlowRefusals) =>
  (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const error = toApiError(thrown);
    request.failure = error;
    const send = () => sendFailure(error, request, reply);
    const isRefusal = error.kind !== 'internal' || error instanceof Unavailable;
    const refused = { isLimited: error.kind === 'limited', bodyBytes: request.bodyBytes };
    if (isRefusal) refusals.answer(request.principal?.orgId ?? request.ip, refused, send);
    else send();
  };

function sendFailure(error: ApiError, request: FastifyRequest, reply: FastifyReply): void {
  // Many requests are refused under load; the request log shows them.
  if (error.kind === 'internal' && !(error instanceof Unavailable && error.reason === 'overloaded'))
    request.log.error({ err: error.cause ?? error, reqId: request.id }, 'request failed');
  // Otherwise the rest of an unknown caller's file would be read, to keep the connection.
  if (request.routeOptions?.config?.receivesFile && request.principal === null)
    reply.header('connection', 'close');
  reply
    .code(ERROR_ROWS[error.kind].status)
    .headers({ ...SAFE_HEADERS, ...error.headers, ...requestIdHeaders(request) })
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(failureBody(error, answeredRequestId(request)));
}

function requireUtf8(contentType: string | undefined): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw invalid('unsupported_media_type', 'Content-Type', 'only UTF-8 is read');
  }
}
