import { randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fullTier, sized } from '../../../test/harness/index.js';
import type { Attempt, AttemptError } from './attempt.js';
import { type Loopback, onLoopback, pushTo, senderToLoopback } from './loopback.fixture.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** As fast as the other side takes it, until it hangs up; yet the sender, in the same process, gets its turn. */
function pour(socket: Socket, chunk: string | Buffer): void {
  const bytes = Buffer.from(chunk);
  const more = () => {
    if (!socket.destroyed) socket.write(bytes, () => setImmediate(more));
  };
  more();
}

function drip(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.write(bytes), 20);
  socket.once('close', () => clearInterval(timer));
}

const afterRequest = (behave: (socket: Socket) => void) => (socket: Socket) => {
  socket.once('data', () => behave(socket));
};
const saying = (text: string | Buffer) => afterRequest((socket) => socket.write(text));
const HEAD = 'HTTP/1.1 200 OK\r\n';

const failing = (error: AttemptError) => ({ delivered: false, status: null, error, responseExcerpt: null });
const delivered = { delivered: true, status: 200, error: null };

/** Long enough on a busy machine for what ends by itself; what does not is given less. */
const PATIENT_MS = 3000;
const HASTY_MS = 700;
const PUSHES = sized(3, 10);

const receivers: [string, (socket: Socket) => void, Partial<Attempt>, number?][] = [
  [
    'answers a gigabyte',
    afterRequest((socket) => {
      socket.write(`${HEAD}content-length: 1000000000\r\n\r\n`);
      pour(socket, Buffer.alloc(65_536, 'a'));
    }),
    { ...delivered, responseExcerpt: 'a'.repeat(1000) },
  ],
  [
    'answers without end, in chunks of one byte',
    afterRequest((socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
      pour(socket, '1\r\na\r\n'.repeat(1000));
    }),
    { ...delivered, responseExcerpt: 'a'.repeat(1000) },
  ],
  [
    'answers a byte at a time',
    afterRequest((socket) => {
      socket.write(`${HEAD}content-length: 1000000000\r\n\r\n`);
      drip(socket, 'a');
    }),
    delivered,
    HASTY_MS,
  ],
  ['says its status a byte at a time', afterRequest((socket) => drip(socket, 'H')), failing('protocol')],
  [
    'says its headers a byte at a time',
    afterRequest((socket) => {
      socket.write(`${HEAD}x-slow: `);
      drip(socket, 'a');
    }),
    failing('timeout'),
    HASTY_MS,
  ],
  ['never answers', () => {}, failing('timeout'), HASTY_MS],
  ['hangs up at once', (socket) => socket.destroy(), failing('connection_reset')],
  ['resets at once', (socket) => socket.resetAndDestroy(), failing('connection_reset')],
  ['hangs up on the request', afterRequest((socket) => socket.end()), failing('connection_reset')],
  ['resets on the request', afterRequest((socket) => socket.resetAndDestroy()), failing('connection_reset')],
  [
    'hangs up within its headers',
    afterRequest((socket) => socket.end(`${HEAD}content-le`)),
    failing('connection_reset'),
  ],
  ['says 100 Continue unasked', saying(`HTTP/1.1 100 Continue\r\n\r\n${HEAD}\r\n`), failing('protocol')],
  [
    'says 103 Early Hints without end',
    afterRequest((socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(100))),
    failing('protocol'),
  ],
  [
    'switches protocols',
    saying('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    failing('protocol'),
  ],
  [
    'sends headers without end',
    afterRequest((socket) => {
      socket.write(HEAD);
      pour(socket, 'x-more: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(100));
    }),
    failing('headers_too_large'),
  ],
  [
    'sends the smallest of headers without end',
    afterRequest((socket) => {
      socket.write(HEAD);
      pour(socket, 'a:\r\n'.repeat(10_000));
    }),
    failing('headers_too_large'),
  ],
  [
    'sends one header without end',
    afterRequest((socket) => {
      socket.write(`${HEAD}x-long: `);
      pour(socket, 'a'.repeat(10_000));
    }),
    failing('headers_too_large'),
  ],
  [
    'sends trailers without end',
    afterRequest((socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n`);
      pour(socket, 'x-more: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(100));
    }),
    { ...delivered, responseExcerpt: 'ok' },
  ],
  ['pours garbage', (socket) => pour(socket, randomBytes(65_536)), failing('protocol')],
  ['pours zeroes', (socket) => pour(socket, Buffer.alloc(65_536)), failing('protocol')],
  ['speaks HTTP/2', saying(Buffer.from('000012040000000000000300000064', 'hex')), failing('protocol')],
  [
    'gives two lengths',
    saying(`${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nok`),
    failing('protocol'),
  ],
  [
    'answers before it was asked',
    (socket) => socket.write(`${HEAD}content-length: 2\r\n\r\nok`),
    { ...delivered, responseExcerpt: 'ok' },
  ],
  [
    'never reads',
    (socket) => {
      socket.pause();
    },
    failing('timeout'),
    HASTY_MS,
  ],
  [
    'breaks its chunks',
    saying(`${HEAD}transfer-encoding: chunked\r\n\r\nzzz\r\n`),
    { ...delivered, responseExcerpt: null },
  ],
  [
    'sends less than its Content-Length',
    afterRequest((socket) => socket.end(`${HEAD}content-length: 10\r\n\r\nok`)),
    { ...delivered, responseExcerpt: 'ok' },
  ],
];

describe('a hostile receiver harms nobody', () => {
  let honest: Loopback;
  let before: NodeJS.MemoryUsage;
  beforeAll(async () => {
    honest = await onLoopback(
      createServer((socket) => {
        socket.on('data', () => socket.write(`${HEAD}content-length: 4\r\n\r\nfine`));
      }),
    );
  });
  afterAll(() => honest.close());

  beforeAll(() => {
    collectGarbage();
    before = process.memoryUsage();
  });
  /** Compared with the state after the last time: a collection takes longer than most attempts. */
  async function expectNothingKept(): Promise<void> {
    // Sockets that were closed let go of what they had read a moment later.
    await vi.waitFor(
      () => {
        collectGarbage();
        const after = process.memoryUsage();
        expect(after.heapUsed - before.heapUsed).toBeLessThan(4_000_000);
        expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(8_000_000);
        before = after;
      },
      { timeout: 60_000, interval: 200 },
    );
  }

  it.each(receivers)('that %s', async (_, behave, outcome, timeoutMs = PATIENT_MS) => {
    const sender = senderToLoopback({ timeoutMs });
    await sender.send(pushTo(honest.url()));
    const hostile = await onLoopback(createServer(behave));
    const body = 'x'.repeat(200_000);
    const attempts = Array.from({ length: PUSHES }, () => sender.send(pushTo(hostile.url(), body)));
    for (let push = 0; push < PUSHES; push++)
      expect(await sender.send(pushTo(honest.url()))).toMatchObject({
        delivered: true,
        responseExcerpt: 'fine',
      });
    for (const attempt of await Promise.all(attempts)) expect(attempt).toMatchObject(outcome);
    expect(await sender.send(pushTo(honest.url()))).toMatchObject({ delivered: true });
    await hostile.close();
    await sender.close();
    if (fullTier) await expectNothingKept();
  });

  it('nor is anything kept of what they all sent', expectNothingKept);
});
