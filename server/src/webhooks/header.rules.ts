import { refuseWebhook } from './webhook.errors.js';

/** Custom headers of a webhook, in addition to those that every push carries. */
export type OwnHeaders = Readonly<Record<string, string>>;

const NAME_MAX = 64;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** These belong to the connection, the message or a browser's session, or state the origin of a request. */
const RESERVED = new Set([
  ...[
    'accept-encoding',
    'connection',
    'cookie',
    'date',
    'expect',
    'forwarded',
    'host',
    'http2-settings',
    'keep-alive',
  ],
  ...['set-cookie', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'user-agent', 'via', 'x-real-ip'],
  ...['x-http-method', 'x-http-method-override', 'x-method-override'],
]);
const RESERVED_BEGINNINGS = ['content-', 'proxy-', 'sec-', 'webhook-', 'x-forwarded-', 'x-lotward-'];

/** `prefix`: of our own headers, as the operator configured it. Names are case-insensitive. */
export function requireSendable(headers: OwnHeaders, prefix: string): void {
  const reserved = [...RESERVED_BEGINNINGS, `x-${prefix.toLowerCase()}-`];
  const seen = new Set<string>();
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase();
    const path = `/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!TOKEN.test(name) || name.length > NAME_MAX) throw refuseWebhook('bad_header_name', path);
    if (RESERVED.has(lower) || reserved.some((beginning) => lower.startsWith(beginning)))
      throw refuseWebhook('header_reserved', path);
    if (seen.has(lower)) throw refuseWebhook('header_repeated', path);
    seen.add(lower);
  }
}
