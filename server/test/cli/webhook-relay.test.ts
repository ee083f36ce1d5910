import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { verifySignatures } from '../../src/webhooks/signing.js';
import {
  type LastingCommand,
  openReceiver,
  openTestService,
  type Receiver,
  runCommandWith,
  startCommandWith,
} from '../harness/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
let receiver: Receiver;
let running: LastingCommand | undefined;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  receiver = await openReceiver();
});
afterEach(() => running?.stop());
afterAll(async () => {
  await receiver?.close();
  await service?.close();
});

const polled = { timeout: 60_000, interval: 20 };

function relay(server: string, ...options: string[]): LastingCommand {
  const args = ['--server', server, '--forward-to', receiver.url('/hook'), ...options];
  running = startCommandWith({ LOTWARD_API_KEY: service.org.key }, 'webhook', 'listen', ...args);
  return running;
}
async function must(method: string, path: string, body: object): Promise<Record<string, string>> {
  const answer = await service.call<Record<string, string>>(method, path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}
/** Makes an event of its own, and returns its body as a worker would push it. */
async function makeEvent(code: string): Promise<string> {
  const point = { name: code, warehouse: 'WH-1', temperature: { min: 2, max: 8 } };
  await must('PUT', `/v2/environment/points/${code}`, point);
  const at = service.db.clock.now().toISOString();
  await must('POST', '/v2/environment/readings', { readings: [{ pointId: code, at, temperature: 30 }] });
  const made = await service.db.sql<{ body: string }>('select body from events where body like $1', [
    `%"${code}"%`,
  ]);
  expect(made).toHaveLength(1);
  return made[0]?.body ?? '';
}

/** A server on the way that breaks the first connection and refuses the second request. */
async function openBadRoad(): Promise<{ url: string; server: Server; asked: () => number }> {
  let asked = 0;
  const server = createServer(async (request, response) => {
    asked++;
    if (asked === 1) {
      request.socket.destroy();
      return;
    }
    if (asked === 2) {
      response.writeHead(429, { 'retry-after': '1' }).end('{}');
      return;
    }
    const answer = await fetch(service.api.url + request.url, {
      headers: { authorization: request.headers.authorization ?? '' },
    });
    response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, asked: () => asked };
}

it('posts events from now on once each, with the body, headers and signatures of a push, over failures of either side', async () => {
  await makeEvent('BEFORE');
  const road = await openBadRoad();
  const { said, stop } = relay(road.url);
  await expect.poll(() => said.err, polled).toContain('Waiting for events');
  expect(said.err).toContain('cannot be reached (');
  expect(said.err).toContain('The rate limit of the key is reached; retrying in 1 s');
  const secret = /secret (whsec_\S+)/.exec(said.err)?.[1] ?? '';
  receiver.answer = ({ body }) => (body.includes('FIRST') ? { status: 500, body: 'no \u001b[31mroom' } : 200);
  const bodies = [await makeEvent('FIRST')];
  service.db.clock.advance(1_000);
  bodies.push(await makeEvent('SECOND'));
  await expect.poll(() => said.out, polled).toMatch(/delivered: 200/);
  const pushes = receiver.at('/hook');
  expect(pushes.map(({ body }) => body.toString())).toEqual(bodies);
  for (const { headers, body } of pushes) {
    const { eventId, eventType } = JSON.parse(body.toString());
    expect(verifySignatures('lotward', secret, headers, body)).toEqual({ body: true, standard: true });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-lotward-event': eventType,
      'x-lotward-attempt': '1',
      'x-lotward-delivery': expect.stringMatching(/^dlv_[0-9a-z]{32}$/),
      'webhook-id': eventId,
    });
    expect(headers['x-lotward-delivery']).toContain(eventId.slice(4));
  }
  expect(said.out).toMatch(/FAILED: 500 in \d+ ms\n {2}no {2}\[31mroom\n/);
  expect(await stop()).toBe(0);
  expect(said.err).toContain('1 relayed, 1 failed.');
  expect(said.err + said.out).not.toContain(service.org.key);
  road.server.close();
});

it('begins at an instant, relays only the types asked for, and goes on when nobody listens', async () => {
  const count = receiver.received.length;
  const since = new Date(service.db.clock.now().getTime() - 60_000).toISOString();
  const others = relay(service.api.url, '--since', since, '--events', 'order.status_changed');
  await expect.poll(() => others.said.err, polled).toContain('Reading events');
  expect(await others.stop()).toBe(0);
  expect(receiver.received).toHaveLength(count);
  const closed = await openReceiver();
  await closed.close();
  const args = ['--since', since, '--events', 'environment.alert,order.status_changed'];
  const all = relay(service.api.url, ...args, '--forward-to', closed.url('/hook'));
  await expect.poll(() => all.said.out.match(/FAILED: ECONNREFUSED/g)?.length, polled).toBeGreaterThan(2);
  expect(await all.stop()).toBe(0);
});

it.each([
  ['no key', {}, ['--server', 'https://lotward.example'], /LOTWARD_API_KEY/],
  [
    'a key in the clear',
    { LOTWARD_API_KEY: 'lw_x' },
    ['--server', 'http://lotward.example'],
    /https address/,
  ],
  ['no server', {}, ['--forward-to', 'http://localhost:3000/'], /--forward-to needs --server/],
  [
    'no instant',
    { LOTWARD_API_KEY: 'lw_x' },
    ['--server', 'https://x.example', '--since', 'noon'],
    /instant/,
  ],
])('refuses %s', async (_what, settings, args, problem) => {
  const run = await runCommandWith(settings, 'webhook', 'listen', ...args);
  expect(run.exitCode).toBe(1);
  expect(run.err).toMatch(problem);
});

it('ends with the words of the server where the key is refused', async () => {
  const weak = await service.org.newKey({ scopes: ['products:read'] });
  for (const [key, problem] of [
    [weak.apiKey, /answered 403: insufficient permission; needs events:read/],
    ['lw_none', /answered 401: API key invalid/],
  ] as const) {
    const run = await runCommandWith({}, 'webhook', 'listen', '--server', service.api.url, '--key', key);
    expect(run.exitCode).toBe(1);
    expect(run.err).toMatch(problem);
  }
});
