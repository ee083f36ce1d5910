import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookRefused } from '../src/index.js';

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`;
const RAW = 'a-secret-of-our-own-choice';
const NOW = Date.parse('2026-11-15T10:00:00Z');
const EVENT = {
  eventId: 'evt_1',
  eventType: 'order.status_changed',
  timestamp: '2026-11-15T10:00:00Z',
  data: {},
};
const BODY = JSON.stringify(EVENT);

/** Signed by the library that others verify with. */
function signed(secret = SECRET, body = BODY, at = NOW): Record<string, string> {
  const webhook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
  const when = new Date(at);
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': webhook.sign('evt_1', when, body),
  };
}
const verify = (
  headers: Parameters<typeof verifyWebhook>[0],
  body: string | Uint8Array = BODY,
  secret: string | string[] = SECRET,
) => verifyWebhook(headers, body, secret, { now: NOW });

describe('a push is accepted', () => {
  it('when it was signed with the secret, generated or chosen', async () => {
    expect(await verify(signed())).toEqual(EVENT);
    expect(await verify(signed(RAW), BODY, RAW)).toEqual(EVENT);
  });

  it('with headers of any framework: a Headers object, upper case, or lists of values', async () => {
    const headers = signed();
    expect(await verify(new Headers(headers))).toEqual(EVENT);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(await verify(upper)).toEqual(EVENT);
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    expect(await verify(lists)).toEqual(EVENT);
  });

  it('by its bytes, also when they are not ASCII', async () => {
    const body = JSON.stringify({ ...EVENT, data: { reason: '隔离 – Quarantäne' } });
    const bytes = new TextEncoder().encode(body);
    expect(await verify(signed(SECRET, body), bytes)).toEqual(JSON.parse(body));
  });

  it('with either secret while one replaces the other', async () => {
    const both = `${signed(RAW)['webhook-signature']} ${signed()['webhook-signature']}`;
    const headers = { ...signed(), 'webhook-signature': both };
    expect(await verify(headers)).toEqual(EVENT);
    expect(await verify(headers, BODY, RAW)).toEqual(EVENT);
    expect(await verify(signed(RAW), BODY, [SECRET, RAW])).toEqual(EVENT);
  });

  it('up to five minutes from our clock, in both directions', async () => {
    for (const offset of [-300_000, 300_000])
      expect(await verify(signed(SECRET, BODY, NOW + offset))).toEqual(EVENT);
  });
});

describe('a push is refused', () => {
  const refused = (what: Promise<unknown>) => expect(what).rejects.toThrow(WebhookRefused);

  it('when a byte of its body, its id or its time was changed', async () => {
    await refused(verify(signed(), `${BODY} `));
    await refused(verify({ ...signed(), 'webhook-id': 'evt_2' }));
    await refused(verify({ ...signed(), 'webhook-timestamp': String(NOW / 1000 + 1) }));
  });

  it('when it is older or newer than the window, or has no time at all', async () => {
    for (const offset of [-301_000, 301_000]) await refused(verify(signed(SECRET, BODY, NOW + offset)));
    for (const time of ['', 'soon', '1e9', '-1', ' 1'])
      await refused(verify({ ...signed(), 'webhook-timestamp': time }));
  });

  it('when another secret signed it, nothing did, or by another way', async () => {
    await refused(verify(signed(RAW)));
    await refused(verify({ ...signed(), 'webhook-signature': '' }));
    await refused(verify({ ...signed(), 'webhook-signature': 'v1,' }));
    await refused(verify({ ...signed(), 'webhook-signature': 'v1,%%%' }));
    const [, signature = ''] = (signed()['webhook-signature'] ?? '').split(',');
    await refused(verify({ ...signed(), 'webhook-signature': `v2,${signature}` }));
    const { 'webhook-signature': _signature, ...without } = signed();
    await refused(verify(without));
  });

  it('when it was signed with an empty key, as anybody could', async () => {
    const forged = createHmac('sha256', '')
      .update(`evt_1.${NOW / 1000}.${BODY}`)
      .digest('base64');
    const headers = { ...signed(), 'webhook-signature': `v1,${forged}` };
    for (const empty of ['', 'whsec_', 'whsec_%%%'])
      await expect(verify(headers, BODY, empty)).rejects.toThrow(TypeError);
  });
});
