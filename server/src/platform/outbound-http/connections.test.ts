import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { generate } from 'selfsigned';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lookUpIn, onLoopback, pushTo, senderToLoopback } from './loopback.fixture.js';
import type { SenderOptions } from './sender.js';

const toClose: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of toClose.splice(0)) await each.close();
});

function closing<T extends { close(): Promise<void> }>(each: T): T {
  toClose.push(each);
  return each;
}
const openSender = (options: Partial<SenderOptions> = {}) => closing(senderToLoopback(options));

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** A server that notes each request, with how many came on the same connection before. */
const rawReceiver = async (onRequest: (socket: Socket, before: number) => void) =>
  closing(
    await onLoopback(
      createServer((socket) => {
        let before = 0;
        socket.on('data', () => onRequest(socket, before++));
      }),
    ),
  );

describe('connections', () => {
  it('are used again', async () => {
    const receiver = await rawReceiver((socket) => socket.write(OK));
    const sender = openSender();
    for (let round = 0; round < 40; round++) {
      const attempts = await Promise.all(
        Array.from({ length: 5 }, () => sender.send(pushTo(receiver.url()))),
      );
      expect(attempts.every(({ delivered }) => delivered)).toBe(true);
    }
    expect(receiver.connections).toBeLessThanOrEqual(10);
  });

  it.each(['destroy', 'resetAndDestroy', 'end'] as const)(
    'one that was closed (%s) as it was used again is no failed attempt',
    async (close) => {
      const receiver = await rawReceiver((socket, before) =>
        before === 0 ? socket.write(OK) : socket[close](),
      );
      const sender = openSender();
      for (let push = 0; push < 20; push++)
        expect(await sender.send(pushTo(receiver.url()))).toMatchObject({ delivered: true, error: null });
      // No connection gives a second answer, so there is one for each push.
      expect(receiver.connections).toBe(20);
    },
  );

  it('a receiver that closes after each answer without saying so makes no failed attempts', async () => {
    const receiver = await rawReceiver((socket) => socket.write(OK, () => socket.destroy()));
    const sender = openSender();
    for (let round = 0; round < 50; round++) {
      const attempts = await Promise.all(
        Array.from({ length: 4 }, () => sender.send(pushTo(receiver.url()))),
      );
      expect(attempts.map(({ error }) => error)).toEqual([null, null, null, null]);
    }
  });

  it.each([0, 1, 2])('nor does one that closes %i ms after each answer', async (ms) => {
    const receiver = await rawReceiver((socket) => {
      socket.write(OK);
      setTimeout(() => socket.resetAndDestroy(), ms);
    });
    const sender = openSender();
    for (let push = 0; push < 100; push++)
      expect(await sender.send(pushTo(receiver.url()))).toMatchObject({ delivered: true });
  });

  it('a push that fails on a new connection is sent only once', async () => {
    let requests = 0;
    const receiver = await rawReceiver((socket) => {
      requests++;
      socket.resetAndDestroy();
    });
    const sender = openSender();
    for (let push = 0; push < 5; push++)
      expect((await sender.send(pushTo(receiver.url()))).error).toBe('connection_reset');
    expect(requests).toBe(5);
  });

  it('a push whose answer breaks off on a used connection is not sent again', async () => {
    const receiver = await rawReceiver((socket, before) => {
      if (before === 0) socket.write(OK);
      else socket.end('HTTP/1.1 20');
    });
    const sender = openSender();
    const errors = new Set<string | null>();
    for (let push = 0; push < 3; push++) errors.add((await sender.send(pushTo(receiver.url()))).error);
    expect(errors).toEqual(new Set([null, 'connection_reset']));
    expect(receiver.connections).toBe(2);
  });

  it('a push whose second sending fails as well has failed', async () => {
    const receiver = await rawReceiver((socket, before) =>
      before === 0 && receiver.connections === 1 ? socket.write(OK) : socket.destroy(),
    );
    const sender = openSender();
    expect((await sender.send(pushTo(receiver.url()))).delivered).toBe(true);
    expect((await sender.send(pushTo(receiver.url()))).error).toBe('connection_reset');
    expect(receiver.connections).toBe(2);
  });

  it('an answer that was never asked for is not taken for that of the next push', async () => {
    const receiver = await rawReceiver((socket) => socket.write(`${OK}${OK.replace('200 OK', '500 Stale')}`));
    const sender = openSender();
    for (let push = 0; push < 10; push++)
      expect(await sender.send(pushTo(receiver.url()))).toMatchObject({ delivered: true, status: 200 });
  });

  it('closing ends what is under way, idle connections, and everything that comes later', async () => {
    const receiver = await rawReceiver((socket, before) => before === 0 && socket.write(OK));
    const sender = senderToLoopback({ lookUp: () => {} });
    await Promise.all(Array.from({ length: 5 }, () => sender.send(pushTo(receiver.url()))));
    const silent = closing(await onLoopback(createServer((socket) => socket.resume())));
    const underWay = [
      sender.send(pushTo(receiver.url())),
      sender.send(pushTo(silent.url())),
      sender.send(pushTo(`https://127.0.0.1:${silent.port}/`)),
      sender.send(pushTo('https://never-resolved.example/')),
    ];
    await expect.poll(() => silent.connections).toBe(2);
    await sender.close();
    for (const attempt of await Promise.all(underWay))
      expect(attempt).toMatchObject({ delivered: false, error: 'closed' });
    expect((await sender.send(pushTo(receiver.url()))).error).toBe('closed');
    await expect.poll(() => receiver.openConnections + silent.openConnections).toBe(0);
    await sender.close();
  });
});

