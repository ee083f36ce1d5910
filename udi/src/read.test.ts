import { describe, expect, it } from 'vitest';
import { reasonOf, today, udiOf } from '../test/reading.js';
import { CODE_LENGTH_MAX, readUdi } from './index.js';

describe('the Chinese issuers', () => {
  it('MA: device and production parts', () => {
    const code = 'MA.156.M0.100011.2cscp023.Ste002.M200206.L343432.D555555.E20200228.V200227.C9';
    expect(udiOf(code)).toEqual({
      raw: code,
      issuingAgency: 'MA',
      deviceIdentifier: 'MA.156.M0.100011.2cscp023',
      batchNo: '343432',
      serialNo: 'te002',
      manufactureDate: '2020-02-06',
      expiryDate: '2020-02-28',
      quantity: null,
      other: { sterilisationBatchNo: '555555', validUntil: '2020-02-27', checkCharacter: '9' },
    });
    expect(udiOf('MA.156.M0.100472.11103316').deviceIdentifier).toBe('MA.156.M0.100472.11103316');
  });

  it.each([
    ['MA.156.M0.100472', 'missing_device_identifier'],
    ['MA.', 'missing_device_identifier'],
    ['MA.156..100472.11103316', 'illegal_character'],
    ['MA.156.M0.100472.11103316.X1', 'unknown_identifier'],
    ['MA.156.M0.100472.11103316.', 'unknown_identifier'],
    ['MA.156.M0.100472.11103316.L', 'too_short'],
    ['MA.156.M0.100472.11103316.E201301', 'illegal_date'],
    ['MA.156.M0.100472.11103316.E2020011', 'illegal_date'],
    ['MA.156.M0.100472.11103316.E20AB01', 'illegal_date'],
    ['MA.156.M0.100472.批', 'illegal_character'],
    ['MA.156.M0.100472.11103316.LA.LB', 'conflicting_values'],
    ['MA.156.M0.100472.11103316.L批', 'illegal_character'],
  ] as const)('%s is refused: %s', (code, reason) => {
    expect(reasonOf(code)).toBe(reason);
  });

  it('AHM: known by its prefix, taken for nothing more', () => {
    expect(udiOf('AHM0123456789')).toMatchObject({
      issuingAgency: 'AHM',
      deviceIdentifier: null,
      other: { content: '0123456789' },
    });
    expect(reasonOf('AHM')).toBe('too_short');
    expect(reasonOf('AHM 1')).toBe('illegal_character');
  });
});

describe('a Basic UDI-DI of IFA', () => {
  it('is named as such', () => {
    const basic = 'PP12345ABCD.12345678.9004';
    expect(udiOf(basic)).toMatchObject({
      issuingAgency: 'IFA',
      deviceIdentifier: null,
      other: { basicUdiDi: basic },
    });
  });

  it.each([
    ['PP12345ABCD.12345678.9005', 'bad_check_digit'],
    ['PP1234', 'unknown_format'],
    ['PP1234XABCD.12345678.9004', 'unknown_format'],
    ['PP12345abc04', 'unknown_format'],
    ['PP12345ABCD.12345678.901204', 'too_long'],
  ] as const)('%s is refused: %s', (code, reason) => {
    expect(reasonOf(code)).toBe(reason);
  });
});

describe('anything', () => {
  it.each([
    '',
    ' ',
    'hello world',
    ']',
    ']d',
    ']d2',
    '\u0000',
    '💉',
    'PP',
    'MA',
    '99',
    '05',
    '123456789',
    ' (01)00844588003288',
  ])('%j is refused', (code) => {
    expect(readUdi(code, { today }).ok).toBe(false);
  });

  it.each([undefined, null, 5, {}, ['(01)00844588003288']])('%j, which is no text, is refused', (code) => {
    expect(readUdi(code as unknown as string, { today })).toMatchObject({
      failure: { reason: 'unknown_format' },
    });
  });

  it.each(['\r', '\n', '\r\n', '\t'])('%j behind a code is no part of it', (end) => {
    for (const code of [
      ']d20100844588003288' + '10A',
      '+A123BJC5D6E71G',
      '=)1TE123456A&)RZ12345678',
      '96385074',
    ])
      expect(udiOf(code + end)).toEqual({ ...udiOf(code), raw: code + end });
  });

  it('a code longer than any is too long, even if its start can be read', () => {
    const code = `(01)00844588003288(10)A${' '.repeat(CODE_LENGTH_MAX - 23)}`;
    expect(udiOf(code).batchNo).toBe('A');
    expect(reasonOf(`${code} `)).toBe('too_long');
  });

  it('the longest codes, made to be slow, take no time', () => {
    const fill = (text: string) => text.repeat(CODE_LENGTH_MAX).slice(0, CODE_LENGTH_MAX);
    const prefixed = (prefix: string, text: string) => (prefix + fill(text)).slice(0, CODE_LENGTH_MAX);
    const hostile = [
      ...['(', '(0', '(01', '(01)', '\\', '(\\', '\u001d', '0', '20', '+', '++', '*', '=', '&', '%'].map(
        fill,
      ),
      ...['/', '/01', '/01/', '%', '%4', '?', '&', '?1=', '01=;', '#'].map((text) =>
        prefixed('https://x', text),
      ),
      ...['/', '/S', '+', '$', '*', ' ', '\r'].map((text) => prefixed('+A123B1', text)),
      ...['.', '.L', 'L'].map((text) => prefixed('MA.156.M0.1.2', text)),
      prefixed('=/A9999XYZ100T0474', '=,000025'),
      prefixed(']d20100844588003288', '2001'),
      prefixed('(01)00844588003288', '(20)01'),
    ];
    const startedMs = performance.now();
    for (let round = 0; round < 20; round += 1) for (const code of hostile) readUdi(code, { today });
    expect((performance.now() - startedMs) / (20 * hostile.length)).toBeLessThan(10);
  });
});
