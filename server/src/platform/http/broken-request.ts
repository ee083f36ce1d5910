import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ApiError, ERROR_ROWS, noSuchPath } from '../errors/index.js';
import { failureBody, SAFE_HEADERS } from './failure.js';
import { invalid } from './json-body.js';
import { callerRequestId, newRequestId } from './request-id.js';

/** The last request on a connection, and the response to the one before it if that was unfinished when it arrived. */
interface Latest {
  request: IncomingMessage;
  response: ServerResponse;
  owedBefore: ServerResponse | null;
}

/**
 * Bytes that Node cannot parse as HTTP, and requests that arrive too slowly, never reach the framework. They still get the
 * common error response, sent after the responses to earlier requests on the same connection.
 */
export function brokenRequests() {
  const latest = new WeakMap<Duplex, Latest>();
  const refused = new WeakSet<Duplex>();

  const refuse = (socket: Duplex, error: ApiError, requestId: string, ahead: ServerResponse | null) => {
    // A failed parser fails again on all later input of the connection.
    if (refused.has(socket)) return;
    refused.add(socket);
    const send = () => {
      if (socket.writable) socket.end(rawFailure(error, requestId), () => socket.destroy());
    };
    if (ahead && !ahead.writableFinished) ahead.once('finish', send);
    else send();
  };

  return {
    /** Handles the `clientError` event of the server. */
    answer(error: Error & { code?: string }, socket: Socket): void {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) {
        // Browsers open connections in advance and would take this response for that of the next request they send. If this
        // process was too busy to read, the request is there a moment later.
        setImmediate(() => socket.bytesRead === 0 && socket.destroy());
        return;
      }
      const last = latest.get(socket);
      // Either the body of the latest request broke off, or the request after it could not be parsed.
      const brokeOff = last !== undefined && !last.request.complete;
      if (error.code === 'ECONNRESET' || !socket.writable || (brokeOff && last.response.headersSent)) {
        socket.destroy();
        return;
      }
      const ahead = brokeOff ? last.owedBefore : (last?.response ?? null);
      refuse(socket, invalid('malformed_request', null, MESSAGES[error.code ?? '']), newRequestId(), ahead);
    },

    watch(server: Server): void {
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const before = latest.get(request.socket)?.response;
        const owedBefore = before && !before.writableFinished ? before : null;
        latest.set(request.socket, { request, response, owedBefore });
      });
      // By default, Node responds to an unknown expectation with an empty 417; here the route refuses it.
      server.on('checkExpectation', (request, response) => server.emit('request', request, response));
      // By default, Node closes the connection on CONNECT; here it is a method that no path supports.
      server.on('connect', (request, socket) => {
        socket.on('error', () => {});
        const requestId = callerRequestId(request.headers) ?? newRequestId();
        refuse(socket, noSuchPath(), requestId, latest.get(socket)?.response ?? null);
      });
    },
  };
}

const MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'the headers are larger than 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive',
};

function rawFailure(error: ApiError, requestId: string): string {
  const row = ERROR_ROWS[error.kind];
  const body = JSON.stringify(failureBody(error, requestId));
  const headers = {
    ...SAFE_HEADERS,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${row.status} \r\n${lines.join('')}\r\n${body}`;
}
