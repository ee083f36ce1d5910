import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { fullTier, sized } from '../../../test/harness/index.js';
import type { LookUp } from './look-up.js';
import { type Loopback, lookUpIn, onLoopback, pushTo, senderToLoopback } from './loopback.fixture.js';
import type { Sender, SenderOptions } from './sender.js';

const toClose: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of toClose.splice(0)) await each.close();
});

function closing<T extends { close(): Promise<void> }>(each: T): T {
  toClose.push(each);
  return each;
}
const openSender = (options: Partial<SenderOptions> = {}): Sender => closing(senderToLoopback(options));
const receiver = async (answer: RequestListener): Promise<Loopback> =>
  closing(await onLoopback(createHttpServer(answer)));

describe('the outcome of an attempt', () => {
  it('a push arrives as it was given', async () => {
    const { url } = await receiver(async (request, response) => {
      const { method, url: path, headers } = request;
      response.end(
        JSON.stringify({ method, path, type: headers['content-type'], body: await text(request) }),
      );
    });
    const clock = { now: () => new Date('2026-11-15T10:00:00Z') };
    const attempt = await openSender({ clock }).send(pushTo(url('/a/b?c=d'), '{"näme":1}'));
    expect(attempt).toMatchObject({ delivered: true, status: 200, error: null });
    expect(JSON.parse(attempt.responseExcerpt ?? '')).toEqual({
      method: 'POST',
      path: '/a/b?c=d',
      type: 'application/json',
      body: '{"näme":1}',
    });
    expect(attempt.endedAtMs).toBe(clock.now().getTime());
  });

  it.each([200, 201, 202, 204, 299])('%i is delivered', async (status) => {
    const { url } = await receiver((_, response) => response.writeHead(status).end());
    expect(await openSender().send(pushTo(url()))).toMatchObject({
      delivered: true,
      status,
      error: null,
      responseExcerpt: null,
    });
  });

  it.each([400, 401, 404, 410, 429, 500, 503])(
    '%i is not delivered, and the status says why',
    async (status) => {
      const { url } = await receiver((_, response) => response.writeHead(status).end('no'));
      expect(await openSender().send(pushTo(url()))).toMatchObject({
        delivered: false,
        status,
        error: null,
        responseExcerpt: 'no',
      });
    },
  );

  it.each([
    ['text', Buffer.from('grüezi'), 'grüezi'],
    ['more than is kept', Buffer.alloc(5000, 'a'), 'a'.repeat(1000)],
    ['NUL, which PostgreSQL cannot hold', Buffer.from('a\0b\0'), 'ab'],
    ['what is not UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    ['half a surrogate pair', Buffer.from([0xed, 0xa0, 0x80]), '\ufffd\ufffd\ufffd'],
    ['a character cut in two', Buffer.from(`${'a'.repeat(999)}ä`), `${'a'.repeat(999)}\ufffd`],
  ])('the excerpt of an answer with %s can be stored', async (_, sent, kept) => {
    const { url } = await receiver((_request, response) => response.end(sent));
    const { responseExcerpt } = await openSender().send(pushTo(url()));
    expect(responseExcerpt).toBe(kept);
    expect(responseExcerpt?.isWellFormed()).toBe(true);
  });

  it('the excerpt is put together from a response that comes in chunks', async () => {
    const { url } = await receiver((_, response) => {
      for (let at = 0; at < 600; at++) response.write('aä');
      response.end();
    });
    const { responseExcerpt } = await openSender().send(pushTo(url()));
    expect(responseExcerpt).toBe(`${'aä'.repeat(333)}a`);
  });

  it('says in a word why there was no answer', async () => {
    const gone = await onLoopback(createServer());
    await gone.close();
    const unknown: LookUp = (_, callback) =>
      callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    const sender = openSender({ lookUp: unknown });
    expect((await sender.send(pushTo(gone.url()))).error).toBe('connection_refused');
    expect((await sender.send(pushTo('https://nowhere.example/'))).error).toBe('name_not_found');
    // A label too long for any resolver, so the real one says so at once.
    const unresolvable = `https://${'a'.repeat(64)}.example/`;
    expect((await openSender().send(pushTo(unresolvable))).error).toBe('name_not_found');
    expect((await sender.send(pushTo('nonsense'))).error).toBe('invalid_request');
    const badHeader = { ...pushTo(gone.url()), headers: { 'x-bad': 'a\r\nb: c' } };
    expect((await sender.send(badHeader)).error).toBe('invalid_request');
  });
});

describe('an attempt ends at its deadline', () => {
  const timeoutMs = sized(1200, 5000);
  const expectTimeout = async (sender: Sender, url: string) => {
    const startedAt = performance.now();
    const attempt = await sender.send(pushTo(url));
    expect(attempt).toMatchObject({ delivered: false, status: null, error: 'timeout' });
    expect(attempt.durationMs).toBeGreaterThanOrEqual(timeoutMs);
    // Without the deadline it would never end. Its punctuality is asserted only where nothing else runs.
    if (fullTier) expect(performance.now() - startedAt).toBeLessThan(timeoutMs * 2);
  };

  it('an answer well within it is delivered', async () => {
    const { url } = await receiver((_, response) => {
      setTimeout(() => response.end('late but fine'), timeoutMs * 0.6);
    });
    const attempt = await openSender({ timeoutMs }).send(pushTo(url()));
    expect(attempt).toMatchObject({ delivered: true, responseExcerpt: 'late but fine' });
    expect(attempt.durationMs).toBeGreaterThanOrEqual(timeoutMs * 0.59);
    expect(attempt.durationMs).toBeLessThan(timeoutMs);
  });

  it('an answer after it is not', async () => {
    const { url } = await receiver((_, response) => {
      setTimeout(() => response.end('too late'), timeoutMs * 1.2);
    });
    await expectTimeout(openSender({ timeoutMs }), url());
  });

  it('while waiting for the name, the TLS handshake or the response', async () => {
    const silent = closing(await onLoopback(createServer((socket) => socket.resume())));
    const sender = openSender({ timeoutMs, lookUp: () => {} });
    await Promise.all([
      expectTimeout(sender, 'https://never-resolved.example/'),
      expectTimeout(sender, `https://127.0.0.1:${silent.port}/`),
      expectTimeout(sender, silent.url()),
    ]);
    await expect.poll(() => silent.openConnections).toBe(0);
  });

  it('also when many wait, each at its own, and no connection stays or is made in vain', async () => {
    const silent = closing(await onLoopback(createServer((socket) => socket.resume())));
    const sender = openSender({ timeoutMs });
    await Promise.all(Array.from({ length: 100 }, () => expectTimeout(sender, silent.url())));
    await expect.poll(() => silent.openConnections).toBe(0);
    expect(silent.connections).toBe(100);
  });

  it('the body of an answer does not decide: one that never ends is delivered', async () => {
    const { url } = await receiver((_, response) => response.writeHead(200).write('it began'));
    const attempt = await openSender({ timeoutMs }).send(pushTo(url()));
    expect(attempt).toMatchObject({ delivered: true, status: 200, error: null, responseExcerpt: 'it began' });
    expect(attempt.durationMs).toBeLessThan(timeoutMs);
  });

  it('the body of an answer does not decide: one that breaks off is delivered', async () => {
    const { url } = await receiver((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('it began');
      setImmediate(() => response.destroy());
    });
    expect(await openSender({ timeoutMs }).send(pushTo(url()))).toMatchObject({
      delivered: true,
      error: null,
    });
  });

  it('a body without end is not waited for', async () => {
    const endless = closing(
      await onLoopback(
        createServer((socket) => {
          const more = () => {
            if (!socket.destroyed) socket.write(Buffer.alloc(4096, 'a'), () => setImmediate(more));
          };
          socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n', more));
        }),
      ),
    );
    const attempt = await openSender({ timeoutMs: 3_600_000 }).send(pushTo(endless.url()));
    expect(attempt).toMatchObject({ delivered: true, responseExcerpt: 'a'.repeat(1000) });
    await expect.poll(() => endless.openConnections).toBe(0);
  });

  it('an attempt that has ended is never sent', async () => {
    const received: string[] = [];
    const { port } = await receiver(async (request, response) => {
      received.push(await text(request));
      response.end();
    });
    const held: (() => void)[] = [];
    const lookUp: LookUp = (host, callback, caller) => held.push(() => lookUpIn({})(host, callback, caller));
    const sender = openSender({ timeoutMs, lookUp });
    const ended = await sender.send(pushTo(`http://slow.example:${port}/`, 'ended'));
    expect(ended.error).toBe('timeout');
    // The name is found after all.
    for (const release of held.splice(0)) release();
    const next = sender.send(pushTo(`http://slow.example:${port}/`, 'next'));
    for (const release of held.splice(0)) release();
    expect((await next).delivered).toBe(true);
    expect(received).toEqual(['next']);
  });

  it('waiting keeps no process alive by a timer', async () => {
    const silent = closing(await onLoopback(createServer((socket) => socket.resume())));
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const sender = openSender({ timeoutMs });
    const attempt = sender.send(pushTo(silent.url()));
    expect(timers()).toBe(before);
    await sender.close();
    expect((await attempt).error).toBe('closed');
  });
});
