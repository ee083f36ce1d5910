import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isBlockedPort } from './blocked-ports.js';

/** Which addresses may be called, and which of them without TLS. */
export interface AddressPolicy {
  /** Null if all addresses may be called over this protocol (`https:` or `http:`), at this port unless it is the usual one. */
  problemWith(addresses: readonly string[], protocol: string, port?: string): AddressProblem | null;
  /** True if the operator opened any network: names that look private may then resolve into it. */
  readonly opensNetworks: boolean;
}

export type AddressProblem = 'not_public' | 'not_https' | 'port_blocked';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = [Address, number];

/** IANA's special-purpose address registry (RFC 6890), and metadata addresses of cloud providers. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers; holds the metadata service of Alibaba
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // the host agent of Azure, on an otherwise public address
  '169.254.0.0/16', // link-local; holds the metadata service of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
].map(blockOf);

/** Everything else (mapped, compatible and translated IPv4, local, multicast) is not public in IPv6. */
const GLOBAL_IPV6 = blockOf('2000::/3');

const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address in disguise
  '3fff::/20', // documentation
].map(blockOf);

/**
 * Returns null for ambiguous texts: zone ids, and notations that ipaddr.js reads differently than others (`010.0.0.1`,
 * `::192.0.2.7`).
 */
function addressOf(text: string): Address | null {
  if (isIP(text) === 0 || text.includes('%') || /^::\d+\./.test(text)) return null;
  return ipaddr.parse(text);
}

function blockOf(text: string): Block {
  const [network = '', bitsText, ...rest] = text.split('/');
  const address = addressOf(network);
  const bitsMax = address?.kind() === 'ipv4' ? 32 : 128;
  const bits = bitsText === undefined ? bitsMax : /^\d{1,3}$/.test(bitsText) ? Number(bitsText) : Infinity;
  if (address === null || bits > bitsMax || rest.length > 0)
    throw new Error(`not an address or a CIDR block: ${text}`);
  const plain = ipv4Within(address);
  return plain && bits >= 96 ? [plain, bits - 96] : [address, bits];
}

function ipv4Within(address: Address): ipaddr.IPv4 | null {
  const mapped = address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress();
  return mapped ? (address as ipaddr.IPv6).toIPv4Address() : null;
}

const lies = (address: Address, [network, bits]: Block): boolean =>
  network.kind() === address.kind() && address.match(network as ipaddr.IPv4, bits);

function isPublic(address: Address): boolean {
  if (address.kind() === 'ipv4') return !SPECIAL_IPV4.some((block) => lies(address, block));
  return lies(address, GLOBAL_IPV6) && !SPECIAL_IPV6.some((block) => lies(address, block));
}

/** Worst first. */
const PROBLEMS: readonly AddressProblem[] = ['not_public', 'not_https', 'port_blocked'];

/**
 * Allows public addresses over TLS, except at ports of other protocols, and the networks that the operator opened, private
 * or not, also without TLS and at any port. Throws if a network is neither an address nor a CIDR block.
 */
export function addressPolicy(openNetworks: readonly string[]): AddressPolicy {
  const open = openNetworks.map(blockOf);
  const problemWithOne = (text: string, protocol: string, port: string): AddressProblem | null => {
    const address = addressOf(text);
    if (address === null) return 'not_public';
    const plain = ipv4Within(address) ?? address;
    if (open.some((block) => lies(plain, block))) return null;
    if (!isPublic(address)) return 'not_public';
    if (protocol !== 'https:') return 'not_https';
    return isBlockedPort(port) ? 'port_blocked' : null;
  };
  return {
    opensNetworks: open.length > 0,
    problemWith(addresses, protocol, port = '') {
      const problems = addresses.map((address) => problemWithOne(address, protocol, port));
      return PROBLEMS.find((problem) => problems.includes(problem)) ?? null;
    },
  };
}
