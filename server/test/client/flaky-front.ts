import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The fate of one request: passed on, answered at once, or lost before or after it had its effect. */
type Fate = 'pass' | 'lose request' | 'lose answer' | { status: number; retryAfter?: string };

export interface Front {
  url: string;
  /** Method, path and idempotency key of each request. */
  seen: {
    method: string;
    path: string;
    idempotencyKey: string | undefined;
    authorization: string | undefined;
  }[];
  /** Used up one by one; then everything passes. */
  fates: Fate[];
  close(): Promise<void>;
}

/** Stands before the real server and misbehaves as networks and busy servers do. */
export async function openFront(target: string): Promise<Front> {
  const { hostname, port } = new URL(target);
  const seen: Front['seen'] = [];
  const fates: Fate[] = [];
  const server = createServer((request, response) => {
    seen.push({
      method: request.method ?? '',
      path: request.url ?? '',
      idempotencyKey: request.headers['idempotency-key'] as string | undefined,
      authorization: request.headers.authorization,
    });
    const fate = fates.shift() ?? 'pass';
    if (fate === 'lose request') return void request.socket.destroy();
    if (typeof fate === 'object') {
      request.resume();
      response.writeHead(
        fate.status,
        fate.retryAfter === undefined ? {} : { 'retry-after': fate.retryAfter },
      );
      return void response.end(
        '{"code":9999,"message":"busy","data":null,"requestId":"req_front","errors":[]}',
      );
    }
    const { method, url: path, headers } = request;
    const onward = forward({ hostname, port, method, path, headers }, (answer) => {
      if (fate === 'lose answer') {
        answer.resume();
        answer.once('end', () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    fates,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
