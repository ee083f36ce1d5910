import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient as registerClient } from '../../src/credentials/index.js';
import { transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { signedPush } from '../../src/webhooks/signing.fixture.js';
import { GTIN, openTestService } from '../harness/index.js';

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`;

let service: Awaited<ReturnType<typeof openTestService>>;
let folder: string;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  folder = await mkdtemp(join(tmpdir(), 'lotward-examples-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Runs a copy of an example to its end. */
async function run(example: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(examples, example), ...args], {
    env: { PATH: process.env.PATH, LOTWARD_URL: service.api.url, ...env },
  });
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ]);
  return { out, err, code };
}

const line = { lineNo: 1, productCode: GTIN, quantity: 2, unitPrice: '9.50' };
const order = (orderNo: string, part: object = {}) => ({
  orderNo,
  customerCode: 'HOSP-1',
  warehouse: 'WH-1',
  currency: 'EUR',
  lines: [line],
  ...part,
});

describe('order sync', () => {
  it('sends orders with an OAuth client, again without effect, and says what is refused and why', async () => {
    const { orgId } = service.org.organization;
    const { clientId, clientSecret } = await transact(
      service.db.database,
      systemPrincipal(orgId, 'operator@test.example'),
      (tx) => registerClient(tx, { name: 'ERP', scopes: ['orders:write'], owner: 'erp@test.example' }),
    );
    const env = { LOTWARD_CLIENT_ID: clientId, LOTWARD_CLIENT_SECRET: clientSecret };
    const file = join(folder, 'orders.json');
    await writeFile(file, JSON.stringify([order('SO-1'), order('SO-2')]));
    expect(await run('order-sync.mjs', [file], env)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^SO-1: created .*\nSO-2: created /),
    });
    const bad = order('SO-3', { lines: [{ ...line, productCode: 'NOTHING' }] });
    await writeFile(file, JSON.stringify([order('SO-1'), order('SO-2', { remark: 'soon' }), bad]));
    const again = await run('order-sync.mjs', [file], env);
    expect(again.out).toMatch(
      /^SO-1: unchanged .*\nSO-2: updated .*\nSO-3: refused at .*\(unknown_reference\)/,
    );
    expect(again.code).toBe(1);
  });
});

describe('stock sync', () => {
  it('copies everything, and says what changed since', async () => {
    const adjust = (quantityDelta: number) =>
      service.call('POST', '/v2/stock/adjustments', {
        productCode: GTIN,
        warehouse: 'WH-1',
        batchNo: 'LOT-1',
        expiryDate: '2030-01-01',
        quantityDelta,
        reason: 'count',
      });
    await adjust(50);
    const file = join(folder, 'stock.json');
    const sync = () => run('stock-sync.mjs', [file, 'WH-1'], { LOTWARD_API_KEY: service.org.key });
    expect(await sync()).toMatchObject({
      code: 0,
      out: `${GTIN} WH-1: 0 → 50 available\n1 stocks, 1 changed.\n`,
    });
    const kept = JSON.parse(await readFile(file, 'utf8'));
    expect(kept.stock[`${GTIN} WH-1`]).toMatchObject({ totalQuantity: 50, availableQuantity: 50 });
    expect(await sync()).toMatchObject({ code: 0, out: '1 stocks, 0 changed.\n' });
    await adjust(-50);
    expect(await sync()).toMatchObject({
      code: 0,
      out: `${GTIN} WH-1: 50 → 0 available\n1 stocks, 1 changed.\n`,
    });
  });
});

const EVENT = {
  eventId: 'evt_1',
  eventType: 'order.status_changed',
  timestamp: '2026-11-15T10:00:00Z',
  data: { orderNo: 'SO-9', currentStatus: 'approved' },
};

const running: (() => void)[] = [];
afterEach(() => {
  for (const stop of running.splice(0)) stop();
});

/** The URL of a listening example, and its output. */
async function listening(example: string): Promise<{ url: string; printed: () => string }> {
  const child = spawn(process.execPath, [join(examples, example)], {
    env: { PATH: process.env.PATH, LOTWARD_WEBHOOK_SECRET: SECRET, PORT: '0' },
  });
  running.push(() => child.kill());
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  await vi.waitFor(() => expect(out).toMatch(/listening on \d+/), { timeout: 60_000 });
  return { url: `http://127.0.0.1:${/listening on (\d+)/.exec(out)?.[1]}/hooks`, printed: () => out };
}

/** A route handler, served as Next.js would. */
async function served(): Promise<{ url: string; printed: () => string }> {
  process.env.LOTWARD_WEBHOOK_SECRET = SECRET;
  const said: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
  const { POST } = (await import(join(examples, 'webhook-next.mjs'))) as {
    POST: (request: Request) => Promise<Response>;
  };
  const server = createServer(async (request, response) => {
    const body = Readable.toWeb(request) as ReadableStream;
    const headers = request.headers as Record<string, string>;
    const answer = await POST(
      new Request('http://next.example/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit),
    );
    response.writeHead(answer.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.push(() => {
    server.close();
    log.mockRestore();
    delete process.env.LOTWARD_WEBHOOK_SECRET;
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    printed: () => said.join('\n'),
  };
}

describe.each([
  ['Express', () => listening('webhook-express.mjs')],
  ['Fastify', () => listening('webhook-fastify.mjs')],
  ['Next.js', served],
])('a receiver with %s', (_name, open) => {
  it('acts once on a push that is genuine, and refuses any other', async () => {
    const { url, printed } = await open();
    const push = signedPush(SECRET, EVENT, new Date());
    const send = (body: Buffer) =>
      fetch(url, { method: 'POST', headers: push.headers, body: new Uint8Array(body) });
    expect((await send(push.body)).status).toBe(204);
    expect((await send(push.body)).status).toBe(204);
    await vi.waitFor(() => expect(printed().match(/order SO-9 is approved/g)).toHaveLength(1), 60_000);
    expect((await send(Buffer.from(push.body.toString().replace('SO-9', 'SO-8')))).status).toBe(401);
    expect(printed()).not.toContain('SO-8');
  });
});
