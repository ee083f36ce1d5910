import { request as send } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { request } from 'undici';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Principal } from '../principal.js';
import { createServer } from './server.js';
import { takingTurns } from './turns.js';

/** More than the buffers of a connection hold. */
const LARGE = Buffer.alloc(16 * 2 ** 20);
/** Fewer than there are for callers without a credential, and fewer requests to send than the usual number. */
const FEW = { atOnce: 3, atOncePerOwner: 2 };

/**
 * A server with routes that do not respond until they are let go, for the organization in the path, with the usual places
 * and with few, and one with much to read.
 */
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
  for (const [path, places, facts] of [
    ['/:org', {}, {}],
    ['/few/:org', { places: FEW }, {}],
    ['/still/:org', { monotonicMs: () => 0 }, {}],
    ['/long/:org', {}, { takesLong: true }],
  ] as const)
    app.route<{ Params: { org: string } }>({
      method: ['GET', 'POST'],
      url: path,
      onRequest: (request, _reply, done) => {
        const { org } = request.params;
        if (org !== 'unknown') request.principal = { orgId: org } as Principal;
        done();
      },
      handler: takingTurns({ waitMs: 60_000, ...places })(async (request) => {
        inside.push((request.params as { org: string }).org);
        await until;
        return { done: true };
      }, facts),
    });
  for (const [path, facts] of [
    ['/large/:org', {}],
    ['/long/large/:org', { takesLong: true }],
  ] as const)
    app.get<{ Params: { org: string } }>(path, {
      onRequest: (request, _reply, done) => {
        request.principal = { orgId: request.params.org } as Principal;
        done();
      },
      handler: takingTurns({ waitMs: 60_000, places: FEW })(async (request) => {
        inside.push((request.params as { org: string }).org);
        return LARGE;
      }, facts),
    });
  await app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  letGo();
  await app.close();
});

/** Not `fetch`: it takes twice the time. */
const ask = (path: string, count: number, method: 'GET' | 'POST' = 'GET') =>
  Array.from({ length: count }, async () => {
    const { statusCode, headers, body } = await request(`${origin}/${path}`, { method });
    return { status: statusCode, after: headers['retry-after'], body: await body.json() };
  });
const count = (org: string) => inside.filter((each) => each === org).length;

it.each([
  ['GET', 14],
  ['POST', 16],
] as const)(
  'an organization has fewer requests in progress while another asks: %s %i',
  async (method, places) => {
    const quiet = ask('still/quiet', 1);
    await expect.poll(() => count('quiet')).toBe(1);
    const noisy = ask('still/noisy', 30, method);
    await expect.poll(() => count('noisy')).toBe(places);
    // Asked for after all of those.
    const late = ask('still/late', 1);
    await expect.poll(() => count('late')).toBe(1);
    expect(count('noisy')).toBe(places);
    letGo();
    await Promise.all([...quiet, ...noisy, ...late]);
  },
);

it('of what takes long, an organization has one read and one change in progress, and others their own', async () => {
  const noisy = [...ask('long/noisy', 30), ...ask('long/noisy', 5, 'POST')];
  await expect.poll(() => count('noisy')).toBe(2);
  const others = [...ask('long/quiet', 1), ...ask('long/quiet', 1, 'POST')];
  await expect.poll(() => count('quiet')).toBe(2);
  expect(count('noisy')).toBe(2);
  letGo();
  expect((await Promise.all([...noisy, ...others])).every(({ status }) => status === 200)).toBe(true);
  expect(count('noisy')).toBe(35);
});

it('requests of one organization leave places to those of another, and to callers without a credential', async () => {
  const noisy = ask('noisy', 30);
  await expect.poll(() => count('noisy')).toBe(24);
  const others = [...ask('quiet', 1), ...ask('unknown', 1)];
  await expect.poll(() => [count('quiet'), count('unknown')]).toEqual([1, 1]);
  expect(count('noisy')).toBe(24);
  letGo();
  expect((await Promise.all([...noisy, ...others])).every(({ status }) => status === 200)).toBe(true);
});

it('changes that wait for a record take no place of a read, nor of another organization', async () => {
  const changes = ask('noisy', 70, 'POST');
  await expect.poll(() => count('noisy')).toBe(64);
  const others = [...ask('noisy', 1), ...ask('quiet', 1, 'POST')];
  await expect.poll(() => [count('noisy'), count('quiet')]).toEqual([65, 1]);
  letGo();
  expect((await Promise.all([...changes, ...others])).every(({ status }) => status === 200)).toBe(true);
});

it('what could not be answered in time is refused at once, with the time to wait', async () => {
  const refused: Awaited<ReturnType<typeof ask>[number]>[] = [];
  const asked = ask('few/noisy', 2 + 256 + 10).map(async (each) => {
    const response = await each;
    if (response.status !== 200) refused.push(response);
  });
  await expect.poll(() => refused.length).toBe(10);
  letGo();
  await Promise.all(asked);
  expect(refused).toHaveLength(10);
  expect(refused[0]).toMatchObject({
    after: '1',
    body: { code: 9999, errors: [{ path: null, reason: 'overloaded' }] },
  });
});

it('callers without a credential take no place of an organization', async () => {
  void Promise.allSettled(ask('few/unknown', 30));
  await expect.poll(() => count('unknown')).toBe(20);
  void Promise.allSettled(ask('few/quiet', 2));
  await expect.poll(() => count('quiet')).toBe(2);
});

it('a request whose caller has gone while it waited is not worked on', async () => {
  void Promise.allSettled(ask('few/noisy', 2));
  await expect.poll(() => count('noisy')).toBe(2);
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, open) => resolve(open)));
  const gone = send(`${origin}/few/noisy`).on('error', () => {});
  gone.end();
  await expect.poll(connections).toBe(3);
  gone.destroy();
  await expect.poll(connections).toBe(2);
  letGo();
  await expect.poll(connections).toBeLessThanOrEqual(2);
  await Promise.all(ask('few/noisy', 1));
  expect(count('noisy')).toBe(3);
});

/** Asks, and never reads. */
async function askUnread(org: string, path = 'large'): Promise<Socket> {
  const socket = connect({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1' });
  socket.pause().on('error', () => {});
  socket.write(`GET /${path}/${org} HTTP/1.1\r\nhost: a\r\n\r\n`);
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

it('a response of what takes long holds up no other request of the organization while nobody reads it', async () => {
  const stalled = await askUnread('noisy', 'long/large');
  await expect.poll(() => count('noisy')).toBe(1);
  const response = await fetch(`${origin}/long/large/noisy`);
  expect((await response.arrayBuffer()).byteLength).toBe(LARGE.byteLength);
  stalled.destroy();
});
