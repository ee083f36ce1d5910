import type { LookupAddress } from 'node:dns';

/** Resolves a name to all its addresses, IPv4 and IPv6. `caller` is the requester, whose slow names delay nobody else's. */
export type LookUp = (
  host: string,
  callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
  caller: string,
) => void;
