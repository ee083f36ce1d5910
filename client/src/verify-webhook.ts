import type { LotwardEvent } from './events.js';

/** The request was not sent by Lotward, was altered in transit, or is too old. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
}

/** Options of {@link verifyWebhook}. */
export interface VerifyOptions {
  /** The largest accepted difference between the timestamp of the request and the local clock. Default: 300. */
  toleranceSeconds?: number;
  /** The current time in milliseconds since 1970, for tests. */
  now?: number;
}

/** Headers as Node, Express, Fastify or the Fetch API give them. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const PREFIX = 'whsec_';
const VERSION = 'v1,';

/**
 * Verifies the Standard Webhooks signature of a request and returns its event. `body` is the raw body, byte for byte, not
 * what a framework parsed. With several secrets, any of them may match, as during a rotation.
 *
 * An event can be delivered more than once with the same `eventId`. To act once, store the IDs you have processed.
 *
 * @throws {@link WebhookRefused} when no signature matches, or the request is too old.
 *
 * @example
 * ```ts
 * const event = await verifyWebhook(request.headers, rawBody, process.env.LOTWARD_WEBHOOK_SECRET);
 * if (event.eventType === 'order.status_changed') await updateOrder(event);
 * ```
 */
export async function verifyWebhook(
  headers: ReceivedHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<LotwardEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  requireRecent(timestamp, options);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .filter((signature) => signature.startsWith(VERSION))
    .map((signature) => decodeBase64(signature.slice(VERSION.length)));
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    if (await isSigned(each, signed, signatures)) return eventIn(bytes);
  }
  throw new WebhookRefused('no signature of this push was made with the secret');
}

function headerOf(headers: ReceivedHeaders, name: string): string {
  const found = headers instanceof Headers ? headers.get(name) : own(headers, name);
  const value = typeof found === 'string' ? found : found?.[0];
  if (!value) throw new WebhookRefused(`the header ${name} is missing`);
  return value;
}

/** Frameworks differ in the case of header names. */
function own(headers: Exclude<ReceivedHeaders, Headers>, name: string) {
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name);
  return key === undefined ? undefined : headers[key];
}

function requireRecent(timestamp: string, { toleranceSeconds = 300, now = Date.now() }: VerifyOptions): void {
  const seconds = Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - seconds) > toleranceSeconds)
    throw new WebhookRefused('the push is too old, or from the future');
}

async function isSigned(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly (Uint8Array<ArrayBuffer> | null)[],
): Promise<boolean> {
  const raw = secret.startsWith(PREFIX)
    ? decodeBase64(secret.slice(PREFIX.length))
    : new TextEncoder().encode(secret);
  // Anyone could sign with an empty key.
  if (raw === null || raw.length === 0) throw new TypeError('the secret is empty or not base64 after whsec_');
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const signature of signatures) {
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
  }
  return false;
}

function eventIn(bytes: Uint8Array): LotwardEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as LotwardEvent;
  } catch {
    throw new WebhookRefused('the body is not JSON');
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
