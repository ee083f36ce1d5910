import { connect, type Socket } from 'node:net';

/** One response as received. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface Exchange {
  answers: RawAnswer[];
  /** The server closed the connection before the expected number of responses. */
  closed: boolean;
}

export interface ExchangeOptions {
  /** The number of responses to wait for before closing. */
  answers?: number;
  /** A response to HEAD has a content length but no body. */
  head?: boolean;
  /** Leaves closing to the server, for requests that are sent too slowly. */
  socket?: (socket: Socket) => void;
}

/** Sends raw bytes and reads the responses, for requests that no HTTP client would send. */
export function exchange(
  url: string,
  bytes: string | Buffer | readonly (string | Buffer)[],
  options: ExchangeOptions = {},
): Promise<Exchange> {
  const { hostname, port } = new URL(url);
  const wanted = options.answers ?? 1;
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = connect({ host: hostname, port: Number(port) });
    const finish = (closed: boolean) => {
      const answers = parseAnswers(received, options.head ?? false);
      if (!closed && answers.length < wanted) return;
      socket.destroy();
      resolve({ answers, closed: answers.length < wanted });
    };
    socket.on('connect', () => {
      for (const part of typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : bytes)
        socket.write(part, 'latin1');
      options.socket?.(socket);
    });
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      finish(false);
    });
    socket.on('close', () => finish(true));
    // The server may close while we still write; the responses before that count.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error);
    });
  });
}

function parseAnswers(received: Buffer, head: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let at = 0;
  for (;;) {
    const end = received.indexOf('\r\n\r\n', at);
    if (end === -1) return answers;
    const [first = '', ...lines] = received.subarray(at, end).toString('latin1').split('\r\n');
    const status = Number(first.split(' ')[1]);
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const length = head || status < 200 ? 0 : Number(headers['content-length'] ?? 0);
    const from = end + 4;
    if (received.length < from + length) return answers;
    at = from + length;
    if (status >= 200) answers.push({ status, headers, body: received.subarray(from, at).toString('utf8') });
  }
}
