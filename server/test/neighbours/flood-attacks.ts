import { type Attack, type Flooded, type Ground, sayFlood } from './attack.js';
import { orderOf } from './service.js';

/** More than the capacity of the service needs at 1,000 requests a minute for each. */
const KEYS = 400;
const CAPACITY_CONNECTIONS = 64;
const CAPACITY_MS = 4_000;
const FLOOD_CONNECTIONS = 400;
const TIMES = 4;
type Requests = { method?: string; path: string; body?: string }[];

/** Measures what the service can do, then asks for four times as much. */
async function openFlood(ground: Ground, requestsOf: (part: string) => Requests) {
  const attacker = await ground.newAttacker();
  const keys = await attacker.moreKeys(KEYS);
  const askAll = (durationMs: number, part: string): Promise<Flooded> =>
    ground.flood({ connections: CAPACITY_CONNECTIONS, durationMs, keys, requests: requestsOf(part) });
  await askAll(CAPACITY_MS, 'W');
  const { perSecond: capacity } = await askAll(CAPACITY_MS, 'C');
  return {
    async run(durationMs: number) {
      const rate = TIMES * capacity;
      const flooded = await ground.flood({
        ...{ connections: FLOOD_CONNECTIONS, durationMs, keys, rate },
        requests: requestsOf('F'),
      });
      const { perSecond, p99, unsent } = flooded;
      return {
        did: `${sayFlood(flooded)}; ${unsent} more found no free connection`,
        overload: { capacity, perSecond, p99 },
      };
    },
  };
}

const reads: Attack = {
  name: 'reads at four times the capacity',
  what: `Inventory reads at four times the measured capacity, ${KEYS} keys on ${FLOOD_CONNECTIONS} connections.`,
  countedBy: 'platform/http/turns.test.ts, platform/database/pool.test.ts',
  open: (ground) => openFlood(ground, () => [{ path: '/v2/inventory?productCode=GLOVE-1' }]),
};

const writes: Attack = {
  name: 'writes at four times the capacity',
  what: `New orders at four times the measured capacity, ${KEYS} keys on ${FLOOD_CONNECTIONS} connections.`,
  countedBy: 'platform/http/turns.test.ts, platform/database/pool.test.ts',
  open: (ground) =>
    openFlood(ground, (part) => [{ method: 'POST', path: '/v2/orders', body: orderOf(part) }]),
};

export const floodAttacks: Attack[] = [reads, writes];
