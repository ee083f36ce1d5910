import type { Clock } from '../platform/clock/index.js';
import {
  type AddressPolicy,
  addressPolicy,
  openSender,
  type Sender,
} from '../platform/outbound-http/index.js';

interface Way {
  policy: AddressPolicy;
  sender: Sender;
}

/** Where an organization's pushes may go, and how. */
export interface Outbound {
  forOrganization(orgId: string): Promise<Way>;
  close(): Promise<void>;
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Organizations that may not go to the same addresses do not share connections either. */
export function openOutbound(options: {
  timeoutMs: number;
  /** Although private, and over plain http: for development. */
  allowedNetworks: readonly string[];
  clock: Clock;
  /** Organizations that may push to this machine itself. */
  mayUseLoopback(orgId: string): Promise<boolean>;
}): Outbound {
  const wayTo = (networks: readonly string[]): Way => {
    const policy = addressPolicy(networks);
    const { timeoutMs, clock } = options;
    return { policy, sender: openSender({ policy, timeoutMs, clock }) };
  };
  const ordinary = wayTo(options.allowedNetworks);
  const local = wayTo([...options.allowedNetworks, ...LOOPBACK]);
  return {
    forOrganization: async (orgId) => ((await options.mayUseLoopback(orgId)) ? local : ordinary),
    async close() {
      await Promise.all([ordinary.sender.close(), local.sender.close()]);
    },
  };
}
