import { describe, expect, it } from 'vitest';
import { newKeyPair } from '../credentials/key-token.js';
import { newSessionToken } from '../people/sign-in/session-token.js';
import { newId } from '../platform/ids/index.js';
import { loggedUrl } from './logged-url.js';

const { apiKey } = newKeyPair('0123456789abcdef');
const at = new Date(0);
const session = newSessionToken({ orgId: newId('org', at), sessionId: newId('ses', at) });

describe('the address in the log', () => {
  it.each([
    ['/v2/orders?status=approved&limit=5', '/v2/orders?status=approved&limit=5'],
    ['/v2/orders?status=approved&access_token=abc', '/v2/orders?status=approved&access_token=***'],
    ['/v2/orders?token=a=b&limit=5', '/v2/orders?token=***&limit=5'],
    ['/v2/orders?abc', '/v2/orders?***'],
    ['/v2/orders?constructor=abc', '/v2/orders?constructor=***'],
    ['/v2/orders?', '/v2/orders?***'],
    [`/v2/orders?status=${apiKey}`, '/v2/orders?status=***'],
    [`/v2/orders/${apiKey}/approve`, '/v2/orders/***/approve'],
    [`/v2/orders/${session}`, '/v2/orders/***'],
    ['/v2/orders/eyJhbGciOiJ.eyJpc3M.c2ln', '/v2/orders/***'],
    ['/v2/orders/whsec_a+b=', '/v2/orders/***'],
    ['/v2/settings/clients/lwc_0123456789abcdefghij', '/v2/settings/clients/lwc_0123456789abcdefghij'],
    ['/v2/products/06901234567892', '/v2/products/06901234567892'],
  ])('%s', (url, logged) => {
    expect(loggedUrl(url, { status: {}, limit: {} })).toBe(logged);
  });
});
