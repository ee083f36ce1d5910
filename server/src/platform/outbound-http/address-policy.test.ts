import { describe, expect, it } from 'vitest';
import { addressPolicy } from './address-policy.js';

/** The first and last address of each special block, and what is not to be confused with a public address. */
const notPublic = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
  ...['100.100.100.200', '127.0.0.0', '127.255.255.255', '168.63.129.16', '169.254.0.0', '169.254.169.254'],
  ...['169.254.255.255', '172.16.0.0', '172.31.255.255', '192.0.0.0', '192.0.0.255', '192.0.2.0'],
  ...['192.0.2.255', '192.88.99.0', '192.88.99.255', '192.168.0.0', '192.168.255.255', '198.18.0.0'],
  ...['198.19.255.255', '198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255', '224.0.0.0'],
  ...['239.255.255.255', '240.0.0.0', '255.255.255.255'],
  ...['::', '::1', '::7f00:1', '::8.8.8.8', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:808:808'],
  ...['::ffff:0:8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b::7f00:1', '64:ff9b:1::1', '64:ff9b:1:ffff::1'],
  ...['100::1', '100:0:0:1::1', '1fff:ffff::1', '2001::1', '2001:0:4136:e378::1', '2001:1::1', '2001:2::1'],
  ...['2001:10::1', '2001:1f:ffff::1', '2001:20::1', '2001:2f:ffff::1', '2001:1ff:ffff::1', '2001:db8::1'],
  ...['2001:db8:ffff::1', '2002::1', '2002:7f00:1::1', '2002:ffff::1', '3fff::1', '3fff:fff:ffff::1'],
  ...[
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'ff02::1',
    'ffff::1',
  ],
  ...[
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    '',
    'localhost',
    '1.1.1',
    '0x1.1.1.1',
    '010.8.8.8',
    '134744072',
  ],
];

const publicOnes = [
  ...['1.0.0.0', '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0'],
  ...['172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0', '192.88.98.255'],
  ...['192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255'],
  ...['198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
  ...['2000::1', '2001:200::1', '2001:4860:4860::8888', '2001:db7:ffff::1', '2001:db9::1', '2001:ffff::1'],
  ...['2003::1', '2400:cb00::1', '2606:4700:4700::1111', '2A00:1450:4001::1', '3ffe:ffff::1', '3fff:1000::1'],
];

describe('which addresses may be called', () => {
  const policy = addressPolicy([]);

  it.each(notPublic)('%s may not', (address) => {
    expect(policy.problemWith([address], 'https:')).toBe('not_public');
    expect(policy.problemWith([address], 'http:')).toBe('not_public');
  });

  it.each(publicOnes)('%s may, over TLS alone', (address) => {
    expect(policy.problemWith([address], 'https:')).toBeNull();
    expect(policy.problemWith([address], 'http:')).toBe('not_https');
  });

  it('a network the operator opened may be called, also over plain http and as an IPv4-mapped address', () => {
    const open = addressPolicy(['10.1.0.0/16', '127.0.0.1', 'fd00::/8', '::ffff:192.168.7.0/120']);
    expect(open.opensNetworks).toBe(true);
    for (const address of [
      '10.1.0.0',
      '10.1.255.255',
      '127.0.0.1',
      '::ffff:10.1.2.3',
      'fd12::1',
      '192.168.7.9',
    ]) {
      expect(open.problemWith([address], 'http:'), address).toBeNull();
      expect(open.problemWith([address], 'https:'), address).toBeNull();
    }
    for (const address of [
      '10.0.255.255',
      '10.2.0.0',
      '127.0.0.2',
      '::ffff:10.2.0.1',
      '::1',
      '::10.1.2.3',
      'fc00::1',
    ])
      expect(open.problemWith([address], 'https:'), address).toBe('not_public');
    expect(open.problemWith(['192.168.8.1'], 'https:')).toBe('not_public');
    expect(open.problemWith(['8.8.8.8'], 'http:')).toBe('not_https');
  });

  it.each([
    '',
    'localhost',
    '10',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::/129',
    'fe80::%a/64',
  ])('a network written as "%s" is refused rather than misread', (text) => {
    expect(() => addressPolicy([text])).toThrow('not an address or a CIDR block');
  });
});
