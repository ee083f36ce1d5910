import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseUrl } from '../parse-url.js';
import { addressPolicy } from './address-policy.js';
import { judgeCallbackUrl, lookUpCallbackHost } from './callback-url.js';
import { type Loopback, lookUpIn, onLoopback, pushTo, senderToLoopback } from './loopback.fixture.js';
import type { Sender } from './sender.js';

const privateIpv4 = [
  ...['127.0.0.1', '127.1.2.3', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255'],
  ...['172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.255.254', '169.254.0.1', '169.254.169.254'],
  ...['100.64.0.1', '100.100.100.200', '100.127.255.254', '168.63.129.16', '192.0.0.1', '192.0.0.192'],
  ...['192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.254', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
];
const privateIpv6 = [
  ...[
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '0000:0000::0001',
    'fe80::1',
    'FE80::1',
    'febf::1',
    'fec0::1',
    'fc00::1',
  ],
  ...['fd00:ec2::254', 'FD20:CE::254', 'ff02::1', '100::1', '2001:db8::1', '2001:0DB8::1', '3fff::1'],
  ...['2001:2::1', '2001:10::1', '2001:20::1', '2001::1', '2002::1', '64:ff9b:1::1', '5f00::1', '4000::1'],
];

const wide = (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const hex = (number: number) => number.toString(16);

/** The ways to write one IPv4 address that some parser between us and the network takes for it. */
function spellingsOf(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)];
  const inverted = `${hex(0xffff - (a * 256 + b))}:${hex(0xffff - (c * 256 + d))}`;
  return [
    address,
    `${address}.`,
    String(number),
    `0x${hex(number)}`,
    `0X${hex(number).toUpperCase()}`,
    `0${number.toString(8)}`,
    `0x${hex(a)}.0x${hex(b)}.0x${hex(c)}.0x${hex(d)}`,
    [a, b, c, d].map((part) => `0${part.toString(8)}`).join('.'),
    [a, b, c, d].map((part) => `000${part.toString(8)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0x${hex(a)}.0${b.toString(8)}.${c * 256 + d}`,
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    wide(address),
    address.replaceAll('.', '%2e'),
    [...address].map((letter) => `%${hex(letter.charCodeAt(0))}`).join(''),
    `[::ffff:${address}]`,
    `[::FFFF:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::ffff:0:${address}]`,
    `[::${address}]`,
    `[::${high}:${low}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:4136:e378:8000:63bf:${inverted}]`,
    `[::ffff:${address}%25lo]`,
    `example.com@${address}`,
    `example.com:443@${address}`,
    `example.com%2f@${address}`,
    `example.com%23@${address}`,
  ];
}

const homeNames = [
  ...['localhost', 'LOCALHOST', 'LocalHost.', 'a.localhost', 'localhost.', 'printer.local', 'intranet'],
  ...['metadata.google.internal', 'METADATA.GOOGLE.INTERNAL.', 'ⓛocalhost', 'local%68ost', 'loc\u00adalhost'],
];

/** Hosts as they stand between `://` and the port. */
const literalHosts = [
  ...privateIpv4.flatMap(spellingsOf),
  ...privateIpv6.map((address) => `[${address}]`),
  ...['[fe80::1%25lo]', '[fe80::1%lo]', '[::1%25lo]'],
];

/** Names anybody can own, with what the DNS of their owner says: alone, after a public address, before one. */
const evilNames: Record<string, string[]> = Object.fromEntries(
  [...privateIpv4, ...privateIpv6].flatMap((address, at) => [
    [`alone${at}.example`, [address]],
    [`after${at}.example`, ['8.8.8.8', address]],
    [`before${at}.example`, [address, '2606:4700:4700::1111']],
  ]),
);

describe('no callback URL reaches what is not public', () => {
  const policy = addressPolicy([]);
  const lookUp = lookUpIn(evilNames);
  let sentinel: Loopback;
  let sender: Sender;

  beforeAll(async () => {
    const hasIpv6 = networkInterfaces().lo?.some(({ family }) => family === 'IPv6') ?? true;
    // On every address of this machine, so that whichever way leads here is counted.
    sentinel = await onLoopback(createServer(), hasIpv6 ? '::' : '0.0.0.0');
    sender = senderToLoopback({ policy, lookUp });
  });
  afterAll(async () => {
    await sender.close();
    await sentinel.close();
  });

  const urlsOf = (hosts: readonly string[]) =>
    hosts.flatMap((host) => [
      `https://${host}:${sentinel.port}/hook`,
      `http://${host}:${sentinel.port}/hook`,
    ]);

  /** Past the judge: as if the URL had been stored long ago, or by hand. */
  const sendAll = async (urls: readonly string[]) => {
    for (const url of urls) {
      const attempt = await sender.send(pushTo(url));
      expect([url, attempt.delivered, attempt.error]).toEqual([
        url,
        false,
        parseUrl(url) ? 'address_not_public' : 'invalid_request',
      ]);
    }
    expect(sentinel.connections).toBe(0);
  };

  it('addresses in every spelling, and names that mean this machine', async () => {
    const urls = urlsOf([...literalHosts, ...homeNames]);
    for (const url of urls) expect('problem' in judgeCallbackUrl(url, policy), url).toBe(true);
    await sendAll(urls);
    expect(urls.length).toBeGreaterThan(400);
    console.log(`hostile callback URLs tried: ${urls.length} spellings`);
  });

  it('names that resolve to private addresses, alone or among public ones', async () => {
    const urls = urlsOf(Object.keys(evilNames));
    for (const url of urls)
      expect((await lookUpCallbackHost(new URL(url), policy, lookUp, 'org'))?.problem, url).toBe(
        'not_public',
      );
    await sendAll(urls);
    console.log(`hostile callback URLs tried: ${urls.length} names`);
  });

  it('names that resolve to a public address when judged and to this machine when connected to', async () => {
    const hosts = privateIpv4.map((_, at) => `rebinding${at}.example`);
    const asked = new Map<string, number>();
    const rebinding: typeof lookUp = (host, callback, caller) => {
      const times = asked.get(host) ?? 0;
      asked.set(host, times + 1);
      lookUpIn({ [host]: times === 0 ? ['8.8.8.8'] : ['127.0.0.1'] })(host, callback, caller);
    };
    const trusting = senderToLoopback({ policy, lookUp: rebinding });
    for (const host of hosts) {
      const url = `https://${host}:${sentinel.port}/hook`;
      expect(judgeCallbackUrl(url, policy)).toHaveProperty('url');
      expect(await lookUpCallbackHost(new URL(url), policy, rebinding, 'org')).toBeNull();
      expect(await trusting.send(pushTo(url))).toMatchObject({
        delivered: false,
        error: 'address_not_public',
      });
    }
    await trusting.close();
    expect(sentinel.connections).toBe(0);
  });

  it('texts that other parsers would read as another host', async () => {
    const { port } = sentinel;
    const urls = [
      `https://example.com\\@127.0.0.1:${port}/`,
      `https://127.0.0.1:${port}\\@example.com/`,
      `https:/127.0.0.1:${port}/`,
      `https:127.0.0.1:${port}/`,
      `https:///127.0.0.1:${port}/`,
      `\thttps://127.0.0.1:${port}/`,
      `https://127.0.\n0.1:${port}/`,
      `https://user:pass@127.0.0.1:${port}/`,
      `https://127.0.0.1:${port}#@example.com/`,
      `https://127.0.0.1:${port}?@example.com/`,
      `hTTps://127.0.0.1:${port}/`,
      `https://[::ffff:127.0.0.1]:${port}/`,
      `https://①②⑦.⓪.⓪.①:${port}/`,
    ];
    for (const url of urls) expect('problem' in judgeCallbackUrl(url, policy), url).toBe(true);
    await sendAll(urls);
  });

  it('other protocols are not spoken', async () => {
    for (const protocol of ['ftp', 'file', 'gopher', 'ws', 'wss', 'data', 'unix'])
      expect(await sender.send(pushTo(`${protocol}://127.0.0.1:${sentinel.port}/`))).toMatchObject({
        delivered: false,
        error: 'invalid_request',
      });
    expect(sentinel.connections).toBe(0);
  });

  it.each([300, 301, 302, 303, 304, 307, 308])(
    'a redirect (%i) is a failure and is not followed',
    async (status) => {
      const receiver = await onLoopback(
        createHttpServer((_, response) => {
          response.writeHead(status, { location: `http://127.0.0.1:${sentinel.port}/` }).end();
        }),
      );
      const allowed = senderToLoopback();
      expect(await allowed.send(pushTo(receiver.url()))).toMatchObject({
        delivered: false,
        status,
        error: 'redirect',
      });
      expect(receiver.connections).toBe(1);
      expect(sentinel.connections).toBe(0);
      await allowed.close();
      await receiver.close();
    },
  );

  it('plain http is refused outside the opened networks, also if the name resolves to others as well', async () => {
    const open = senderToLoopback({ lookUp: lookUpIn({ 'mixed.example': ['127.0.0.1', '8.8.8.8'] }) });
    for (const host of ['8.8.8.8', '[2606:4700:4700::1111]', 'mixed.example'])
      expect(await open.send(pushTo(`http://${host}:${sentinel.port}/`))).toMatchObject({
        delivered: false,
        error: 'not_https',
      });
    await open.close();
    expect(sentinel.connections).toBe(0);
  });

  it('a connection that arrived elsewhere than dialled carries not a byte', async () => {
    let bytes = 0;
    const listener = createServer((socket) => socket.on('data', (chunk) => (bytes += chunk.length)));
    const receiver = await onLoopback(listener, '0.0.0.0');
    // The kernel takes 0.0.0.0 for loopback, which is not open here.
    const strict = senderToLoopback({ policy: addressPolicy(['0.0.0.0']) });
    for (const protocol of ['http', 'https'])
      expect(await strict.send(pushTo(`${protocol}://0.0.0.0:${receiver.port}/`))).toMatchObject({
        delivered: false,
        error: 'address_not_public',
      });
    await strict.close();
    await receiver.close();
    expect(bytes).toBe(0);
  });
});
