import { isIP } from 'node:net';
import { parseUrl } from '../parse-url.js';
import type { AddressPolicy, AddressProblem } from './address-policy.js';
import { isBlockedPort } from './blocked-ports.js';
import type { LookUp } from './look-up.js';

type CallbackProblem = AddressProblem | 'not_a_url' | 'too_long' | 'has_credentials' | 'has_fragment';

/** Messages for the person who configures the URL. They never disclose what a name resolved to. */
const MESSAGES: Readonly<Record<CallbackProblem, string>> = {
  not_a_url: 'must be an absolute URL, without spaces, control characters and backslashes',
  too_long: 'must be at most 2048 characters long',
  not_https: 'must begin with https://',
  has_credentials: 'must not contain a user name or password',
  has_fragment: 'must not contain a fragment (#…), which is never sent',
  not_public: 'must name a host on the public internet',
  port_blocked: 'must not name a port of another protocol, such as SSH, SMTP or a database',
};

export interface CallbackRefusal {
  problem: CallbackProblem;
  message: string;
}

const LENGTH_MAX = 2048;

const refusal = (problem: CallbackProblem): CallbackRefusal => ({ problem, message: MESSAGES[problem] });

/** The host without the brackets of IPv6. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** Names that resolve locally: by the hosts file, multicast DNS, a search domain or a company's DNS. */
const isHomeName = (host: string): boolean =>
  !host.includes('.') || host.endsWith('.') || /\.(?:localhost|local|internal)$/.test(host);

/**
 * Checks a callback URL at configuration without DNS: `lookUpCallbackHost` resolves it, and the sender resolves it again at
 * every connection. A name over plain http, one that looks private, or one with a blocked port is allowed here if the
 * operator opened any network, because only DNS can say whether it resolves into it.
 */
export function judgeCallbackUrl(text: string, policy: AddressPolicy): { url: URL } | CallbackRefusal {
  if (text.length > LENGTH_MAX) return refusal('too_long');
  // The URL parser silently drops or repairs these characters, and other parsers may read the text differently.
  const url = /[\s\p{Cc}\p{Cs}\\]/u.test(text) ? null : parseUrl(text);
  if (url === null) return refusal('not_a_url');
  if (url.href.length > LENGTH_MAX) return refusal('too_long');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refusal('not_https');
  if (url.username !== '' || url.password !== '') return refusal('has_credentials');
  if (url.href.includes('#')) return refusal('has_fragment');
  const problem = problemWithHost(url, policy);
  return problem === null ? { url } : refusal(problem);
}

function problemWithHost(url: URL, policy: AddressPolicy): AddressProblem | null {
  const host = hostOf(url);
  if (isIP(host) !== 0) return policy.problemWith([host], url.protocol, url.port);
  if (policy.opensNetworks) return null;
  if (isHomeName(host)) return 'not_public';
  if (url.protocol !== 'https:') return 'not_https';
  return isBlockedPort(url.port) ? 'port_blocked' : null;
}

/**
 * Resolves the host and checks all its addresses. A name that does not resolve now is accepted: it may exist later, and is
 * checked again before anything is sent to it.
 */
export async function lookUpCallbackHost(
  url: URL,
  policy: AddressPolicy,
  lookUp: LookUp,
  caller: string,
): Promise<CallbackRefusal | null> {
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await addressesOf(host, lookUp, caller) : [host];
  const problem = policy.problemWith(addresses, url.protocol, url.port);
  return problem && refusal(problem);
}

const addressesOf = (host: string, lookUp: LookUp, caller: string): Promise<string[]> =>
  new Promise((resolve) => {
    lookUp(host, (error, found) => resolve(error ? [] : found.map(({ address }) => address)), caller);
  });
