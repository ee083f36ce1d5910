import { callApi } from '../harness/index.js';
import { openPostgresProxy } from '../http/postgres-proxy.js';
import { type Attack, type Ground, type Probe, sayFlood } from './attack.js';
import { adjustmentOf, kill, type Organization, orderOf } from './service.js';

const CONNECTIONS = 24;
const KEYS = 40;
const LOCKED_MS = 25_000;
const FREEZE_AFTER_MS = 1_000;

const adjusting = {
  method: 'POST',
  path: '/v2/stock/adjustments',
  body: JSON.stringify(adjustmentOf('GLOVE-1', 1)),
};
const ordering = { method: 'POST', path: '/v2/orders', body: orderOf('A') };

/** Orders of another product, by another key of the attacker's organization. */
async function otherProduct(attacker: Organization): Promise<Probe> {
  const body = orderOf('O', 'MASK-1');
  const keys = await attacker.moreKeys(2);
  return {
    name: 'other product',
    group: 'other products',
    perSecond: 10,
    method: 'POST',
    path: '/v2/orders',
    body,
    keys,
  };
}

const oneProduct: Attack = {
  name: 'changes of one product',
  what: `${CONNECTIONS} connections that adjust the stock of one product without a pause.`,
  countedBy: 'test/http/locked-records.test.ts, platform/database/pool.test.ts',
  async open(ground) {
    const attacker = await ground.newAttacker();
    const keys = await attacker.moreKeys(KEYS);
    return {
      probes: [await otherProduct(attacker)],
      run: async (durationMs) => ({
        did: sayFlood(
          await ground.flood({ connections: CONNECTIONS, durationMs, keys, requests: [adjusting] }),
        ),
      }),
    };
  },
};

const lockedProduct: Attack = {
  name: 'a product locked for 25 s',
  what: `Another session of the database locks a product for 25 s, while ${CONNECTIONS} connections order and adjust it.`,
  countedBy: 'test/http/locked-records.test.ts',
  durationMs: LOCKED_MS,
  async open(ground) {
    const attacker = await ground.newAttacker();
    const keys = await attacker.moreKeys(KEYS);
    const session = await ground.service.session();
    return {
      probes: [await otherProduct(attacker)],
      async run(durationMs) {
        await session.query('begin');
        await session.query(
          `select from products where org_id = $1 and product_code = 'GLOVE-1' for update`,
          [attacker.orgId],
        );
        const requests = [adjusting, ordering];
        const flooded = await ground.flood({ connections: CONNECTIONS, durationMs, keys, requests });
        return { did: sayFlood(flooded) };
      },
      async close() {
        await session.query('rollback');
        session.release();
      },
    };
  },
};

/** The product that the lost process was changing, as a healthy one finds it. */
async function freedAfter({ service }: Ground, key: string, patienceMs: number): Promise<string> {
  const startedAt = performance.now();
  const tookMs = () => performance.now() - startedAt;
  while (tookMs() < patienceMs) {
    const body = JSON.parse(adjusting.body);
    const { status } = await callApi(service.urls[0] as string, 'POST', adjusting.path, body, key);
    if (status === 200) return `the product could be changed again after ${(tookMs() / 1000).toFixed(1)} s`;
  }
  return 'the product could not be changed again';
}

const cutOff: Attack = {
  name: 'a process cut off from the database',
  what: `A third API process, busy with ${CONNECTIONS} connections of changes, loses its connection to the database in the middle of its transactions: no byte passes any more.`,
  countedBy: 'test/http/database-away.test.ts',
  async open(ground) {
    const attacker = await ground.newAttacker();
    const keys = await attacker.moreKeys(KEYS);
    const proxy = await openPostgresProxy(ground.service.databaseUrl);
    const { child, url } = await ground.service.startApi(proxy.url);
    const ports = [Number(new URL(url).port)];
    return {
      probes: [await otherProduct(attacker)],
      async run(durationMs) {
        const requests = [adjusting, ordering];
        const flooding = ground.flood({ connections: CONNECTIONS, durationMs, keys, requests, ports });
        const freed = new Promise<string>((resolve) => {
          setTimeout(() => {
            proxy.freeze();
            resolve(freedAfter(ground, keys[0] as string, durationMs - FREEZE_AFTER_MS));
          }, FREEZE_AFTER_MS);
        });
        return { did: `${sayFlood(await flooding)}; ${await freed}` };
      },
      async close() {
        await kill(child);
        await proxy.close();
      },
    };
  },
};

export const recordAttacks: Attack[] = [oneProduct, lockedProduct, cutOff];
