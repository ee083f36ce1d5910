import { describe, expect, it } from 'vitest';
import { passwordProblem } from './password.rules.js';
import { localPath } from './return-path.rules.js';
import { hashRecoveryCode, newRecoveryCodes } from './totp.js';

const about = { email: 'anne.smith@acme-medical.example', organization: 'Northern Devices' };
const problem = (password: string) => passwordProblem(password, about);

describe('a password', () => {
  it('has 12 to 256 characters, counted as people see them', () => {
    expect(problem('tulip rain 7')).toBeNull();
    expect(problem('tulip rain ')).toBe('password_too_short');
    expect(problem('🌷🌧🚚🏥⛵🗝🎻🧭🪵🧀🪀🛶')).toBeNull();
    expect(problem('🌷🌧🚚🏥⛵🗝🎻🧭🪵🧀🪀')).toBe('password_too_short');
    const long = Array.from({ length: 64 }, (_, i) => `${(i * 7919) % 10}x?K`).join('');
    expect(long).toHaveLength(256);
    expect(problem(long)).toBeNull();
    expect(problem(`${long}!`)).toBe('password_too_long');
  });

  it.each([
    'password1234',
    'Password2024!',
    'P@ssw0rd1234',
    '!!Welcome!!2026',
    'letmein123456',
    'iloveyou2026!',
    'qwertyuiop123',
    'passwordpassword',
    'administrator',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    '123456789012',
    '210987654321',
    'abcdefghijklm',
    '1q2w3e4r5t6y',
    'Summer2026!!!',
    'ｐａｓｓｗｏｒｄ１２３４',
  ])('that many choose is refused: %s', (password) => {
    expect(problem(password)).toBe('password_common');
  });

  it.each([
    'anne.smith@acme-medical.example',
    'Anne.Smith12345',
    'NORTHERN DEVICES',
    'northern devices 2026',
  ])('that is one’s own address or organization is refused: %s', (password) => {
    expect(problem(password)).toBe('password_personal');
  });

  it.each([
    'correct stapler horse 9',
    'gjzkdhwbtkqa',
    '839201748265',
    'lotward lorries leave',
    'Zx9!Zx9!Qp2?',
  ])('needs no particular characters: %s', (password) => {
    expect(problem(password)).toBeNull();
  });
});

describe('after signing in', () => {
  it.each([
    ['/oauth/interaction/abc?x=1', '/oauth/interaction/abc?x=1'],
    ['/orders#top', '/orders#top'],
    ['/ä b', '/%C3%A4%20b'],
  ])('one goes back to a path of this server: %s', (asked, path) => {
    expect(localPath(asked)).toBe(path);
  });

  it.each([
    undefined,
    '',
    'orders',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '/\u0000',
    ['/a', '/b'],
    `/${'a'.repeat(2_000)}`,
  ])('and nowhere else: %j', (asked) => {
    expect(localPath(asked)).toBe('/');
  });
});

it('recovery codes have more than 128 random bits, and are the same however they are copied from paper', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  // Five bits in each character.
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){6}[0-9a-hjkmnp-tv-z]{4}$/);
  expect(hashRecoveryCode('0I1O-abcd-EFGH-jkmn')).toEqual(hashRecoveryCode(' 0l1o abcd efgh jkmn '));
  expect(hashRecoveryCode(codes[0] ?? '')).not.toEqual(hashRecoveryCode(codes[1] ?? ''));
});
