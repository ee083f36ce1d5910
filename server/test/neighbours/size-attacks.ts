import { type Attack, sayFlood } from './attack.js';
import { adjustmentOf, orderOf } from './service.js';

const ROWS = 100_000;
const WALKERS = 4;
const PAGE = 200;
const BATCHES = 5_000;
const STREAMS = 500;

const largeExport: Attack = {
  name: 'an export of 100,000 rows',
  what: `A ledger of ${ROWS.toLocaleString('en')} movements read to its end, page by page, by ${WALKERS} clients at once.`,
  countedBy: 'platform/http/turns.test.ts, test/journeys/query-plans.test.ts',
  async open(ground) {
    const attacker = await ground.newAttacker();
    const keys = await attacker.moreKeys(WALKERS);
    const one = "r.product_code = 'GLOVE-1'";
    await ground.service.copyRows('movements', attacker, one, ROWS, {
      movement_id: 'r.movement_id || n',
      position: '1000000 + n',
    });
    return {
      async run(durationMs) {
        const until = performance.now() + durationMs;
        let rows = 0;
        const walk = async (key: string, url: string) => {
          let cursor: string | undefined = '';
          while (cursor !== undefined && performance.now() < until) {
            const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
            const response = await fetch(`${url}/v2/stock/movements?limit=${PAGE}${more}`, {
              headers: { authorization: `Bearer ${key}` },
            });
            const text = await response.text();
            if (response.status !== 200) throw new Error(text);
            rows += PAGE;
            cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1];
          }
        };
        const { urls } = ground.service;
        // Again when it is done sooner.
        const walkers = keys.map(async (key, i) => {
          while (performance.now() < until) await walk(key, urls[i % urls.length] as string);
        });
        await Promise.all(walkers);
        return { did: `${rows} rows read` };
      },
    };
  },
};

const largeRecall: Attack = {
  name: 'a recall over 5,000 batches',
  what: `Recalls of a product with ${BATCHES.toLocaleString('en')} batches in stock, opened, read and listed on 8 connections without a pause.`,
  countedBy: 'platform/http/turns.test.ts, platform/database/pool.test.ts',
  async open(ground) {
    const { service } = ground;
    const attacker = await ground.newAttacker();
    const keys = await attacker.moreKeys(10);
    await service.must(
      'PUT',
      '/v2/products/BATCH-1',
      { productName: 'Many batches', tracking: 'batch' },
      attacker.key,
    );
    const first = adjustmentOf('BATCH-1', 10, { batchNo: 'B-0', expiryDate: null });
    await service.must('POST', '/v2/stock/adjustments', first, attacker.key);
    for (const table of ['batches', 'balances'])
      await service.copyRows(table, attacker, "r.batch_no = 'B-0'", BATCHES, { batch_no: "'B-' || n" });
    const recall = { recallNo: 'R-{n}', productCode: 'BATCH-1', class: 'I', reason: 'neighbours' };
    const requests = [
      { method: 'POST', path: '/v2/recalls', body: JSON.stringify(recall) },
      { path: '/v2/recalls?limit=20' },
    ];
    return {
      run: async (durationMs) => ({
        did: sayFlood(await ground.flood({ connections: 8, durationMs, keys, requests })),
      }),
    };
  },
};

const manyStreams: Attack = {
  name: 'many streams',
  what: `${STREAMS} connections that open streams with 60 keys and keep them open, while orders give each of them news every second.`,
  countedBy: 'test/live/stream.test.ts',
  async open(ground) {
    const attacker = await ground.newAttacker();
    const keys = await attacker.moreKeys(60);
    const changing = { method: 'POST', path: '/v2/orders', body: orderOf('S') };
    return {
      async run(durationMs) {
        const [streams, changes] = await Promise.all([
          ground.flood({ connections: STREAMS, durationMs, keys, requests: [{ path: '/stream' }] }),
          ground.flood({ connections: 4, durationMs, keys, requests: [changing], rate: 20 }),
        ]);
        return { did: `streams: ${sayFlood(streams)}; changes: ${sayFlood(changes)}` };
      },
    };
  },
};

export const sizeAttacks: Attack[] = [largeExport, largeRecall, manyStreams];
