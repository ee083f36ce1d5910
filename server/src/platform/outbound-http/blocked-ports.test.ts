import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock/index.js';
import { addressPolicy } from './address-policy.js';
import { judgeCallbackUrl, lookUpCallbackHost } from './callback-url.js';
import { lookUpIn, onLoopback, pushTo } from './loopback.fixture.js';
import { openSender } from './sender.js';

const closed = addressPolicy([]);
/** The operator allowed this network. */
const open = addressPolicy(['10.1.0.0/16', '127.0.0.0/8']);
const PORTS = [
  21, 22, 23, 25, 53, 110, 143, 389, 445, 465, 587, 636, 993, 1433, 3306, 3389, 5432, 6379, 6667, 11211,
  27017,
];
const WEB_PORTS = [80, 443, 3000, 4443, 5000, 8000, 8080, 8443, 9443, 10443, 44300];

const judge = (url: string, policy = closed) => {
  const judged = judgeCallbackUrl(url, policy);
  return 'url' in judged ? null : judged.problem;
};
const lookUp = async (url: string, policy = closed, table = {}) =>
  (await lookUpCallbackHost(new URL(url), policy, lookUpIn(table), 'org'))?.problem ?? null;

describe('a callback URL with the port of another protocol', () => {
  it.each(PORTS)('is refused: %i', (port) => {
    for (const host of ['partner.example', '8.8.8.8', '[2606:4700::1111]'])
      expect(judge(`https://${host}:${port}/`), host).toBe('port_blocked');
  });

  it.each(WEB_PORTS)('is accepted if it is one of the web: %i', (port) => {
    for (const host of ['partner.example', '8.8.8.8']) expect(judge(`https://${host}:${port}/`)).toBeNull();
  });

  it('is refused however the port is written', () => {
    for (const port of ['0022', '00000000000022'])
      expect(judge(`https://partner.example:${port}/`)).toBe('port_blocked');
  });

  it('is accepted inside a network that the operator allowed, and only there', async () => {
    expect(judge('http://10.1.2.3:6379/', open)).toBeNull();
    expect(judge('https://8.8.8.8:6379/', open)).toBe('port_blocked');
    // Only the look-up of a name shows where it leads.
    const url = 'https://partner.example:6379/';
    expect(judge(url, open)).toBeNull();
    expect(await lookUp(url, open, { 'partner.example': ['10.1.2.3'] })).toBeNull();
    expect(await lookUp(url, open, { 'partner.example': ['8.8.8.8'] })).toBe('port_blocked');
    expect(await lookUp(url, open, { 'partner.example': ['10.1.2.3', '8.8.8.8'] })).toBe('port_blocked');
  });
});

describe('a push to such a port', () => {
  it('is not sent, even if the URL was accepted before or its name leads elsewhere now', async () => {
    const lookUpNames = lookUpIn({ 'partner.example': ['8.8.8.8'] });
    for (const policy of [closed, open]) {
      const sender = openSender({ policy, timeoutMs: 2_000, clock: systemClock, lookUp: lookUpNames });
      for (const url of ['https://8.8.8.8:25/', 'https://partner.example:5432/'])
        expect(await sender.send(pushTo(url)), url).toMatchObject({
          delivered: false,
          error: 'port_blocked',
        });
      await sender.close();
    }
  });

  it('is sent inside a network that the operator allowed', async () => {
    const server = await onLoopback(createServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n')));
    const sender = openSender({ policy: open, timeoutMs: 2_000, clock: systemClock, lookUp: lookUpIn({}) });
    expect(await sender.send(pushTo(server.url()))).toMatchObject({ delivered: true });
    // Port 1 is blocked, and nothing listens there: the attempt gets as far as the connection.
    expect(await sender.send(pushTo('http://127.0.0.1:1/'))).toMatchObject({ error: 'connection_refused' });
    await sender.close();
    await server.close();
  });
});
