import { describe, expect, it } from 'vitest';
import { reasonOf, udiOf } from '../../test/reading.js';
import { checkPair } from '../gs1/check-digit.js';
import { checkCharacter } from './check-character.js';

const checked = (body: string): string => body + checkCharacter(body);
const PRIMARY = '+A123BJC5D6E71';

describe('HIBC fields of the greatest length', () => {
  const product = 'ABCDEFGHIJKLMNOPQR';

  it('are read', () => {
    expect(udiOf(checked(`+A123${product}1`)).deviceIdentifier).toBe(`A123${product}1`);
    expect(udiOf(checked(`${PRIMARY}/$${product}`)).batchNo).toBe(product);
    expect(udiOf(checked(`${PRIMARY}/Q999999999`)).quantity).toBe(999_999_999);
    expect(udiOf(checked(`${PRIMARY}/1T${'A'.repeat(50)}`)).other).toEqual({ '1T': 'A'.repeat(50) });
  });

  it.each([
    [`${PRIMARY}/Q1000000000`, 'illegal_value'],
    [`${PRIMARY}/1T${'A'.repeat(51)}`, 'too_long'],
    [`${PRIMARY}/14D2020013`, 'illegal_date'],
    [`${PRIMARY}/14D202001311`, 'illegal_date'],
    [`${PRIMARY}/1234`, 'unknown_identifier'],
    ['+A12', 'bad_labeler'],
    ['+A', 'bad_labeler'],
    ['+$', 'too_short'],
  ] as const)('%s, too long or too short, is refused: %s', (body, reason) => {
    expect(reasonOf(checked(body))).toBe(reason);
  });
});

describe('HIBC dates with four digits of the year', () => {
  it('begin with the year 1000', () => {
    expect(udiOf(checked(`${PRIMARY}/16D10000101`)).manufactureDate).toBe('1000-01-01');
    expect(reasonOf(checked(`${PRIMARY}/16D09991231`))).toBe('illegal_date');
  });

  it('name a day', () => {
    expect(reasonOf(checked(`${PRIMARY}/16D20250100`))).toBe('illegal_date');
  });
});

describe('HIBC structures', () => {
  it('a lot and a serial number may each have a structure of their own', () => {
    const content = { batchNo: 'LOT', serialNo: 'SER' };
    expect(udiOf(checked(`${PRIMARY}/$LOT/$+SER`))).toMatchObject(content);
    expect(udiOf(checked('+$LOT/$+SERL'))).toMatchObject({ ...content, deviceIdentifier: null });
  });

  it('supplementary data may follow a date that stands alone', () => {
    expect(udiOf(checked('+05271LOT/S1L'))).toMatchObject({
      deviceIdentifier: null,
      expiryDate: '2005-09-28',
      batchNo: 'LOT',
      serialNo: '1',
    });
  });

  it('two dates of expiry must be the same, whichever comes first', () => {
    expect(reasonOf(checked(`${PRIMARY}/14D20200116/$$52001510X3`))).toBe('conflicting_values');
    expect(udiOf(checked(`${PRIMARY}/14D20200115/$$52001510X3`)).expiryDate).toBe('2020-01-15');
  });

  it('an asterisk in front needs none behind', () => {
    expect(udiOf(`*${PRIMARY}G`).deviceIdentifier).toBe('A123BJC5D6E71');
  });

  it('a Basic UDI-DI has only characters that codes may have', () => {
    expect(reasonOf(`++A999MODELé${checkPair('++A999MODELé')}`)).toBe('illegal_character');
  });
});
