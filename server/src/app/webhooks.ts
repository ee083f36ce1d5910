import type { Config } from '../config/index.js';
import { demoOrganizationId } from '../demo/index.js';
import type { Database } from '../platform/database/index.js';
import { type Outbound, openOutbound } from '../webhooks/index.js';

const LOOK_AGAIN_MS = 5_000;

/** Pushes go where the operator allows; on a server that listens on loopback, the demo may also push to loopback. */
export function outboundFor(
  database: Database,
  webhooks: Pick<Config['webhooks'], 'timeoutMs' | 'allowedNetworks'> &
    Partial<Pick<Config['webhooks'], 'nameServers'>>,
  onLoopback: boolean,
): Outbound {
  let demo: string | null = null;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  return openOutbound({
    ...webhooks,
    clock: database.clock,
    async canUseLoopback(orgId) {
      if (!onLoopback) return false;
      if (demo === null && performance.now() - askedAtMs > LOOK_AGAIN_MS) {
        askedAtMs = performance.now();
        demo = await demoOrganizationId(database);
      }
      return demo === orgId;
    },
  });
}
