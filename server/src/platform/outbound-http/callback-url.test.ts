import { describe, expect, it } from 'vitest';
import { addressPolicy } from './address-policy.js';
import { judgeCallbackUrl, lookUpCallbackHost } from './callback-url.js';
import { lookUpIn } from './loopback.fixture.js';

const closed = addressPolicy([]);
const open = addressPolicy(['127.0.0.0/8', '::1', '10.0.0.0/8']);

const problemOf = (text: string, policy = closed) => {
  const judged = judgeCallbackUrl(text, policy);
  return 'url' in judged ? null : judged.problem;
};

describe('a callback URL as it is configured', () => {
  it('is judged the same however often one was judged before', () => {
    for (let i = 0; i < 20_000; i++)
      if (!('url' in judgeCallbackUrl('https://bücher.example/hook', closed))) expect.fail(`refused at ${i}`);
  });

  it.each([
    'https://example.com',
    'https://example.com/hook?a=b&c=%2F',
    'HTTPS://EXAMPLE.COM:8443/Hook',
    'https://bücher.example/hook',
    'https://a.b.c.example.co.uk/',
    'https://localhost.example.com/',
    'https://internal.example.com/',
    'https://1.1.1.1/',
    'https://8.8.8.8:8443/x',
    'https://134744072/', // 8.8.8.8
    'https://[2606:4700:4700::1111]/',
    `https://example.com/${'a'.repeat(2028)}`,
  ])('%s is accepted', (text) => {
    expect(judgeCallbackUrl(text, closed)).toEqual({ url: new URL(text) });
  });

  it.each([
    ['', 'not_a_url'],
    ['example.com/hook', 'not_a_url'],
    ['//example.com/hook', 'not_a_url'],
    ['https://', 'not_a_url'],
    ['https://exa mple.com/', 'not_a_url'],
    [' https://example.com/', 'not_a_url'],
    ['https://example.com/a\nb', 'not_a_url'],
    ['https://exam\tple.com/', 'not_a_url'],
    ['https:\\\\example.com\\', 'not_a_url'],
    ['https://example.com/\0', 'not_a_url'],
    ['https://example.com/\ud800', 'not_a_url'],
    ['https://example.com:99999/', 'not_a_url'],
    ['https://1.2.3.4.5/', 'not_a_url'],
    ['https://[fe80::1%25eth0]/', 'not_a_url'],
    ['http://example.com/', 'not_https'],
    ['http://8.8.8.8/', 'not_https'],
    ['ftp://example.com/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['https://user@example.com/', 'has_credentials'],
    ['https://:secret@example.com/', 'has_credentials'],
    ['https://example.com/#x', 'has_fragment'],
    ['https://example.com/#', 'has_fragment'],
    [`https://example.com/${'a'.repeat(2029)}`, 'too_long'],
    [`https://example.com/${'ä'.repeat(1000)}`, 'too_long'],
    ['https://localhost/', 'not_public'],
    ['https://LOCALHOST:1234/', 'not_public'],
    ['https://a.localhost/', 'not_public'],
    ['https://printer.local/', 'not_public'],
    ['https://metadata.google.internal/', 'not_public'],
    ['https://intranet/', 'not_public'],
    ['https://example.com./', 'not_public'],
    ['https://127.0.0.1./', 'not_public'],
    ['https://[::1]/', 'not_public'],
    ['http://127.0.0.1/', 'not_public'],
  ])('%j is refused: %s', (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  it('says in words what is wrong', () => {
    expect(judgeCallbackUrl('http://example.com/', closed)).toEqual({
      problem: 'not_https',
      message: 'must begin with https://',
    });
  });

  it('an opened network may be named, also over plain http, and nothing else that is private', () => {
    for (const text of [
      'http://127.0.0.1:1/',
      'http://2130706433/',
      'http://[::1]/',
      'https://10.1.2.3/',
      'http://localhost:1/',
    ])
      expect(problemOf(text, open), text).toBeNull();
    expect(problemOf('https://192.168.0.1/', open)).toBe('not_public');
    expect(problemOf('http://8.8.8.8/', open)).toBe('not_https');
  });
});

describe('looking up the host of a callback URL', () => {
  const lookUp = lookUpIn({
    'public.example': ['8.8.8.8', '2606:4700:4700::1111'],
    'mixed.example': ['8.8.8.8', '10.0.0.1'],
    'private.example': ['192.168.0.1'],
    'open.example': ['10.0.0.1', '::1'],
  });
  const problem = async (text: string, policy = closed) =>
    (await lookUpCallbackHost(new URL(text), policy, lookUp, 'org'))?.problem ?? null;

  it('refuses a name with any address that may not be called', async () => {
    expect(await problem('https://public.example/')).toBeNull();
    expect(await problem('https://mixed.example/')).toBe('not_public');
    expect(await problem('https://private.example/')).toBe('not_public');
    expect(await problem('https://[::1]/')).toBe('not_public');
    expect(await problem('https://8.8.8.8/')).toBeNull();
  });

  it('accepts plain http only where every address lies in an opened network', async () => {
    expect(await problem('http://open.example/', open)).toBeNull();
    expect(await problem('http://mixed.example/', open)).toBe('not_https');
    expect(await problem('https://mixed.example/', open)).toBeNull();
    expect(await problem('http://private.example/', open)).toBe('not_public');
  });

  it('a name that cannot be resolved now is no problem', async () => {
    const nowhere = await lookUpCallbackHost(
      new URL('https://nowhere.example/'),
      closed,
      (_, callback) => callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []),
      'org',
    );
    expect(nowhere).toBeNull();
  });
});
