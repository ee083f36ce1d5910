import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, envelopeOf } from '../events/index.js';
import { systemClock } from '../platform/clock/index.js';
import { compile } from '../platform/http/index.js';
import { sampleOf } from './samples.rules.js';
import { keyPairOf, keysAt, type Push, pushHeaders, signingKey } from './signing.js';

const BODY = Buffer.from('{"eventId":"evt_1","data":{"productName":"Coronary stent 3.0×18 一次性"}}');
const GENERATED = `whsec_${randomBytes(32).toString('base64')}`;
const CHOSEN = 'my-shared secret~0123456789';

const pushOf = (body: Buffer): Push => ({
  eventId: 'evt_01J0000000000000000000000',
  eventType: 'inventory.low_stock',
  deliveryId: 'dlv_01J0000000000000000000000ABCDEF',
  attempt: 1,
  body,
});

/** Signed now, because the library refuses signatures older than five minutes. */
const headersFor = (secret: string, next: string | null = null, body = BODY, changes: Partial<Push> = {}) =>
  pushHeaders(
    'lotward',
    [signingKey(secret), next === null ? null : signingKey(next)],
    { ...pushOf(body), ...changes },
    systemClock.now(),
  );

/** A verification as a partner writes it without a library. */
function isOurs(secret: string, body: Buffer, header: string | undefined): boolean {
  const expected = createHmac('sha256', secret).update(body).digest('hex');
  return header === `sha256=${expected}`;
}

