import { describe, expect, it } from 'vitest';
import { isRedirectUri } from './redirect-uri.rules.js';

describe('addresses people may be sent back to', () => {
  it.each([
    'https://app.example/back',
    'https://app.example/back?tenant=1&x=%20',
    'https://app.example',
    'https://app.example/',
    'https://app.example:8443/back',
    'http://127.0.0.1:3000/back',
    'http://[::1]:3000/back',
    'http://localhost/back',
  ])('takes %s', (uri) => expect(isRedirectUri(uri)).toBe(true));

  it.each([
    '',
    '/back',
    'app.example/back',
    'http://app.example/back',
    'http://127.0.0.2/back',
    'http://localhost.evil.example/back',
    'http://[::2]/back',
    'https://app.example/back#part',
    'https://app.example/back#',
    'https://user@app.example/back',
    'https://user:secret@app.example/back',
    'https://:secret@app.example/back',
    'https://*.app.example/back',
    'https://app.example/*',
    'https://APP.example/back',
    'https://app.example:443/back',
    'https://app.example/a/../back',
    'https://app.example/ba ck',
    'https://app.example\\@evil.example/',
    'https:app.example/back',
    ' https://app.example/back',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp://back',
    `https://app.example/${'a'.repeat(2_000)}`,
  ])('refuses %s', (uri) => expect(isRedirectUri(uri)).toBe(false));
});
