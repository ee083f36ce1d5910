import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Block = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** An address or CIDR block; IPv4-mapped ones become IPv4. Null for any other text. */
function parseBlock(text: string): Block | null {
  try {
    if (text.includes('/')) {
      const [address, bits] = ipaddr.parseCIDR(text);
      const mapped = address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress();
      return mapped && bits >= 96 ? [ipaddr.process(address.toString()), bits - 96] : [address, bits];
    }
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    return null;
  }
}

/**
 * Strict, because parsers disagree: ipaddr.js takes `10` and `0x7f.1` for addresses, `010.0.0.1` for 8.0.0.1, and the
 * IPv6 address `::192.0.2.7` for an IPv4 one.
 */
const isAddress = (text: string): boolean => isIP(text) !== 0 && !/^::\d+\./.test(text);

export function isAddressOrBlock(text: string): boolean {
  const [address = ''] = text.split('/');
  return isAddress(address) && !address.includes('%') && parseBlock(text) !== null;
}

/** Returns a test of whether an address is in one of the blocks. An empty list allows every address. */
export function compileAllowList(texts: readonly string[]): (address: string) => boolean {
  if (texts.length === 0) return () => true;
  const blocks = texts.map(parseBlock).filter((block) => block !== null);
  return (address) => {
    if (!isAddress(address)) return false;
    const own = ipaddr.process(address);
    return blocks.some(
      ([network, bits]) => network.kind() === own.kind() && own.match(network as ipaddr.IPv4, bits),
    );
  };
}

/** The unit by which failures are counted: a whole /64 in IPv6, where one host has many addresses. */
export function addressGroup(address: string): string {
  if (!isAddress(address)) return address;
  const own = ipaddr.process(address);
  return own.kind() === 'ipv4' ? own.toString() : (own as ipaddr.IPv6).parts.slice(0, 4).join(':');
}
