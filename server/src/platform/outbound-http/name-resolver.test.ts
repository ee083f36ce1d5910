import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NameResolver, type NameResolverOptions, openNameResolver } from './name-resolver.js';
import { type NameServer, openNameServer } from './name-server.fixture.js';

let server: NameServer;
let resolver: NameResolver;
let nowMs: number;
const open = (options: NameResolverOptions = {}) => {
  resolver = openNameResolver({ servers: [server.address], now: () => nowMs, ...options });
};
beforeEach(async () => {
  nowMs = 0;
  server = await openNameServer({ 'erp.example': ['8.8.8.8', '2606:4700:4700::1111'] });
  open();
});
afterEach(async () => {
  resolver.close();
  await server.close();
});

const lookUp = (host: string, caller = 'org'): Promise<string[] | string> =>
  new Promise((resolve) => {
    resolver.lookUp(
      host,
      (error, found) =>
        resolve(error ? String((error as NodeJS.ErrnoException).code) : found.map(({ address }) => address)),
      caller,
    );
  });

describe('a name is resolved', () => {
  it('to its addresses of both families', async () => {
    expect(await lookUp('erp.example')).toEqual(['8.8.8.8', '2606:4700:4700::1111']);
    expect(await lookUp('ERP.example')).toEqual(['8.8.8.8', '2606:4700:4700::1111']);
  });

  it('to those of one family if there are no others', async () => {
    server.zone = { 'four.example': ['8.8.8.8'], 'six.example': ['2606:4700:4700::1111'] };
    expect(await lookUp('four.example')).toEqual(['8.8.8.8']);
    expect(await lookUp('six.example')).toEqual(['2606:4700:4700::1111']);
  });

  it('to those of one family if the name server is silent about the other', async () => {
    server.silentFor = (_, type) => type === 'AAAA';
    expect(await lookUp('erp.example')).toEqual(['8.8.8.8']);
  });

  it('as it stands: no search domain is added', async () => {
    expect(await lookUp('erp')).toBe('ENOTFOUND');
    expect([...new Set(server.asked)].sort()).toEqual(['A erp', 'AAAA erp']);
  });

  it('by the hosts file before all others, which is read again when it has changed', async () => {
    const hostsFile = join(mkdtempSync(join(tmpdir(), 'hosts-')), 'hosts');
    writeFileSync(
      hostsFile,
      '# receivers\n10.1.2.3 erp.example ERP2.example # ours\nfd00::1\terp.example\nnot a line\n',
    );
    open({ hostsFile });
    expect(await lookUp('erp.example')).toEqual(['10.1.2.3', 'fd00::1']);
    expect(await lookUp('erp2.example')).toEqual(['10.1.2.3']);
    writeFileSync(hostsFile, '10.1.2.4 erp.example\n');
    nowMs += 5000;
    expect(await lookUp('erp.example')).toEqual(['10.1.2.4']);
    expect(server.asked).toEqual([]);
  });

  it('never beyond this machine if it is a name of localhost', async () => {
    open({ hostsFile: '/nowhere' });
    expect(await lookUp('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await lookUp('erp.localhost')).toEqual(['127.0.0.1', '::1']);
    expect(server.asked).toEqual([]);
  });

  it('not at all if it does not exist', async () => {
    expect(await lookUp('nowhere.example')).toBe('ENOTFOUND');
    expect(await lookUp(`${'a'.repeat(64)}.example`)).toBe('EAI_AGAIN');
  });
});

describe('an answer is kept', () => {
  it('for as long as the name server says, and not longer', async () => {
    server.ttlSeconds = 30;
    await lookUp('erp.example');
    server.zone = { 'erp.example': ['9.9.9.9'] };
    nowMs = 29_999;
    expect(await lookUp('erp.example', 'another')).toEqual(['8.8.8.8', '2606:4700:4700::1111']);
    nowMs = 30_000;
    expect(await lookUp('erp.example')).toEqual(['9.9.9.9']);
  });

  it('for five minutes at most', async () => {
    server.ttlSeconds = 86_400;
    await lookUp('erp.example');
    nowMs = 300_000;
    await lookUp('erp.example');
    expect(server.asked).toHaveLength(4);
  });

  it('not at all if the name server says so, but shared by look-ups of a caller at once', async () => {
    server.ttlSeconds = 0;
    await Promise.all([lookUp('erp.example'), lookUp('erp.example'), lookUp('erp.example')]);
    expect(server.asked).toHaveLength(2);
    await lookUp('erp.example');
    expect(server.asked).toHaveLength(4);
  });

  it('for ten seconds if there is none', async () => {
    await lookUp('later.example');
    server.zone = { 'later.example': ['8.8.8.8'] };
    nowMs = 9_999;
    expect(await lookUp('later.example')).toBe('ENOTFOUND');
    nowMs = 10_000;
    expect(await lookUp('later.example')).toEqual(['8.8.8.8']);
  });
});

describe('a name server that never answers', () => {
  const isSilent = (name: string) => name.startsWith('silent');
  const silent = (caller: string, count: number) =>
    Array.from({ length: count }, (_, n) => lookUp(`silent${n}.example`, caller));

  beforeEach(() => {
    server.silentFor = isSilent;
  });

  it('ends in a time-out, and for some seconds the name is not asked for again', async () => {
    open({ timeoutMs: 50 });
    expect(await lookUp('silent.example')).toBe('ETIMEOUT');
    const asked = server.asked.length;
    expect(await lookUp('silent.example', 'another')).toBe('ETIMEOUT');
    expect(server.asked).toHaveLength(asked);
  });

  it('delays nobody but its caller, who has ten names looked up at once', async () => {
    const waiting = silent('noisy', 40);
    expect(await lookUp('erp.example', 'neighbour')).toEqual(['8.8.8.8', '2606:4700:4700::1111']);
    const names = new Set(
      server.asked.filter((each) => each.includes('silent')).map((each) => each.split(' ')[1]),
    );
    expect(names.size).toBe(10);
    resolver.close();
    await Promise.race(waiting);
  });

  it('spoils no name that only waited for its turn', async () => {
    open({ timeoutMs: 100 });
    const waiting = silent('noisy', 10);
    const unlucky = lookUp('erp.example', 'noisy');
    expect(await lookUp('erp.example', 'neighbour')).toEqual(['8.8.8.8', '2606:4700:4700::1111']);
    expect(await unlucky).toBe('ETIMEOUT');
    await Promise.all(waiting);
    expect(await lookUp('erp.example', 'third')).toEqual(['8.8.8.8', '2606:4700:4700::1111']);
  });

  it('lets a caller have no more than a thousand names waiting', async () => {
    const all = silent('noisy', 1_011);
    expect(await all[1_010]).toBe('ETIMEOUT');
  });
});
