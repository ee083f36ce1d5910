import { request as send } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Principal } from '../principal.js';
import { createServer } from './server.js';
import { takingTurns } from './turns.js';

/** More than the buffers of a connection hold. */
const LARGE = Buffer.alloc(32 * 2 ** 20);

/** A server with a route that does not respond until it is let go, for the organization in the path, and one with much to read. */
let app: FastifyInstance;
let origin: string;
let letGo: () => void;
let inside: string[];

beforeEach(async () => {
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  inside = [];
  app = createServer({ logger: pino({ level: 'silent' }), tls: null, trustedProxies: [] });
  app.decorateRequest('principal', null);
  app.get<{ Params: { org: string } }>('/:org', {
    onRequest: (request, _reply, done) => {
      const { org } = request.params;
      if (org !== 'unknown') request.principal = { orgId: org } as Principal;
      done();
    },
    handler: takingTurns({ waitMs: 60_000 })(async (request) => {
      inside.push((request.params as { org: string }).org);
      await until;
      return { done: true };
    }),
  });
  app.get<{ Params: { org: string } }>('/large/:org', {
    onRequest: (request, _reply, done) => {
      request.principal = { orgId: request.params.org } as Principal;
      done();
    },
    handler: takingTurns({ waitMs: 60_000, places: { atOnce: 3, atOncePerOwner: 2 } })(async (request) => {
      inside.push((request.params as { org: string }).org);
      return LARGE;
    }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  letGo();
  await app.close();
});

const ask = (org: string, count: number) =>
  Array.from({ length: count }, async () => {
    const response = await fetch(`${origin}/${org}`);
    return {
      status: response.status,
      after: response.headers.get('retry-after'),
      body: await response.json(),
    };
  });
const count = (org: string) => inside.filter((each) => each === org).length;

it('requests of one organization leave places to those of another, and to callers without a credential', async () => {
  const noisy = ask('noisy', 200);
  await expect.poll(() => count('noisy')).toBe(112);
  const others = [...ask('quiet', 1), ...ask('unknown', 1)];
  await expect.poll(() => [count('quiet'), count('unknown')]).toEqual([1, 1]);
  expect(count('noisy')).toBe(112);
  letGo();
  expect((await Promise.all([...noisy, ...others])).every(({ status }) => status === 200)).toBe(true);
});

it('what could not be answered in time is refused at once, with the time to wait', async () => {
  const refused: Awaited<ReturnType<typeof ask>[number]>[] = [];
  const asked = ask('noisy', 112 + 256 + 40).map(async (each) => {
    const response = await each;
    if (response.status !== 200) refused.push(response);
  });
  await expect.poll(() => refused.length).toBe(40);
  letGo();
  await Promise.all(asked);
  expect(refused).toHaveLength(40);
  expect(refused[0]).toMatchObject({
    after: '1',
    body: { code: 9999, errors: [{ path: null, reason: 'overloaded' }] },
  });
});

it('callers without a credential take no place of an organization', async () => {
  void Promise.allSettled(ask('unknown', 100));
  await expect.poll(() => count('unknown')).toBe(20);
  void Promise.allSettled(ask('quiet', 112));
  await expect.poll(() => count('quiet')).toBe(112);
});

it('a request whose caller has gone while it waited is not worked on', async () => {
  void Promise.allSettled(ask('noisy', 112));
  await expect.poll(() => count('noisy')).toBe(112);
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, open) => resolve(open)));
  const gone = send(`${origin}/noisy`).on('error', () => {});
  gone.end();
  await expect.poll(connections).toBe(113);
  gone.destroy();
  await expect.poll(connections).toBe(112);
  letGo();
  await expect.poll(connections).toBeLessThanOrEqual(112);
  await fetch(`${origin}/noisy`);
  expect(count('noisy')).toBe(113);
});

/** Asks, and never reads. */
async function askUnread(org: string): Promise<Socket> {
  const socket = connect({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1' });
  socket.pause().on('error', () => {});
  socket.write(`GET /large/${org} HTTP/1.1\r\nhost: a\r\n\r\n`);
  return socket;
}

it('a response that nobody reads keeps its place, and is ended after a while', async () => {
  expect(app.server.timeout).toBe(60_000);
  app.server.timeout = 3_000;
  const stalled = await Promise.all([
    askUnread('noisy'),
    askUnread('noisy'),
    askUnread('noisy'),
    askUnread('noisy'),
  ]);
  await expect.poll(() => count('noisy')).toBe(2);
  const read = async (org: string) =>
    (await (await fetch(`${origin}/large/${org}`)).arrayBuffer()).byteLength;
  expect(await read('quiet')).toBe(LARGE.byteLength);
  expect(count('noisy')).toBe(2);
  // Stalled clients never close; one that reads waits for them, or is cut off as idle and tries again.
  await expect.poll(() => read('noisy').catch(() => 0)).toBe(LARGE.byteLength);
  for (const socket of stalled) socket.destroy();
});
