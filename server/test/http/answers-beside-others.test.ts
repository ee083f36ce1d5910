import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newOrganization, openTestService, type TestOrganization } from '../harness/index.js';

const CALLERS = 32;

let service: Awaited<ReturnType<typeof openTestService>>;
let other: TestOrganization;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  other = await newOrganization(service.db);
});
afterAll(() => service.close());

const order = (orderNo: string) => ({
  orderNo,
  customerCode: 'HOSP-1',
  warehouse: 'WH-1',
  currency: 'EUR',
  lines: [{ lineNo: 1, productCode: 'GLOVE-1', quantity: 1, unitPrice: '1.00' }],
});

/** The most orders of the first organization that are answered in one turn of the event loop while `work` is done. */
async function mostAnswersInOneTurn(work: () => Promise<unknown>): Promise<number> {
  let [most, now] = [0, 0];
  const own = `Bearer ${service.org.key}`;
  const onRequest = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.headers.authorization !== own) return;
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
    response.end = (...args: unknown[]) => {
      most = Math.max(most, ++now);
      return end(...args);
    };
  };
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      await nextTurn();
      now = 0;
    }
  };
  subscribe('http.server.request.start', onRequest);
  const watching = watch();
  await work().finally(() => {
    isOver = true;
    unsubscribe('http.server.request.start', onRequest);
  });
  await watching;
  return most;
}

const orders = (prefix: string) =>
  Array.from({ length: CALLERS }, (_, n) => service.call('POST', '/v2/orders', order(`${prefix}-${n}`)));

/** Another organization orders, refused as it has no such customer, again and again until `work` is done. */
async function besideOrdersOfAnother(work: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const orderOnce = async () =>
    expect((await service.call('POST', '/v2/orders', order('N-1'), other.key)).status).toBe(400);
  await orderOnce();
  const ordering = (async () => {
    while (!isOver) await orderOnce();
  })();
  await work().finally(() => {
    isOver = true;
  });
  await ordering;
}

it('orders of one organization are answered a few at a time while another organization orders too', async () => {
  const send = async (prefix: string) => {
    for (const { status } of await Promise.all(orders(prefix))) expect(status).toBe(200);
  };
  // With connections and code that are used for the first time, requests arrive one by one.
  await send('FIRST');
  expect(await mostAnswersInOneTurn(() => send('ALONE'))).toBeGreaterThan(4);
  await besideOrdersOfAnother(async () => {
    // Two at a time; what an answer still waits for can add those of the part before.
    expect(await mostAnswersInOneTurn(() => send('BESIDE'))).toBeLessThanOrEqual(4);
  });
});
