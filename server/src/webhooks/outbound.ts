import type { Clock } from '../platform/clock/index.js';
import {
  type AddressPolicy,
  addressPolicy,
  type LookUp,
  openNameResolver,
  openSender,
  type Sender,
} from '../platform/outbound-http/index.js';

interface Route {
  policy: AddressPolicy;
  sender: Sender;
  lookUp: LookUp;
}

/**
 * The addresses that an organization's pushes may reach, and the sender for them. The organization's id is the `caller` of
 * both.
 */
export interface Outbound {
  forOrganization(orgId: string): Promise<Route>;
  close(): Promise<void>;
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Organizations with different address policies do not share connections. */
export function openOutbound(options: {
  timeoutMs: number;
  /** Private networks that are reachable over plain HTTP, for development. */
  allowedNetworks: readonly string[];
  /** Name servers for the hosts of receivers; without them, those of the host. */
  nameServers?: readonly string[] | undefined;
  clock: Clock;
  /** Whether the organization may push to loopback addresses. */
  canUseLoopback(orgId: string): Promise<boolean>;
}): Outbound {
  const names = openNameResolver({ servers: options.nameServers });
  const { lookUp } = names;
  const routeFor = (networks: readonly string[]): Route => {
    const policy = addressPolicy(networks);
    const { timeoutMs, clock } = options;
    return { policy, lookUp, sender: openSender({ policy, timeoutMs, clock, lookUp }) };
  };
  const ordinary = routeFor(options.allowedNetworks);
  const local = routeFor([...options.allowedNetworks, ...LOOPBACK]);
  return {
    forOrganization: async (orgId) => ((await options.canUseLoopback(orgId)) ? local : ordinary),
    async close() {
      names.close();
      await Promise.all([ordinary.sender.close(), local.sender.close()]);
    },
  };
}
