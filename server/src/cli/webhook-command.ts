import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { readConfig } from '../config/index.js';
import { demoOrganizationId } from '../demo/index.js';
import { EVENT_TYPES } from '../events/index.js';
import { type Tx, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import type { SecretBox } from '../platform/secrets/index.js';
import { createWebhook, deleteWebhook, newSecret, verifySignatures } from '../webhooks/index.js';
import { operatorOf, withRuntime } from './commands.js';
import { say, UsageError } from './output.js';

const PORT_DEFAULT = 4040;
const BODY_BYTES_MAX = 16 * 1024 * 1024;

/** How pushes are answered, until told otherwise. */
interface Manner {
  status: number;
  delayMs: number;
  hang: boolean;
}

interface ListenOptions {
  port: string;
  register?: boolean;
  secret?: string;
  status: string;
  delay: string;
  hang?: boolean;
}

export function webhookCommand(program: Command): void {
  program
    .command('webhook')
    .description('webhooks on this machine')
    .command('listen')
    .description('receive pushes on this machine, print them and check both signatures')
    .option('--port <port>', 'where to listen; 0 takes a free port', String(PORT_DEFAULT))
    .option('--register', 'make a webhook for the demo organization, and delete it at the end')
    .option('--secret <secret>', 'what pushes are signed with; made up when not given')
    .option('--status <status>', 'answer with this HTTP status', '200')
    .option('--delay <ms>', 'answer after so many milliseconds', '0')
    .option('--hang', 'never answer')
    .addHelpText(
      'after',
      `
While it runs, type how to answer from then on: ok, 500 (or any status), slow 3000, hang. Ctrl-C ends it.

Make your own webhook push here with:
  curl -s http://127.0.0.1:8080/v2/webhooks -H 'Authorization: Bearer …' -H 'Content-Type: application/json' \\
    -d '{"callbackUrl": "http://127.0.0.1:${PORT_DEFAULT}/", "eventTypes": ["order.status_changed"], "secret": "…"}'
Of other organizations than the demo a server accepts that only with WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8.`,
    )
    .action(listen);
}

async function listen(options: ListenOptions): Promise<void> {
  const manner: Manner = {
    status: numberOf('--status', options.status, 100, 599),
    delayMs: numberOf('--delay', options.delay, 0, 3_600_000),
    hang: options.hang === true,
  };
  const secret = options.secret ?? newSecret();
  if (!/^[\x20-\x7e]{16,128}$/.test(secret))
    throw new UsageError('--secret takes 16 to 128 printable ASCII characters.');
  const { headerPrefix } = readConfig().webhooks;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

  const server = createServer((request, response) => {
    receive(request, response, { manner, secret, headerPrefix, signal: stop.signal }).catch((error: Error) =>
      say(`  broken off: ${error.message}`),
    );
  });
  const port = numberOf('--port', options.port, 0, 65_535);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'EADDRINUSE' ? `Port ${port} is in use; choose another with --port.` : error.message,
    );
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  say(`Listening on ${url}, secret ${secret}`);
  try {
    const registered = options.register ? await register(url, secret) : null;
    createInterface({ input: process.stdin }).on('line', (line) => obey(manner, line.trim()));
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
    await registered?.remove();
  } finally {
    server.close();
    server.closeAllConnections();
    process.stdin.destroy();
  }
}

function numberOf(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new UsageError(`${option} takes a whole number from ${min} to ${max}, not "${text}".`);
  return value;
}

/** What was typed while it runs. */
function obey(manner: Manner, line: string): void {
  const [word = '', ms] = line.split(/\s+/);
  if (word === '') return;
  if (word === 'hang') Object.assign(manner, { hang: true });
  else if (word === 'slow' && /^\d{1,7}$/.test(ms ?? ''))
    Object.assign(manner, { hang: false, delayMs: Number(ms) });
  else if (word === 'ok') Object.assign(manner, { hang: false, status: 200, delayMs: 0 });
  else if (/^[1-5]\d\d$/.test(word)) Object.assign(manner, { hang: false, status: Number(word) });
  else {
    say('Type ok, a status such as 500, slow 3000, or hang.');
    return;
  }
  say(
    manner.hang
      ? 'From now on: no answer at all.'
      : `From now on: ${manner.status}${manner.delayMs > 0 ? ` after ${manner.delayMs} ms` : ''}.`,
  );
}

/** In the demo organization of this machine's database, which a running server uses too. */
async function register(url: string, secret: string): Promise<{ remove(): Promise<void> }> {
  const inDemo = <T>(work: (tx: Tx, box: SecretBox) => Promise<T>) =>
    withRuntime(async (runtime) => {
      const orgId = await demoOrganizationId(runtime.database);
      if (orgId === null) throw new UsageError('There is no demo organization. Load it with: lotward demo');
      const operator = systemPrincipal(orgId, operatorOf(runtime));
      return transact(runtime.database, operator, (tx) => work(tx, runtime.box));
    });
  const { webhookId } = await inDemo(async (tx, box) => {
    const made = await createWebhook(tx, box, {
      callbackUrl: url,
      eventTypes: EVENT_TYPES,
      description: 'lotward webhook listen',
      customerCode: null,
      secret,
    });
    return made.webhook;
  });
  say(`Registered as ${webhookId} for the demo organization. Make something happen with: lotward simulate`);
  return {
    async remove() {
      await inDemo((tx) => deleteWebhook(tx, { boundTo: null }, webhookId));
      say(`${webhookId} deleted.`);
    },
  };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  options: { manner: Manner; secret: string; headerPrefix: string; signal: AbortSignal },
): Promise<void> {
  const { manner, secret, headerPrefix } = options;
  const body = await bodyOf(request);
  const prefix = headerPrefix.toLowerCase();
  const { headers } = request;
  const verified = verifySignatures(prefix, secret, headers, body);
  const named = (name: string) => String(headers[`x-${prefix}-${name}`] ?? '–');
  const test = headers[`x-${prefix}-test`] === undefined ? '' : ' test';
  const lines = [
    `${new Date().toISOString()}  ${request.method} ${named('event')}${test}  delivery ${named('delivery')}  attempt ${named('attempt')}`,
    `  X-${headerPrefix}-Signature ${verified.body ? 'right' : 'WRONG'}, webhook-signature ${verified.standard ? 'right' : 'WRONG'}`,
    ...pretty(body).map((line) => `  ${line}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (manner.hang) return say('  not answered');
  const { status, delayMs } = manner;
  if (delayMs > 0) await pause(delayMs, undefined, { signal: options.signal });
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${status}\n`);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > BODY_BYTES_MAX) throw new Error('the body is too large to be a push');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function pretty(body: Buffer): string[] {
  try {
    return JSON.stringify(JSON.parse(body.toString('utf8')), null, 2).split('\n');
  } catch {
    return body.length === 0 ? [] : ['(not JSON)', body.toString('utf8').slice(0, 1000)];
  }
}
