import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keyPairOf, pushHeaders } from '../../src/webhooks/signing.js';
import { environmentFor } from '../access/lotward-process.js';
import {
  fullTier,
  type LastingCommand,
  openDemoDatabase,
  openTestDatabase,
  startCommandWith,
  type TestDatabase,
} from '../harness/index.js';

const launcher = fileURLToPath(new URL('../../bin/lotward.mjs', import.meta.url));
const SECRET = 'a secret of sixteen or more';
const polled = { timeout: 120_000, interval: 20 };

describe('webhook listen', () => {
  let db: TestDatabase;
  let running: LastingCommand | undefined;
  beforeAll(async () => {
    db = await openTestDatabase();
  });
  afterEach(() => running?.stop());
  afterAll(() => db.close());

  /** The real command in a process of its own. By default it is the README's that runs in one. */
  function startProcess(args: readonly string[]): LastingCommand {
    const child = spawn(process.execPath, [launcher, ...args], { env: environmentFor(db) });
    const said = { out: '', err: '' };
    child.stdout.on('data', (text) => {
      said.out += text;
    });
    child.stderr.on('data', (text) => {
      said.err += text;
    });
    const ended = once(child, 'close').then(([code]) => code as number);
    return {
      said,
      ended,
      type: (line) => child.stdin.write(`${line}\n`),
      stop() {
        child.kill('SIGTERM');
        return ended;
      },
    };
  }

  /** Until it listens. */
  async function listen(...options: string[]) {
    const args = ['webhook', 'listen', '--port', '0', '--secret', SECRET, ...options];
    const listener = fullTier ? startProcess(args) : startCommandWith(environmentFor(db), ...args);
    running = listener;
    const url = () => /Listening on (\S+),/.exec(listener.said.err)?.[1];
    await expect.poll(url, polled).toBeDefined();
    return { ...listener, url: url() ?? '' };
  }

  const signed = (body: string) => {
    const keys = keyPairOf({ secret: SECRET, nextSecret: null }, (secret) => secret);
    const push = { eventId: 'evt_1', eventType: 'order.status_changed', deliveryId: 'dlv_1', attempt: 2 };
    return pushHeaders('lotward', [keys.current, null], { ...push, body: Buffer.from(body) }, new Date(0));
  };
  const post = (url: string, body: string, headers: Record<string, string>) =>
    fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(10_000) });

  it('does not register without a demo organization, says so, and fails', async () => {
    const { ended, said } = await listen('--register');
    expect(await ended).toBe(1);
    expect(said.err).toContain('There is no demo organization.');
  });

  it('registers itself, prints pushes, verifies both signatures, responds as requested, and takes itself back', async () => {
    await db.close();
    ({ db } = await openDemoDatabase());
    const { said, type, stop, url } = await listen('--register', '--status', '202');
    await expect.poll(() => said.err, polled).toContain('Registered as whk_');
    const active = () =>
      db.sql<{ url: string }>('select callback_url as url from webhooks where deleted_at is null');
    expect(await active()).toEqual([{ url }]);
    const body = '{"eventId":"evt_1","data":{}}';
    expect((await post(url, body, signed(body))).status).toBe(202);
    await expect.poll(() => said.out, polled).toContain('"eventId": "evt_1"');
    expect(said.out).toContain('POST order.status_changed  delivery dlv_1  attempt 2');
    expect(said.out).toContain('X-Lotward-Signature valid, webhook-signature valid');
    await post(url, body.replace('1', '2'), signed(body));
    await expect
      .poll(() => said.out, polled)
      .toContain('X-Lotward-Signature INVALID, webhook-signature INVALID');
    type('500');
    await expect.poll(() => said.err, polled).toContain('From now on: 500.');
    expect((await post(url, body, signed(body))).status).toBe(500);
    type('hang');
    await expect.poll(() => said.err, polled).toContain('no response');
    const hanging = post(url, body, signed(body)).catch(() => 'no answer');
    await expect.poll(() => said.err, polled).toContain('not answered');
    const stopped = stop();
    expect(await hanging).toBe('no answer');
    expect(await stopped).toBe(0);
    expect(await active()).toEqual([]);
  });
});