describe('TLS', () => {
  let certificate: { cert: string; key: string };
  beforeAll(async () => {
    const made = await generate([{ name: 'commonName', value: 'hooks.example' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [
        { name: 'basicConstraints', cA: true },
        {
          name: 'subjectAltName',
          altNames: [
            { type: 2, value: 'hooks.example' },
            { type: 7, ip: '127.0.0.1' },
          ],
        },
      ],
    });
    certificate = { cert: made.cert, key: made.private };
  });

  const tlsReceiver = async (options: ServerOptions = {}) =>
    closing(
      await onLoopback(
        createHttpsServer({ ...certificate, ...options }, (_, response) => response.end('ok')),
      ),
    );

  it('a certificate nobody vouches for is refused', async () => {
    const { port } = await tlsReceiver();
    const sender = openSender({ lookUp: lookUpIn({}) });
    for (const host of ['hooks.example', '127.0.0.1'])
      expect(await sender.send(pushTo(`https://${host}:${port}/`))).toMatchObject({
        delivered: false,
        error: 'tls',
      });
  });

  it('a certificate of a trusted authority is accepted, and its connection used again', async () => {
    const receiver = await tlsReceiver();
    const sender = openSender({ lookUp: lookUpIn({}), ca: certificate.cert });
    for (const host of ['hooks.example', '127.0.0.1'])
      for (let push = 0; push < 5; push++)
        expect(await sender.send(pushTo(`https://${host}:${receiver.port}/`))).toMatchObject({
          delivered: true,
          responseExcerpt: 'ok',
        });
    // undici lets a connection rest for a turn of the event loop, so two take turns.
    expect(receiver.connections).toBeLessThanOrEqual(4);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'a certificate for another name is refused, also the second time (%s)',
    async (version) => {
      const { port } = await tlsReceiver({ minVersion: version, maxVersion: version });
      const sender = openSender({ lookUp: lookUpIn({}), ca: certificate.cert });
      for (let push = 0; push < 3; push++)
        expect(await sender.send(pushTo(`https://other.example:${port}/`))).toMatchObject({
          delivered: false,
          error: 'tls',
        });
    },
  );

  it('what does not speak TLS is refused', async () => {
    const { port } = await rawReceiver((socket) => socket.end(OK));
    const sender = openSender({ lookUp: lookUpIn({}), ca: certificate.cert });
    expect((await sender.send(pushTo(`https://hooks.example:${port}/`))).error).toBe('tls');
  });
});
