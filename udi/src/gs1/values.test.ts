import { describe, expect, it } from 'vitest';
import { failureOf, reasonOf, udiOf } from '../../test/reading.js';
import { checkPair } from './check-digit.js';

const GTIN = '(01)00844588003288';
const SHIPPED = `${GTIN}(00)106141412345678908`;

describe('the values of application identifiers', () => {
  it.each([
    [`${GTIN}(8008)25010223`, { 8008: '25010223' }],
    ['(8006)008445880032880202', { 8006: '008445880032880202' }],
    [`${GTIN}(7250)19800229`, { 7250: '19800229' }],
    [`${SHIPPED}(4330)000100-`, { 4330: '000100-' }],
    [`${SHIPPED}(4300)A(4301)B`, { 4300: 'A', 4301: 'B' }],
  ])('%s is read', (code, other) => {
    expect(udiOf(code).other).toMatchObject(other);
  });

  it.each([
    [`${GTIN}(8008)25010224`, 'illegal_date'],
    [`${GTIN}(7003)2912312400`, 'illegal_date'],
    [`${GTIN}(7003)2912312360`, 'illegal_date'],
    [`${GTIN}(7003)2913012359`, 'illegal_date'],
    [`${GTIN}(7003)291301`, 'too_short'],
    [`${GTIN}(7011)29123112`, 'too_short'],
    [`${GTIN}(7250)19800230`, 'illegal_date'],
    ['(8006)008445880032880002', 'illegal_value'],
    [`${SHIPPED}(4330)000100A`, 'illegal_value'],
    [`${GTIN}(3106)000001`, 'unknown_identifier'],
  ] as const)('%s is refused: %s', (code, reason) => {
    expect(reasonOf(code)).toBe(reason);
  });

  it('only a GTIN of 8, 12 or 13 digits is padded', () => {
    expect(reasonOf('(02)96385074(37)5')).toBe('missing_device_identifier');
    expect(reasonOf('(01)096385074')).toBe('too_short');
    expect(reasonOf('(01)9638507X')).toBe('too_short');
  });

  it('a bracket belongs to the value where it is escaped, or holds more digits than an identifier', () => {
    expect(failureOf(`${GTIN}(10)A\\(BCDEFGHIJKLMNOPQRSTU`)).toMatchObject({ reason: 'too_long' });
    expect(udiOf(`${GTIN}(10)A(12345)B`).batchNo).toBe('A(12345)B');
  });
});

describe('a Global Model Number', () => {
  const withPair = (text: string): string => text + checkPair(text);
  const model = withPair('1987654Ad4X');

  it.each([
    ['with the length of a GTIN', model],
    ['that begins with 01, and with a letter where a GTIN has digits', withPair('01000A0000000001')],
    ['of digits alone', '198706889598895354'],
  ])('%s is one', (_what, code) => {
    expect(udiOf(code).other).toEqual({ basicUdiDi: code });
  });

  it.each([
    ['check characters alone', `(8013)${checkPair('')}`, 'bad_check_character'],
    [
      'longer than the check characters protect',
      `9${'1987654Ad4X4bL5ttr2310c2K'}`,
      'missing_device_identifier',
    ],
    ['with fewer than four digits in front', withPair('198A000001'), 'unknown_format'],
    ['beside a value of another identifier', `(8013)${model}(91)X`, 'missing_device_identifier'],
    ['of a GTIN whose check digit is wrong', '0100316763167668', 'bad_check_digit'],
  ] as const)('%s is none', (_what, code, reason) => {
    expect(reasonOf(code)).toBe(reason);
  });

  it('is never seen in element strings that can be read', () => {
    const code = '20000109521230000659';
    expect(checkPair(code.slice(0, -2))).toBe(code.slice(-2));
    expect(udiOf(code)).toMatchObject({ deviceIdentifier: '09521230000659', other: { 20: '00' } });
  });
});

describe('a Digital Link', () => {
  const key = '01/09521234543213';

  it.each([
    `8006/about-our-products/${key}`,
    `8006/2024/${key}`,
    `blog/123456789012345678/${key}`,
    `${key}?17=291231&`,
    `${key}?&&`,
  ])('has its key where a value of its shape follows, and no empty attributes: %s', (path) => {
    expect(udiOf(`https://x.example/${path}`).deviceIdentifier).toBe('09521234543213');
  });

  it.each(['news/01', 'about/us', '2024/news'])('an address without a key is none: %s', (path) => {
    expect(reasonOf(`https://x.example/${path}`)).toBe('unknown_format');
  });

  it('has a slash behind its scheme', () => {
    expect(reasonOf(`https:x.example/${key}`)).toBe('unknown_format');
  });

  it('every character of ASCII may be encoded, and no other', () => {
    expect(udiOf(`https://x.example/${key}/10/%7A%2D`).batchNo).toBe('z-');
    expect(reasonOf(`https://x.example/${key}/10/%0A`)).toBe('illegal_character');
    for (const encoded of ['%G1', '%1G', '%80'])
      expect([encoded, reasonOf(`https://x.example/${key}/10/${encoded}`)]).toEqual([
        encoded,
        'bad_encoding',
      ]);
  });
});
