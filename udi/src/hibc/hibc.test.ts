import { describe, expect, it } from 'vitest';
import { failureOf, reasonOf, udiOf } from '../../test/reading.js';
import { checkCharacter } from './check-character.js';

const checked = (body: string): string => body + checkCharacter(body);
const PRIMARY = '+A123BJC5D6E71G';

/** A primary structure whose check character is the wanted one. */
function bodyWithCheck(wanted: string): string {
  const bodies = Array.from({ length: 500 }, (_, number) => `+A123${number.toString(36).toUpperCase()}1`);
  return bodies.find((body) => checkCharacter(body) === wanted) ?? '';
}

describe('HIBC secondary data', () => {
  const lot = { batchNo: '3C001', serialNo: null };
  const serial = { batchNo: null, serialNo: '0001' };
  const hour = { expiryHour: '22' };

  it.each([
    ['05271', { expiryDate: '2005-09-28', batchNo: null }],
    ['052713C001', { ...lot, expiryDate: '2005-09-28' }],
    ['$3C001', lot],
    ['$$09053C001', { ...lot, expiryDate: '2005-09-30' }],
    ['$$20928053C001', { ...lot, expiryDate: '2005-09-28' }],
    ['$$30509283C001', { ...lot, expiryDate: '2005-09-28' }],
    ['$$4050928223C001', { ...lot, expiryDate: '2005-09-28', other: hour }],
    ['$$5052713C001', { ...lot, expiryDate: '2005-09-28' }],
    ['$$605271223C001', { ...lot, expiryDate: '2005-09-28', other: hour }],
    ['$$73C001', lot],
    ['$$82409053C001', { ...lot, quantity: 24, expiryDate: '2005-09-30' }],
    ['$$82420928053C001', { ...lot, quantity: 24, expiryDate: '2005-09-28' }],
    ['$$82430509283C001', { ...lot, quantity: 24, expiryDate: '2005-09-28' }],
    ['$$8244050928223C001', { ...lot, quantity: 24, expiryDate: '2005-09-28', other: hour }],
    ['$$8245052713C001', { ...lot, quantity: 24, expiryDate: '2005-09-28' }],
    ['$$824605271223C001', { ...lot, quantity: 24, expiryDate: '2005-09-28', other: hour }],
    ['$$82473C001', { ...lot, quantity: 24 }],
    ['$$824', { quantity: 24, batchNo: null }],
    ['$$90010009053C001', { ...lot, quantity: 100, expiryDate: '2005-09-30' }],
    ['$$90010020928053C001', { ...lot, quantity: 100, expiryDate: '2005-09-28' }],
    ['$$9001005052713C001', { ...lot, quantity: 100, expiryDate: '2005-09-28' }],
    ['$$90010073C001', { ...lot, quantity: 100 }],
    ['$$900100', { quantity: 100, batchNo: null }],
    ['$+0001', serial],
    ['$$+09050001', { ...serial, expiryDate: '2005-09-30' }],
    ['$$+20928050001', { ...serial, expiryDate: '2005-09-28' }],
    ['$$+30509280001', { ...serial, expiryDate: '2005-09-28' }],
    ['$$+4050928220001', { ...serial, expiryDate: '2005-09-28', other: hour }],
    ['$$+5052710001', { ...serial, expiryDate: '2005-09-28' }],
    ['$$+605271220001', { ...serial, expiryDate: '2005-09-28', other: hour }],
    ['$$+70001', serial],
    ['$$+82470001', { ...serial, quantity: 24 }],
  ])(
    '%s is read alone with its link character, behind its primary code, and combined with it',
    (data, content) => {
      const alone = udiOf(checked(`+${data}L`));
      expect(alone).toMatchObject({ issuingAgency: 'HIBCC', deviceIdentifier: null, ...content });
      expect(alone.other.linkCharacter).toBe('L');
      for (const code of [checked(`+A123BJC5D6E71/${data}`), PRIMARY + checked(`+${data}G`)]) {
        const udi = udiOf(code);
        expect(udi).toMatchObject({ deviceIdentifier: 'A123BJC5D6E71', ...content });
        expect(udi.other.linkCharacter).toBe(undefined);
      }
    },
  );

  it.each([
    ['$$31413010A', 'illegal_date'],
    ['$$3140200LOT', 'illegal_date'],
    ['$$1305LOT', 'illegal_date'],
    ['$$514366LOT', 'illegal_date'],
    ['$$514000LOT', 'illegal_date'],
    ['$$414010124LOT', 'illegal_date'],
    ['$$2130114LOT', 'illegal_date'],
    ['14366LOT', 'illegal_date'],
    ['$$3AB0101', 'illegal_value'],
    ['$$8A', 'too_short'],
    ['$$8AB7X', 'illegal_value'],
    ['$$31401', 'too_short'],
    ['$$LOT', 'unknown_identifier'],
    ['$$824LOT', 'unknown_identifier'],
    ['$$', 'unknown_identifier'],
    ['$', 'too_short'],
    ['$+', 'too_short'],
    ['$ABCDEFGHIJKLMNOPQRS', 'too_long'],
    ['$$7ABCDEFGHIJKLMNOPQRS', 'too_long'],
  ] as const)('%s is refused: %s', (data, reason) => {
    expect(reasonOf(checked(`+A123BJC5D6E71/${data}`))).toBe(reason);
  });
});

