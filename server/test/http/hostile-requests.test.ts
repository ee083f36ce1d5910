import { randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toLoopback } from '../access/pushes.js';
import { fullTier, GTIN, openReceiver, openTestService, type Receiver, sized } from '../harness/index.js';
import { dereferenced } from './dereferenced.js';
import { faultsOf, headerOf, type Received } from './error-table.js';
import { type HostileRequest, hostileRequest, operationsOf } from './hostile-request.js';

const REQUESTS_PER_OPERATION = sized(3, 120);
const AT_ONCE = 8;
const WEBHOOKS = sized(20, 500);
/** The default tier sends the same requests every time; the full tier generates new ones. */
const SEED = Number(process.env.LOTWARD_TEST_SEED ?? (fullTier ? randomInt(2 ** 31) : 20_261_115));

let service: Awaited<ReturnType<typeof openTestService>>;
let receiver: Receiver;
let keys: Record<HostileRequest['credential'], string | null>;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
beforeAll(async () => {
  service = await openTestService({ webhooks: toLoopback });
  receiver = await openReceiver();
  for (const batchNo of ['B1', 'B2'])
    await service.call('POST', '/v2/stock/adjustments', {
      productCode: GTIN,
      warehouse: 'WH-1',
      batchNo,
      quantityDelta: 50,
      expiryDate: '2027-01-31',
      reason: 'count',
    });
  const narrow = await service.org.newKey({ scopes: ['inventory:read'] });
  keys = { full: service.org.key, narrow: narrow.apiKey, none: null, broken: 'lw_nonsense' };
});
afterAll(async () => {
  agent.destroy();
  await service.close();
  await receiver.close();
});

/** Enough webhooks that some outlast being deleted, and one with pushes. */
async function webhooksToMeet(): Promise<(path: string, name: string) => string[] | undefined> {
  const body = { callbackUrl: receiver.url(), eventTypes: ['inventory.low_stock'] };
  const make = () => service.call<{ webhookId: string }>('POST', '/v2/webhooks', body);
  const webhookIds = (await Promise.all(Array.from({ length: WEBHOOKS }, make))).map(
    ({ data }) => data.webhookId,
  );
  await service.call('PUT', '/v2/products/GLOVE-1', {
    productName: 'Gloves',
    tracking: 'none',
    safetyStock: 5,
  });
  const pushed = String(webhookIds[0]);
  const log = await service.call<{ items: { deliveryId: string }[] }>(
    'GET',
    `/v2/webhooks/${pushed}/deliveries`,
  );
  const deliveryIds = log.data.items.map(({ deliveryId }) => deliveryId);
  expect(deliveryIds).toHaveLength(1);
  return (path, name) => {
    if (name === 'deliveryId') return deliveryIds;
    if (name === 'webhookId') return path.includes('{deliveryId}') ? [pushed] : webhookIds;
    return undefined;
  };
}

function send(hostile: HostileRequest): Promise<Received> {
  const key = keys[hostile.credential];
  const headers = { ...hostile.headers, ...(key === null ? {} : { authorization: `Bearer ${key}` }) };
  return new Promise((resolve, reject) => {
    const url = new URL(service.api.url);
    const call = request(
      {
        agent,
        host: url.hostname,
        port: url.port,
        method: hostile.method,
        path: hostile.target,
        headers: {
          ...headers,
          ...(hostile.body === null ? {} : { 'content-length': Buffer.byteLength(hostile.body) }),
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers as Record<string, string>,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
        // A stream does not end: its headers are the response.
        if (answer.headers['content-type']?.startsWith('text/event-stream'))
          answer.once('data', () => {
            answer.destroy();
            answer.emit('end');
          });
        answer.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(hostile.body ?? undefined);
  });
}

/** Paths whose response is a file or a stream; their errors are of the error table too. */
const FILES = /^\/(?:labels\/|exports\/|stream)/;

/** A response to HEAD has only its status and headers to check. */
const faults = (hostile: HostileRequest, answer: Received): string[] => {
  if (answer.status >= 500) return [`status ${answer.status}`];
  // Only for a caller that says it has the response.
  if (answer.status === 304 && 'if-none-match' in hostile.headers)
    return answer.text === '' && headerOf(answer, 'etag') ? [] : ['304'];
  if (hostile.method === 'HEAD')
    return [200, 400, 401, 403, 404].includes(answer.status) && answer.text === '' ? [] : ['HEAD'];
  if (answer.status === 200 && FILES.test(hostile.target))
    return answer.text !== '' && !headerOf(answer, 'content-type')?.includes('json') ? [] : ['no file'];
  return faultsOf(answer);
};

it(`odd requests, ${REQUESTS_PER_OPERATION} to every route, are answered from the table, and none is a 500`, {
  timeout: sized(120_000, 1_200_000),
}, async () => {
  const document = (await service.api.call('GET', '/v2/openapi.json')).json;
  const operations = operationsOf(dereferenced(document as never), await webhooksToMeet());
  const odd = operations.map((operation, i) =>
    fc.sample(hostileRequest([operation]), { numRuns: REQUESTS_PER_OPERATION, seed: SEED + i }),
  );
  // To all routes in turn, so that what one deletes was there for the others.
  const requests = Array.from({ length: REQUESTS_PER_OPERATION }, (_, n) =>
    odd.flatMap((each) => each[n] ?? []),
  ).flat();
  const found: string[] = [];
  const seen = new Map<number, number>();
  const startedAt = performance.now();
  let next = 0;
  const worker = async () => {
    for (let hostile = requests[next++]; hostile !== undefined; hostile = requests[next++]) {
      const outcome = await send(hostile).then(
        (answer) => {
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          return faults(hostile, answer).map((fault) => `${fault}: ${answer.text.slice(0, 300)}`);
        },
        (error: Error) => [`no answer: ${error.message}`],
      );
      if (outcome.length > 0) found.push(`${outcome.join('; ')} ← ${JSON.stringify(hostile)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const statuses = [...seen].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(
    `${requests.length} requests over ${operations.length} operations, seed ${SEED}, ${seconds} s; ${statuses.join(', ')}`,
  );
  expect(found.slice(0, 10)).toEqual([]);
  // Requests that never get past the first check would prove little.
  expect(seen.get(200) ?? 0).toBeGreaterThan(requests.length / 20);
  expect(seen.get(404) ?? 0).toBeGreaterThan(0);
  expect((await service.call('GET', '/v2/whoami')).status).toBe(200);
});
