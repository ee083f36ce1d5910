import { type LookupAddress, lookup } from 'node:dns';

/** Resolves a name to all its addresses, IPv4 and IPv6. */
export type LookUp = (
  host: string,
  callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

export const systemLookUp: LookUp = (host, callback) => {
  // With an error, Node passes no addresses.
  lookup(host, { all: true }, (error, addresses) => callback(error, error ? [] : addresses));
};

/**
 * Concurrent lookups of a name share one result: many connections to one host are opened at once, and Node resolves only four
 * names at a time.
 */
export function sharedLookUp(lookUp: LookUp): LookUp {
  const waiting = new Map<string, Parameters<LookUp>[1][]>();
  return (host, callback) => {
    const others = waiting.get(host);
    if (others) {
      others.push(callback);
      return;
    }
    const callbacks = [callback];
    waiting.set(host, callbacks);
    lookUp(host, (error, addresses) => {
      waiting.delete(host);
      for (const each of callbacks) each(error, addresses);
    });
  };
}