describe('HIBC supplementary data', () => {
  it('says what has no place in the secondary structure', () => {
    const code = checked('+A99912345/$$52001510X3/SXYZ456789012345678/16D20130202/14D20200115/Q00500/1TABC');
    expect(udiOf(code)).toMatchObject({
      batchNo: '10X3',
      serialNo: 'XYZ456789012345678',
      manufactureDate: '2013-02-02',
      expiryDate: '2020-01-15',
      quantity: 500,
      other: { '1T': 'ABC' },
    });
  });

  it('may follow the primary structure, and a secondary one that stands alone', () => {
    expect(udiOf(checked('+A99912345/14D20200131'))).toMatchObject({ expiryDate: '2020-01-31' });
    expect(udiOf(checked('+$10X3/16D20111231/S1/'))).toMatchObject({ batchNo: '10X3', serialNo: '1' });
  });

  it.each([
    ['14D20201301', 'illegal_date'],
    ['14D202001', 'illegal_date'],
    ['16D2020010A', 'illegal_date'],
    ['14D20200116', 'conflicting_values'],
    ['S1/S2', 'conflicting_values'],
    ['Q1A', 'illegal_value'],
    ['Q', 'too_short'],
    ['S1234567890123456789', 'too_long'],
    ['99D1', 'unknown_identifier'],
    ['', 'unknown_identifier'],
  ] as const)('/%s is refused: %s', (data, reason) => {
    expect(reasonOf(checked(`+A99912345/$$52001510X3/${data}`))).toBe(reason);
  });
});

