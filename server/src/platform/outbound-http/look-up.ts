import type { LookupAddress } from 'node:dns';

/**
 * Resolves a name to all its addresses, IPv4 and IPv6. `caller` is the one that asks: its slow names delay no other's.
 */
export type LookUp = (
  host: string,
  callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
  caller: string,
) => void;
