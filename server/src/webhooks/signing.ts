import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OwnHeaders } from './header.rules.js';

const STANDARD_PREFIX = 'whsec_';

export interface SigningKey {
  /** The bytes of the secret as it is spelled. */
  plain: Buffer;
  /** The key of Standard Webhooks: the decoded bytes of a `whsec_` secret, otherwise `plain`. */
  standard: Buffer;
}

export function signingKey(secret: string): SigningKey {
  const plain = Buffer.from(secret, 'utf8');
  const standard = secret.startsWith(STANDARD_PREFIX)
    ? Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')
    : plain;
  return { plain, standard };
}

/** The same key in the form that Standard Webhooks libraries take, which decode what follows the prefix. */
export const standardFormOf = (secret: string): string =>
  `${STANDARD_PREFIX}${signingKey(secret).standard.toString('base64')}`;

/** The current secret, and the one that replaces it when their overlap ends. */
export interface KeyPair {
  current: SigningKey;
  next: SigningKey | null;
}

export const keyPairOf = (
  sealed: { secret: string; nextSecret: string | null },
  open: (sealed: string) => string,
): KeyPair => ({
  current: signingKey(open(sealed.secret)),
  next: sealed.nextSecret === null ? null : signingKey(open(sealed.nextSecret)),
});

/** The keys that sign at an instant: both during an overlap. */
export function keysAt(
  { current, next }: KeyPair,
  overlapUntil: Date | null,
  at: Date,
): [SigningKey, SigningKey | null] {
  if (!next) return [current, null];
  return overlapUntil !== null && at < overlapUntil ? [current, next] : [next, null];
}

/** `sha256=` and the HMAC of the body's bytes in lowercase hexadecimal. */
const bodySignature = (key: SigningKey, body: Buffer): string =>
  `sha256=${createHmac('sha256', key.plain).update(body).digest('hex')}`;

/** The signature of Standard Webhooks covers the message id, the time of the attempt and the body. */
const standardSignature = (key: SigningKey, id: string, timestamp: string, body: Buffer): string =>
  `v1,${createHmac('sha256', key.standard).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;

export interface Push {
  eventId: string;
  eventType: string;
  deliveryId: string;
  attempt: number;
  body: Buffer;
  test?: true;
  /** The organization is a sandbox. */
  sandbox?: boolean;
}

/** Cached, because every push needs the names. */
const namesByPrefix = new Map<string, ReturnType<typeof namesFor>>();
const namesFor = (prefix: string) => ({
  event: `x-${prefix}-event`,
  signature: `x-${prefix}-signature`,
  signatureNext: `x-${prefix}-signature-next`,
  delivery: `x-${prefix}-delivery`,
  attempt: `x-${prefix}-attempt`,
  test: `x-${prefix}-test`,
  sandbox: `x-${prefix}-sandbox`,
});
function headerNames(prefix: string): ReturnType<typeof namesFor> {
  let names = namesByPrefix.get(prefix);
  if (!names) {
    names = namesFor(prefix);
    namesByPrefix.set(prefix, names);
  }
  return names;
}

/** `keys`: the current key, and during an overlap the next one. `own`: headers of the webhook, in lower case. */
export function pushHeaders(
  prefix: string,
  keys: readonly [SigningKey, SigningKey | null],
  push: Push,
  at: Date,
  own: OwnHeaders = {},
): Record<string, string> {
  const [current, next] = keys;
  const name = headerNames(prefix);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const standard = standardSignature(current, push.eventId, timestamp, push.body);
  const headers: Record<string, string> = {
    ...own,
    'content-type': 'application/json',
    'user-agent': 'Lotward-Webhooks/2.1',
    [name.event]: push.eventType,
    [name.signature]: bodySignature(current, push.body),
    [name.delivery]: push.deliveryId,
    [name.attempt]: String(push.attempt),
    'webhook-id': push.eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': next
      ? `${standard} ${standardSignature(next, push.eventId, timestamp, push.body)}`
      : standard,
  };
  if (next) headers[name.signatureNext] = bodySignature(next, push.body);
  if (push.test) headers[name.test] = 'true';
  if (push.sandbox) headers[name.sandbox] = 'true';
  return headers;
}

const same = (a: string, b: string): boolean => {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
};

/** Checks both signatures, as a receiver would. */
export function verifySignatures(
  prefix: string,
  secret: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
): { body: boolean; standard: boolean } {
  const key = signingKey(secret);
  const given = (name: string) => String(headers[name.toLowerCase()] ?? '');
  const own = [given(`x-${prefix}-signature`), given(`x-${prefix}-signature-next`)];
  const expected = bodySignature(key, body);
  const id = given('webhook-id');
  const standard = standardSignature(key, id, given('webhook-timestamp'), body);
  return {
    body: own.some((signature) => same(signature, expected)),
    standard: given('webhook-signature')
      .split(' ')
      .some((signature) => same(signature, standard)),
  };
}
