import { describe, expect, it } from 'vitest';
import { addressGroup, compileAllowList, isAddressOrBlock } from './allow-list.js';

describe('an allow-list takes', () => {
  it.each([
    '192.0.2.7',
    '0.0.0.0/0',
    '192.0.2.0/24',
    '192.0.2.7/32',
    '2001:db8::1',
    '2001:DB8::/32',
    '::1',
    '::/0',
    '::ffff:192.0.2.7',
    '::ffff:192.0.2.0/120',
    'fe80::1',
  ])('%s', (text) => {
    expect(isAddressOrBlock(text)).toBe(true);
  });

  it.each([
    '',
    '*',
    'localhost',
    'example.com',
    '10',
    '10.1',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.1.1',
    '0x7f.0.0.1',
    // Some read this as 8.0.0.1, others as 10.0.0.1.
    '010.0.0.1',
    '010.0.0.0/8',
    '::ffff:010.0.0.1',
    // Long ago another way to write an IPv4 address, now an IPv6 one.
    '::192.0.2.7',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '10.0.0.1-10.0.0.9',
    ' 10.0.0.1',
    '10.0.0.1 ',
    '10.0.0.1:443',
    '[::1]',
    '2001:db8::/129',
    '2001:db8::1::2',
    '2001:db8',
    ':::',
    'fe80::1%eth0',
    'fe80::%eth0/64',
  ])('not "%s"', (text) => {
    expect(isAddressOrBlock(text)).toBe(false);
  });
});

describe('a caller is let in', () => {
  const cases: [list: string[], address: string, letIn: boolean][] = [
    [[], '198.51.100.9', true],
    [[], 'garbage', true],
    [['192.0.2.7'], '192.0.2.7', true],
    [['192.0.2.7'], '192.0.2.8', false],
    [['192.0.2.7'], '::ffff:192.0.2.7', true],
    [['192.0.2.7'], '::ffff:c000:207', true],
    [['192.0.2.7'], '::192.0.2.7', false],
    [['::ffff:192.0.2.7'], '192.0.2.7', true],
    [['::ffff:192.0.2.0/120'], '192.0.2.200', true],
    [['::ffff:192.0.2.0/120'], '192.0.3.1', false],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
    [['10.20.30.40/8'], '10.0.0.1', true],
    [['192.0.2.128/25'], '192.0.2.127', false],
    [['192.0.2.128/25'], '192.0.2.128', true],
    [['0.0.0.0/0'], '203.0.113.7', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['::/0'], '2001:db8::1', true],
    [['::/0'], '203.0.113.7', false],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['2001:db8::1'], '2001:0DB8:0:0::1', true],
    [['2001:db8::1'], '2001:db8::1%eth0', true],
    [['192.0.2.7', '2001:db8::/32', '10.0.0.0/8'], '10.1.2.3', true],
    [['192.0.2.7', '2001:db8::/32', '10.0.0.0/8'], '192.0.2.6', false],
  ];
  it.each(cases)('list %j, caller %s: %s', (list, address, letIn) => {
    expect(compileAllowList(list)(address)).toBe(letIn);
  });

  it.each([
    '',
    'garbage',
    'unknown',
    '10',
    '10.0.0',
    '012.0.0.1',
    '0xa.0.0.1',
    '10.0.0.1, 10.0.0.2',
    '10.0.0.1:80',
  ])('never as "%s" when there is a list', (address) => {
    expect(compileAllowList(['0.0.0.0/0', '::/0'])(address)).toBe(false);
  });

  it('by nobody when nothing on the list can be read', () => {
    expect(compileAllowList(['garbage'])('10.0.0.1')).toBe(false);
  });
});

describe('failures are counted together', () => {
  it('for one IPv4 address, however it is written', () => {
    expect(addressGroup('::ffff:192.0.2.7')).toBe(addressGroup('192.0.2.7'));
    expect(addressGroup('192.0.2.8')).not.toBe(addressGroup('192.0.2.7'));
  });

  it('for one IPv6 network of 64 bits', () => {
    const home = addressGroup('2001:db8:1:2::1');
    expect(addressGroup('2001:0db8:0001:0002:ffff:ffff:ffff:ffff')).toBe(home);
    expect(addressGroup('2001:db8:1:2:8000::')).toBe(home);
    expect(addressGroup('2001:db8:1:3::1')).not.toBe(home);
    expect(addressGroup('2001:db8:12::1')).not.toBe(addressGroup('2001:db8:1:2::1'));
  });

  it('and nothing is taken for another address than it is', () => {
    expect(addressGroup('0300.0.2.7')).not.toBe(addressGroup('192.0.2.7'));
    expect(addressGroup('garbage')).toBe('garbage');
  });
});
