/*
 * An attacker, in a process of its own. Keep-alive connections on node:net with one request at a time on each, in a closed loop or at
 * a fixed rate. It does as little as it can, because it shares the machine with what it attacks: of an answer it reads the
 * status and the length.
 */
import { connect } from 'node:net';

const LATENCIES_MAX = 200_000;
const TICK_MS = 2;

const isRight = (status) => status >= 200 && status < 300;

class Tally {
  sent = 0;
  /** Due, and every connection was busy. */
  unsent = 0;
  closed = 0;
  by = {};
  #latencies = [];

  add(status, ms) {
    this.by[status] = (this.by[status] ?? 0) + 1;
    if (isRight(status) && this.#latencies.length < LATENCIES_MAX) this.#latencies.push(ms);
  }

  summary(seconds) {
    const sorted = this.#latencies.sort((a, b) => a - b);
    const answered = Object.entries(this.by).reduce(
      (sum, [status, count]) => sum + (isRight(status) ? count : 0),
      0,
    );
    const { sent, unsent, closed, by } = this;
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
    return { sent, unsent, closed, by, perSecond: answered / seconds, p99, seconds };
  }
}

/** The text of each request in turn; `{n}` in path or body is its number. */
function requestsOf({ requests, keys = [], headers = '' }) {
  let n = 0;
  const texts = requests.map(({ method = 'GET', path, body }) => ({
    method,
    path,
    body,
    isFixed: !`${path}${body}`.includes('{n}'),
  }));
  const textOf = ({ method, path, body }, key, number) => {
    const numbered = (text) => text.replaceAll('{n}', number);
    const sent = body === undefined ? '' : numbered(body);
    const length =
      body === undefined
        ? ''
        : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(sent)}\r\n`;
    const credential = key === undefined ? '' : `authorization: Bearer ${key}\r\n`;
    return `${method} ${numbered(path)} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}${credential}${length}\r\n${sent}`;
  };
  const kept = new Map();
  return () => {
    n++;
    const request = texts[n % texts.length];
    const key = keys[n % keys.length];
    if (!request.isFixed) return textOf(request, key, String(n));
    const place = `${n % texts.length} ${key}`;
    if (!kept.has(place)) kept.set(place, Buffer.from(textOf(request, key, '')));
    return kept.get(place);
  };
}

const HEAD_MAX = 4_096;
const LENGTH = /\r\ncontent-length: (\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: chunked/i;
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

/** One connection, opened again when the server closes it. */
class Connection {
  #socket;
  #sentAt = 0;
  #status = 0;
  /** Bytes of the body to come; null until the head is read, Infinity until the last chunk. */
  #left = null;
  #tail = Buffer.alloc(0);
  isEnded = false;

  constructor(options, tally, onIdle) {
    this.options = options;
    this.tally = tally;
    this.onIdle = onIdle;
  }

  open() {
    if (this.isEnded) return;
    const socket = connect(this.options);
    this.#socket = socket;
    this.#reset();
    socket.on('connect', () => this.onIdle(this));
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#sentAt > 0) this.tally.closed++;
      // Not at once: a server that refuses connections is asked again a little later.
      setTimeout(() => this.open(), 20).unref();
    });
  }

  send(text) {
    this.tally.sent++;
    this.#sentAt = performance.now();
    this.#socket.write(text);
  }

  end() {
    this.isEnded = true;
    this.#sentAt = 0;
    this.#socket?.destroy();
  }

  #reset() {
    this.#sentAt = 0;
    this.#left = null;
    this.#tail = Buffer.alloc(0);
  }

  #read(chunk) {
    if (this.#left === null) {
      const bytes = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk]);
      const end = bytes.indexOf('\r\n\r\n');
      if (end === -1) {
        this.#tail = bytes;
        return;
      }
      const head = bytes.latin1Slice(0, Math.min(end, HEAD_MAX));
      this.#status = Number(head.slice(9, 12));
      this.#left = CHUNKED.test(head) ? Number.POSITIVE_INFINITY : Number(LENGTH.exec(head)?.[1] ?? 0);
      this.#tail = Buffer.alloc(0);
      this.#body(bytes.subarray(end + 2), 2);
    } else this.#body(chunk, 0);
  }

  #body(bytes, before) {
    if (this.#left === Number.POSITIVE_INFINITY) {
      this.#tail = Buffer.concat([this.#tail, bytes]).subarray(-LAST_CHUNK.length);
      if (!this.#tail.equals(LAST_CHUNK)) return;
    } else {
      this.#left -= bytes.length - before;
      if (this.#left > 0) return;
    }
    this.tally.add(this.#status, performance.now() - this.#sentAt);
    this.#reset();
    this.onIdle(this);
  }
}

/** `rate` is in requests a second over all connections; without it each connection asks again at once. */
function flood({ ports, connections, rate, durationMs, from, ...work }) {
  const tally = new Tally();
  const next = requestsOf(work);
  const startedAt = performance.now();
  const idle = [];
  let isOver = false;
  const onIdle = (connection) => {
    if (isOver) return;
    if (rate === undefined) connection.send(next());
    else idle.push(connection);
  };
  const all = Array.from({ length: connections }, (_, i) => {
    const options = {
      host: '127.0.0.1',
      port: ports[i % ports.length],
      noDelay: true,
      ...(from && { localAddress: from }),
    };
    return new Connection(options, tally, onIdle);
  });
  for (const connection of all) connection.open();
  let due = 0;
  const timer = setInterval(() => {
    if (rate === undefined) return;
    const until = ((performance.now() - startedAt) / 1000) * rate;
    for (; due < until; due++) {
      const connection = idle.pop();
      if (connection) connection.send(next());
      else tally.unsent++;
    }
  }, TICK_MS);
  return new Promise((resolve) => {
    setTimeout(() => {
      isOver = true;
      clearInterval(timer);
      const summary = tally.summary((performance.now() - startedAt) / 1000);
      for (const connection of all) connection.end();
      resolve(summary);
    }, durationMs);
  });
}

process.on('disconnect', () => process.exit());
process.on('message', async (message) => process.send(await flood(message)));