/** Passes the secret as the library expects it: `whsec_` secrets unchanged, any other as raw bytes. */
function verifies(secret: string, body: Buffer, headers: Record<string, string>): boolean {
  const webhook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
  try {
    webhook.verify(body, headers, { jsonParse: false });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

describe.each([
  ['generated', GENERATED],
  ['chosen', CHOSEN],
])('a push signed with a %s secret', (_kind, secret) => {
  it('is verified by the library of Standard Webhooks', () => {
    expect(verifies(secret, BODY, headersFor(secret))).toBe(true);
    expect(verifies(secret === CHOSEN ? GENERATED : CHOSEN, BODY, headersFor(secret))).toBe(false);
  });

  it('is verified by a plain HMAC of the secret as it is written', () => {
    const header = headersFor(secret)['x-lotward-signature'];
    expect(isOurs(secret, BODY, header)).toBe(true);
    expect(header).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(isOurs(`${secret} `, BODY, header)).toBe(false);
  });

  it('is refused by both if a single byte of the body differs', () => {
    const headers = headersFor(secret);
    fc.assert(
      fc.property(fc.nat(BODY.length - 1), fc.integer({ min: 1, max: 127 }), (index, mask) => {
        const changed = Buffer.from(BODY);
        changed[index] = (changed[index] ?? 0) ^ mask;
        expect(isOurs(secret, changed, headers['x-lotward-signature'])).toBe(false);
        expect(verifies(secret, changed, headers)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['webhook-id', 'evt_2'],
    ['webhook-timestamp', String(Math.floor(systemClock.now().getTime() / 1000) - 1)],
  ])('is refused if %s differs', (name, value) => {
    expect(verifies(secret, BODY, { ...headersFor(secret), [name]: value })).toBe(false);
  });
});

describe('any secret an owner may choose', () => {
  const printable = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCharCode(c)),
  });
  const bodies = fc.string({ unit: 'binary', minLength: 1 }).map((text) => Buffer.from(text, 'utf8'));

  it('is distinguished from any other by both signatures', () => {
    const chosen = printable.map((text) => `#${text}`.padEnd(16, '.').slice(0, 128));
    fc.assert(
      fc.property(chosen, bodies, (secret, body) => {
        const headers = headersFor(secret, null, body);
        expect(isOurs(secret, body, headers['x-lotward-signature'])).toBe(true);
        expect(verifies(secret, body, headers)).toBe(true);
        expect(verifies(`${secret}.`, body, headers)).toBe(false);
      }),
    );
  });

  it('in the `whsec_` form signs with the encoded bytes', () => {
    const secrets = fc
      .uint8Array({ minLength: 8, maxLength: 64 })
      .map((b) => Buffer.from(b).toString('base64'));
    fc.assert(
      fc.property(secrets, (base64) => {
        expect(verifies(`whsec_${base64}`, BODY, headersFor(`whsec_${base64}`))).toBe(true);
      }),
    );
  });
});

describe('during an overlap of two secrets', () => {
  const headers = headersFor(CHOSEN, GENERATED);

  it('both verify by the library, and no third one', () => {
    expect(verifies(CHOSEN, BODY, headers)).toBe(true);
    expect(verifies(GENERATED, BODY, headers)).toBe(true);
    expect(verifies('some third secret', BODY, headers)).toBe(false);
  });

  it('the old one is in the current header, the new one in the next header', () => {
    expect(isOurs(CHOSEN, BODY, headers['x-lotward-signature'])).toBe(true);
    expect(isOurs(GENERATED, BODY, headers['x-lotward-signature-next'])).toBe(true);
    expect(headersFor(CHOSEN)).not.toHaveProperty('x-lotward-signature-next');
  });

  it('the old one is used until the very instant it ends, the new one alone from then on', () => {
    const until = new Date('2026-11-16T10:00:00.000Z');
    const pair = keyPairOf({ secret: 'sealed old', nextSecret: 'sealed new' }, (s) =>
      s.replace('sealed ', ''),
    );
    const plainAt = (at: number) =>
      keysAt(pair, until, new Date(at)).map((key) => key?.plain.toString() ?? null);
    expect(plainAt(until.getTime() - 1)).toEqual(['old', 'new']);
    expect(plainAt(until.getTime())).toEqual(['new', null]);
    expect(plainAt(until.getTime() + 86_400_000)).toEqual(['new', null]);
  });

  it('without a next secret the current one is always used', () => {
    const pair = keyPairOf({ secret: 'only', nextSecret: null }, (sealed) => sealed);
    expect(keysAt(pair, null, systemClock.now()).map((key) => key?.plain.toString() ?? null)).toEqual([
      'only',
      null,
    ]);
  });
});

describe('the headers of a push', () => {
  it('contain the event, the push, the attempt and the timestamp', () => {
    const at = new Date('2026-11-15T10:00:00.999Z');
    const push = { ...pushOf(BODY), attempt: 3 };
    expect(pushHeaders('lotward', [signingKey(CHOSEN), null], push, at)).toMatchObject({
      'content-type': 'application/json',
      'x-lotward-event': 'inventory.low_stock',
      'x-lotward-delivery': push.deliveryId,
      'x-lotward-attempt': '3',
      'webhook-id': push.eventId,
      'webhook-timestamp': '1794736800',
    });
  });

  it('differ between attempts only where they must', () => {
    const at = (ms: number, attempt: number) =>
      pushHeaders('lotward', [signingKey(CHOSEN), null], { ...pushOf(BODY), attempt }, new Date(ms));
    const first = at(1_000_000, 1);
    const second = at(1_060_000, 2);
    const changed = Object.keys(first).filter((name) => first[name] !== second[name]);
    expect(changed.sort()).toEqual(['webhook-signature', 'webhook-timestamp', 'x-lotward-attempt']);
  });

  it('have the configured prefix, and mark a test', () => {
    const headers = pushHeaders(
      'acme',
      [signingKey(CHOSEN), null],
      { ...pushOf(BODY), test: true },
      systemClock.now(),
    );
    expect(headers).toHaveProperty('x-acme-signature');
    expect(headers).toHaveProperty('x-acme-test', 'true');
    expect(Object.keys(headers).filter((name) => name.startsWith('x-lotward'))).toEqual([]);
    expect(headersFor(CHOSEN)).not.toHaveProperty('x-lotward-test');
  });
});

describe('the sample events of tests', () => {
  it.each(EVENT_TYPES)('%s is as its published schema says', (eventType) => {
    const at = new Date('2028-02-29T23:59:59.999Z');
    const envelope = {
      eventId: 'evt_1',
      eventType,
      timestamp: at.toISOString(),
      data: sampleOf(eventType, at),
    };
    const judge = compile(envelopeOf(eventType), 'body');
    expect(judge(envelope)?.issues).toBeUndefined();
    const [field = ''] = Object.keys(envelope.data);
    const lacking = Object.fromEntries(Object.entries(envelope.data).filter(([name]) => name !== field));
    expect(judge({ ...envelope, data: lacking })?.issues.length).toBeGreaterThan(0);
  });
});