describe('HIBC primary data', () => {
  it('the check character may be any of the 43, also where another symbol follows', () => {
    const seen = new Set<string>();
    for (let product = 0; product < 400; product += 1) {
      const code = checked(`+A123${product}1`);
      const check = code.slice(-1);
      seen.add(check);
      const deviceIdentifier = `A123${product}1`;
      expect(udiOf(code)).toMatchObject({ deviceIdentifier, other: {} });
      expect(udiOf(code + checked(`+$+SN${check}`))).toMatchObject({ deviceIdentifier, serialNo: 'SN' });
      expect(udiOf(checked(`+$10X3${check}`)).other.linkCharacter).toBe(check);
      expect(udiOf(checked(`+05271LOT${check}`))).toMatchObject({ batchNo: 'LOT', expiryDate: '2005-09-28' });
    }
    expect(seen.size).toBeGreaterThanOrEqual(19);
  });

  it.each([' ', '$', '/', '+', '%', '-', '.'])(
    '%j as check character is read, alone and in a pair',
    (wanted) => {
      const product = bodyWithCheck(wanted);
      const code = product + wanted;
      expect(udiOf(code).deviceIdentifier).toBe(product.slice(1));
      expect(udiOf(code + checked(`+$$7LOT${wanted}`))).toMatchObject({
        deviceIdentifier: product.slice(1),
        batchNo: 'LOT',
      });
    },
  );

  it('a slash as link character begins nothing, with any check character after it', () => {
    const lots = Array.from({ length: 200 }, (_, number) => `L${number}`);
    const lot = lots.find((number) => checkCharacter(`+05271${number}/`) === '$');
    expect(udiOf(`+05271${lot}/$`)).toMatchObject({ batchNo: lot, other: { linkCharacter: '/' } });
  });

  it('a space is data as any other: in the product number, the lot, the serial number and supplements', () => {
    const content = { deviceIdentifier: 'A123BJ C51', batchNo: 'LOT 1', serialNo: ' S 2' };
    const primary = checked('+A123BJ C51');
    const link = primary.slice(-1);
    for (const code of [
      checked('+A123BJ C51/$LOT 1/S S 2/1TA B'),
      checked('+A123BJ C51/$$7LOT 1/S S 2/1TA B'),
      primary + checked(`+$$7LOT 1/S S 2/1TA B${link}`),
      `*${primary}*${checked(`+$$7LOT 1/S S 2/1TA B${link}`)}*`,
    ])
      expect(udiOf(code)).toMatchObject({ ...content, other: { '1T': 'A B' } });
    expect(udiOf(primary).deviceIdentifier).toBe('A123BJ C51');
  });

  it('a space that the printed form shows as an underscore is a space, wherever it stands', () => {
    const printed = (code: string) => `*${code.replaceAll(' ', '_')}*`;
    expect(udiOf(printed(checked('+A123BJC5D6E71/$LOT 1'))).batchNo).toBe('LOT 1');
    expect(udiOf(printed(checked('+$$7LOT '))).other.linkCharacter).toBe(' ');
    expect(reasonOf('+A123BJC5D6E71/$LOT_1-')).toBe('illegal_character');
  });

  it('asterisks around it, and other signs between two symbols, are no part of it', () => {
    const second = checked('+$$7LOTG');
    for (const code of [
      `*${PRIMARY}*${second}*`,
      `*${PRIMARY}**${second}*`,
      `${PRIMARY}\r\n${second}`,
      `]C0${PRIMARY}${second}`,
    ])
      expect(udiOf(code)).toMatchObject({ raw: code, deviceIdentifier: 'A123BJC5D6E71', batchNo: 'LOT' });
    const body = bodyWithCheck(' ');
    expect(udiOf(`*${body}_*`).deviceIdentifier).toBe(body.slice(1));
  });

  it.each([
    ['+A123BJC5D6E71H', 'bad_check_character', 14],
    [PRIMARY + checked('+$$7LOTH'), 'bad_link_character', 22],
    [`${PRIMARY}${checked('+$$7LOTG').slice(0, -1)}#`, 'illegal_character', 23],
    ['+a123BJC5D6E71G', 'illegal_character', 1],
    [checked('+1ABC1234'), 'bad_labeler', 1],
    [checked('+A-BC1234'), 'bad_labeler', 1],
    [checked('+A123BJC5D6E7A'), 'illegal_value', 13],
    [checked('+A1231'), 'too_short', 1],
    [checked('+A123ABCDEFGHIJKLMNOPQRS1'), 'too_long', 5],
    [checked('+A123AB-CD1'), 'illegal_character', 5],
    [checked('+A 23ABCD1'), 'bad_labeler', 1],
    [checked(`+$${'A'.repeat(19)}L`), 'too_long', 2],
    [checked(`+$+${'A'.repeat(19)}L`), 'too_long', 3],
    [checked(`+$$7${'A'.repeat(19)}L`), 'too_long', 4],
    [checked(`+$$+7${'A'.repeat(19)}L`), 'too_long', 5],
    [checked(`+05271${'A'.repeat(19)}L`), 'too_long', 6],
    [checked('+A99912345/$10X3/05271'), 'unknown_identifier', 17],
    ['+', 'too_short', 0],
    ['+A', 'too_short', 0],
    ['+$', 'too_short', 0],
    ['*', 'unknown_format', 0],
    ['**', 'unknown_format', 0],
  ] as const)('%j is refused: %s', (code, reason, position) => {
    expect(failureOf(code)).toMatchObject({ reason, position });
  });

  it('a lone asterisk is quoted as it stands', () => {
    expect(failureOf('*').message).toContain('"*"');
  });
});

describe('a Basic UDI-DI of HIBC', () => {
  it.each(['++A999MODELIDENTIFIER11S8', '++A999MYD'])('%s is named as such', (basic) => {
    expect(udiOf(basic)).toMatchObject({
      issuingAgency: 'HIBCC',
      deviceIdentifier: null,
      other: { basicUdiDi: basic },
    });
  });

  it.each([
    ['++A999MODELIDENTIFIER11S9', 'bad_check_character'],
    ['++9999MODELIDENTIFIER11S8', 'bad_labeler'],
    ['++A999S8', 'too_short'],
    ['++A999MODELIDENTIFIER1111S8', 'too_long'],
  ] as const)('%s is refused: %s', (code, reason) => {
    expect(reasonOf(code)).toBe(reason);
  });
});
