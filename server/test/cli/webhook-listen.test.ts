import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keyPairOf, pushHeaders } from '../../src/webhooks/signing.js';
import { environmentFor } from '../access/lotward-process.js';
import { openDemoDatabase, openTestDatabase, type TestDatabase } from '../harness/index.js';

const launcher = fileURLToPath(new URL('../../bin/lotward.mjs', import.meta.url));
const SECRET = 'a secret of sixteen or more';
const polled = { timeout: 120_000, interval: 20 };

describe('webhook listen', () => {
  let db: TestDatabase;
  let child: ChildProcessWithoutNullStreams | undefined;
  beforeAll(async () => {
    db = await openTestDatabase();
  });
  afterEach(async () => {
    if (child?.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  });
  afterAll(() => db.drop());

  /** The real command, until it listens. */
  async function listen(...options: string[]) {
    const args = [launcher, 'webhook', 'listen', '--port', '0', '--secret', SECRET, ...options];
    const started = spawn(process.execPath, args, { env: environmentFor(db) });
    child = started;
    const said = { out: '', err: '' };
    started.stdout.on('data', (text) => {
      said.out += text;
    });
    started.stderr.on('data', (text) => {
      said.err += text;
    });
    const url = () => /Listening on (\S+),/.exec(said.err)?.[1];
    await expect.poll(() => url() ?? started.exitCode, polled).not.toBeNull();
    return { child: started, said, url: String(url()) };
  }

  const signed = (body: string) => {
    const keys = keyPairOf({ secret: SECRET, nextSecret: null }, (secret) => secret);
    const push = { eventId: 'evt_1', eventType: 'order.status_changed', deliveryId: 'dlv_1', attempt: 2 };
    return pushHeaders('lotward', [keys.current, null], { ...push, body: Buffer.from(body) }, new Date(0));
  };
  const post = (url: string, body: string, headers: Record<string, string>) =>
    fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(10_000) });

  it('prints pushes, verifies both signatures, and responds with the requested status', async () => {
    const { child: listener, said, url } = await listen('--status', '202');
    const body = '{"eventId":"evt_1","data":{}}';
    expect((await post(url, body, signed(body))).status).toBe(202);
    await expect.poll(() => said.out, polled).toContain('"eventId": "evt_1"');
    expect(said.out).toContain('POST order.status_changed  delivery dlv_1  attempt 2');
    expect(said.out).toContain('X-Lotward-Signature valid, webhook-signature valid');
    await post(url, body.replace('1', '2'), signed(body));
    await expect
      .poll(() => said.out, polled)
      .toContain('X-Lotward-Signature INVALID, webhook-signature INVALID');
    listener.stdin.write('500\n');
    await expect.poll(() => said.err, polled).toContain('From now on: 500.');
    expect((await post(url, body, signed(body))).status).toBe(500);
    listener.stdin.write('hang\n');
    await expect.poll(() => said.err, polled).toContain('no answer at all');
    const hanging = post(url, body, signed(body)).catch(() => 'no answer');
    await expect.poll(() => said.err, polled).toContain('not answered');
    listener.kill('SIGINT');
    expect(await hanging).toBe('no answer');
    expect(await once(listener, 'close')).toEqual([0, null]);
  });

  it('registers itself with the demo organization, and takes that back at the end', async () => {
    const { child: refused, said: why } = await listen('--register');
    expect(await once(refused, 'close')).toEqual([1, null]);
    expect(why.err).toContain('There is no demo organization.');
    await db.drop();
    ({ db } = await openDemoDatabase());
    const { child: listener, said, url } = await listen('--register');
    await expect.poll(() => said.err, polled).toContain('Registered as whk_');
    const active = () =>
      db.sql<{ url: string }>('select callback_url as url from webhooks where deleted_at is null');
    expect(await active()).toEqual([{ url }]);
    listener.kill('SIGTERM');
    expect(await once(listener, 'close')).toEqual([0, null]);
    expect(await active()).toEqual([]);
  });
});
