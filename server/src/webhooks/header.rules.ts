import { refuseWebhook } from './webhook.errors.js';

/** Headers that pushes carry besides those of every push. */
export type OwnHeaders = Readonly<Record<string, string>>;

const NAME_MAX = 64;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** They belong to the connection or the message, or to a browser's session, or say where a request comes from. */
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

/** `prefix`: of our own headers, as the operator chose it. Names are the same in upper and lower case. */
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
