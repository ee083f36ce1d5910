import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';

/** A push as it arrived. */
export interface Reception {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Monotonic, when it had arrived whole. */
  atMs: number;
}

interface Answered {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Until the status is sent. */
  afterMs?: number;
  /** The status is sent once this resolves. */
  until?: Promise<unknown>;
  /** The status is sent, and the body never ends. */
  endless?: boolean;
}

/** The partner's response; a number is a status without delay. */
export type Reply = number | 'hang' | 'reset' | Answered;

export interface Receiver {
  readonly port: number;
  readonly received: Reception[];
  /** Chooses the response; can be replaced at any time. */
  answer: (push: Reception) => Reply;
  /** The most pushes that were open at once, by path. */
  readonly atOnceMax: ReadonlyMap<string, number>;
  url(path?: string): string;
  /** Requests received at one path. */
  at(path: string): Reception[];
  /** Waits until so many have arrived, and fails if there are more. */
  expectPushes(count: number, path?: string): Promise<Reception[]>;
  close(): Promise<void>;
}

const WAIT_MS = 60_000;

/** A partner's endpoint on this host whose responses the test chooses. */
export async function openReceiver(tls?: { cert: string; key: string }): Promise<Receiver> {
  const received: Reception[] = [];
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const open = new Map<string, number>();
  const atOnceMax = new Map<string, number>();

  const listener = async (request: import('node:http').IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const count = (open.get(path) ?? 0) + 1;
    open.set(path, count);
    atOnceMax.set(path, Math.max(atOnceMax.get(path) ?? 0, count));
    // A request counts as open until its response has closed, so the maximum is never too low.
    response.once('close', () => open.set(path, (open.get(path) ?? 1) - 1));
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    const push = { path, headers: request.headers, body, atMs: performance.now() };
    received.push(push);
    act(response, receiver.answer(push), (work, afterMs) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, afterMs);
      timers.add(timer);
    });
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const at = (path: string) => received.filter((push) => push.path === path);
  const receiver: Receiver = {
    port,
    received,
    answer: () => 204,
    atOnceMax,
    url: (path = '/hook') => `${tls ? 'https' : 'http'}://127.0.0.1:${port}${path}`,
    at,
    async expectPushes(count, path) {
      const pushes = () => (path === undefined ? received : at(path));
      await expect.poll(() => pushes().length, { timeout: WAIT_MS, interval: 10 }).toBe(count);
      return [...pushes()];
    },
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer);
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return receiver;
}

function act(
  response: ServerResponse,
  reply: Reply,
  later: (work: () => void, afterMs: number) => void,
): void {
  if (reply === 'hang') return;
  if (reply === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  const {
    status = 200,
    headers = {},
    body = '',
    afterMs = 0,
    until,
    endless = false,
  } = typeof reply === 'number' ? { status: reply } : reply;
  const send = () => {
    response.writeHead(status, headers);
    if (endless) response.write(body === '' ? 'and ' : body);
    else response.end(status === 204 ? undefined : body);
  };
  if (until) void until.then(send);
  else if (afterMs > 0) later(send, afterMs);
  else send();
}
