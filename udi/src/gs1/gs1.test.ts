import { describe, expect, it } from 'vitest';
import { failureOf, reasonOf, udiOf } from '../../test/reading.js';
import { checkPair } from './check-digit.js';
import { applicationIdentifiers, identifierAt } from './identifiers.js';

const FNC1 = '\u001d';
const GTIN = '00844588003288';

describe('element strings', () => {
  it.each([']d2', ']C1', ']Q3', ']e0', ']J1', FNC1, `]d2${FNC1}`, ''])('may follow %j', (prefix) => {
    const code = `${prefix}01${GTIN}10A1${FNC1}17291231`;
    expect(udiOf(code)).toMatchObject({
      raw: code,
      deviceIdentifier: GTIN,
      batchNo: 'A1',
      expiryDate: '2029-12-31',
    });
  });

  it('a lot that swallowed an expiry for want of a separator stays a lot', () => {
    const udi = udiOf(`01${GTIN}10A117291231`);
    expect(udi).toMatchObject({ batchNo: 'A117291231', expiryDate: null });
    expect(reasonOf(`01${GTIN}10ABCDEFGHIJKLM17291231`)).toBe('too_long');
  });

  it('separators where none is needed, and behind the last element, are no matter', () => {
    expect(udiOf(`]d201${GTIN}${FNC1}17291231${FNC1}${FNC1}10A${FNC1}`)).toMatchObject({
      batchNo: 'A',
      expiryDate: '2029-12-31',
    });
  });

  it('what an identifier of fixed length lacks is not taken from elsewhere', () => {
    expect(reasonOf(`]d201${GTIN.slice(0, 13)}${FNC1}10A`)).toBe('too_short');
    expect(reasonOf(`]d201${GTIN}1729123`)).toBe('too_short');
    expect(reasonOf(`]d201${GTIN}10`)).toBe('too_short');
    expect(reasonOf(`(01)${GTIN}(10)`)).toBe('too_short');
  });

  it('everything without a field of its own is in other, by its identifier', () => {
    const code = `(01)${GTIN}(30)0012(240)REF-1(21)S(250)S2(3103)001250(8012)2.1(91)X(713)123`;
    expect(udiOf(code)).toMatchObject({
      quantity: 12,
      serialNo: 'S',
      other: { 240: 'REF-1', 250: 'S2', 3103: '001250', 8012: '2.1', 91: 'X', 713: '123' },
    });
  });

  it('date and time give the day, unless there is a date', () => {
    const timed = udiOf(`(01)${GTIN}(7003)2912312359(8008)25010214`);
    expect(timed).toMatchObject({ expiryDate: '2029-12-31', manufactureDate: '2025-01-02' });
    expect(timed.other).toEqual({ 7003: '2912312359', 8008: '25010214' });
    expect(udiOf(`(01)${GTIN}(7003)2912312359(17)291230`).expiryDate).toBe('2029-12-30');
  });

  it('an individual trade item (8006) names the item', () => {
    expect(udiOf(`(8006)${GTIN}0102(21)7`)).toMatchObject({
      deviceIdentifier: GTIN,
      serialNo: '7',
      other: { 8006: `${GTIN}0102` },
    });
    expect(reasonOf(`(8006)${GTIN}0302`)).toBe('illegal_value');
  });

  it('brackets inside a value belong to it, unless they look like an identifier', () => {
    expect(udiOf(`(01)${GTIN}(10)A(B)(1)(21)(x)`)).toMatchObject({ batchNo: 'A(B)(1)', serialNo: '(x)' });
    expect(udiOf(`(01)${GTIN}(10)A\\(21)B`)).toMatchObject({ batchNo: 'A(21)B', serialNo: null });
    expect(reasonOf(`(01)${GTIN}(10)A(2024)`)).toBe('unknown_identifier');
  });

  it('white space around the parts of a printed code is no matter', () => {
    expect(udiOf(`(01) ${GTIN}\n(10) A1 `)).toMatchObject({ deviceIdentifier: GTIN, batchNo: 'A1' });
  });

  it.each([
    [`(01)${GTIN}(9x)1`, 'unknown_identifier', 18],
    [`(01)${GTIN}(x)1`, 'unknown_identifier', 18],
    [`(01)${GTIN}()1`, 'unknown_identifier', 18],
    [`(01)${GTIN}(12345)1`, 'unknown_identifier', 18],
    [`(01)${GTIN}(10`, 'unknown_identifier', 18],
    [`(01)${GTIN} (9x)1`, 'unknown_identifier', 19],
    [`(01)${GTIN}(17)291231(9x)1`, 'unknown_identifier', 28],
    [`(01)${GTIN}(10)ABCDEFGHIJKLMNOPQRST(9x)1`, 'unknown_identifier', 42],
    [`(01)${GTIN}(10)ABCDEFGHIJKLMNOPQRSTU(9x)1`, 'too_long', 22],
    ['(01)00844588003289(9x)1', 'bad_check_digit', 4],
    [`(01)${GTIN}(10)Ä`, 'illegal_character', 22],
    [`(01)${GTIN}(10)A B`, 'illegal_character', 22],
    [`(01)${GTIN}(10)A${FNC1}B`, 'illegal_character', 22],
    [`(01)0084458800328X`, 'illegal_character', 4],
    [`(01)${GTIN}(17)29123A`, 'illegal_character', 22],
    [`(01)${GTIN}(8010)AB_C(8011)1`, 'illegal_character', 24],
    [`(01)${GTIN}(7003)2912002359`, 'illegal_date', 24],
    [`(01)${GTIN}(7003)2912312460`, 'illegal_date', 24],
    [`(01)${GTIN}(10)A(10)B`, 'conflicting_values', 23],
    [`(01)${GTIN}(410)4012345000010`, 'bad_check_digit', 23],
    [`(01)${GTIN}(02)${GTIN}`, 'forbidden_combination', 18],
    [`(01)${GTIN}(37)10`, 'forbidden_combination', 18],
    [`(01)${GTIN}(21)A(235)B`, 'forbidden_combination', 23],
    [`(01)${GTIN}(3102)000001(3103)000001`, 'forbidden_combination', 30],
    [`(01)${GTIN}(3100)000001(3101)000001`, 'forbidden_combination', 30],
    [`(01)${GTIN}(3102)000001(3922)100(3923)100`, 'forbidden_combination', 39],
    [`(01)${GTIN}(3102)000001(3932)978100(3930)978100`, 'forbidden_combination', 42],
    [`(01)${GTIN}(3102)000001(3950)000001(3953)000001`, 'forbidden_combination', 42],
    [`(01)${GTIN}(250)A`, 'missing_companion', 18],
    [`(01)${GTIN}(254)A`, 'missing_companion', 18],
    [`(01)${GTIN}(8011)1`, 'missing_companion', 18],
    [`(00)123456789012345675`, 'missing_device_identifier', 0],
    [`(02)${GTIN}(37)5`, 'missing_device_identifier', 0],
    [`]d2`, 'missing_device_identifier', 0],
    [`]d2+A123BJC5D6E71G`, 'unknown_identifier', 3],
    [`01${GTIN}05`, 'unknown_identifier', 16],
    [`(1)${GTIN}`, 'unknown_format', 0],
    [`()`, 'unknown_format', 0],
  ] as const)('%j is refused: %s', (code, reason, position) => {
    expect(failureOf(code)).toMatchObject({ reason, position });
  });

  it('a measure and a price may have different numbers of decimals', () => {
    expect(udiOf(`(01)${GTIN}(3103)000001(3922)100`)).toMatchObject({
      other: { 3103: '000001', 3922: '100' },
    });
  });

  it('the same identifier twice with the same value is one', () => {
    expect(udiOf(`(01)${GTIN}(10)A(10)A(01)${GTIN}`)).toMatchObject({ batchNo: 'A' });
  });
});

describe('a GTIN', () => {
  it.each([
    ['96385074', '00000096385074'],
    ['036000291452', '00036000291452'],
    ['4006381333931', '04006381333931'],
    ['06901234567892', '06901234567892'],
  ])('%s is one code in 14 digits, alone, bracketed and in a Digital Link', (gtin, canonical) => {
    for (const code of [
      gtin,
      `(01)${gtin}(10)A`,
      `https://example.org/01/${gtin}`,
      `]E0${gtin}`,
      `]I1${gtin}`,
    ])
      expect([code, udiOf(code).deviceIdentifier]).toEqual([code, canonical]);
  });

  it.each(['96385075', '036000291453', '4006381333932', '06901234567893'])(
    '%s has a wrong check digit',
    (gtin) => {
      for (const code of [gtin, `(01)${gtin}`, `https://example.org/01/${gtin}`])
        expect([code, reasonOf(code)]).toEqual([code, 'bad_check_digit']);
    },
  );

  it('a symbol that carries only GTINs carries nothing else', () => {
    expect(reasonOf(']E0012345')).toBe('unknown_format');
    expect(reasonOf(`]E001${GTIN}`)).toBe('unknown_format');
  });
});

describe('Digital Link', () => {
  it.each([
    'https://id.gs1.org/01/09521234543213/22/V/10/A%2FB/21/1?17=291231&11=250101&3103=000195&30=2',
    'HTTP://shop.example:8080/a/b/01/9521234543213/22/V/10/A%2fB/21/1/?11=250101&x=1&17=291231&3103=000195&linkType=all&30=2#f',
    'https:/id.gs1.org/gtin/09521234543213/cpv/V/lot/A%2FB/ser/1?17=291231;11=250101;3103=000195;30=2',
    ']Q1https://id.gs1.org/01/09521234543213/22/V/10/A%2FB?21=1&17=291231&11=250101&3103=000195&30=2',
  ])('%s', (code) => {
    expect(udiOf(code)).toEqual({
      raw: code,
      issuingAgency: 'GS1',
      deviceIdentifier: '09521234543213',
      batchNo: 'A/B',
      serialNo: '1',
      manufactureDate: '2025-01-01',
      expiryDate: '2029-12-31',
      quantity: 2,
      other: { 22: 'V', 3103: '000195' },
    });
  });

  it('a path may hold what looks like an identifier, before the key and as a value', () => {
    expect(udiOf('https://x.example/2024/01/news/01/09521234543213/10/01')).toMatchObject({ batchNo: '01' });
    expect(udiOf('https://x.example/01/09521234543213/10/01/21/5')).toMatchObject({
      batchNo: '01',
      serialNo: '5',
    });
    expect(udiOf('https://x.example/01/09521234543213/10/10/21/21')).toMatchObject({
      batchNo: '10',
      serialNo: '21',
    });
  });

  it('a refusal of the order points at the first identifier that comes too late', () => {
    const link = 'https://id.gs1.org/01/09521234543213/21/S1/10/B1';
    expect(failureOf(link)).toMatchObject({ reason: 'wrong_order', position: link.indexOf('10/B1') });
  });

  it('a plus is a plus', () => {
    expect(udiOf('https://x.example/01/09521234543213/10/A+B?21=C+D')).toMatchObject({
      batchNo: 'A+B',
      serialNo: 'C+D',
    });
  });

  it.each([
    ['https://id.gs1.org/01/09521234543214', 'bad_check_digit'],
    ['https://id.gs1.org/01/0952123454321X', 'illegal_character'],
    ['https://id.gs1.org/01/09521234543213/10/%', 'bad_encoding'],
    ['https://id.gs1.org/01/09521234543213/10/%2', 'bad_encoding'],
    ['https://id.gs1.org/01/09521234543213/10/%zz', 'bad_encoding'],
    ['https://id.gs1.org/01/09521234543213/10/%C3%84', 'bad_encoding'],
    ['https://id.gs1.org/01/09521234543213/10/A%20B', 'illegal_character'],
    ['https://id.gs1.org/01/09521234543213/10', 'too_short'],
    ['https://id.gs1.org/01/09521234543213/lott/A', 'unknown_identifier'],
    ['https://id.gs1.org/01/09521234543213?77=1', 'unknown_identifier'],
    ['https://id.gs1.org/01/09521234543213?17=291301', 'illegal_date'],
    ['https://id.gs1.org/01/09521234543213/10/A?10=B', 'conflicting_values'],
    ['https://id.gs1.org/01/09521234543213/21/S1/10/B1', 'wrong_order'],
    ['https://id.gs1.org/01/09521234543213/10/B1/22/V', 'wrong_order'],
    ['https://id.gs1.org/01/09521234543213/21/S1/22/V', 'wrong_order'],
    ['https://id.gs1.org/gtin/09521234543213/ser/S1/lot/B1', 'wrong_order'],
    ['https://id.gs1.org/8006/095212345432130102/21/S1/10/B1', 'wrong_order'],
    ['https://id.gs1.org/01/09521234543213/17/291231', 'wrong_order'],
    ['https://id.gs1.org/01/09521234543213/10/B1/17/291231/21/S1', 'wrong_order'],
    ['https://id.gs1.org/8013/1987654Ad4X4bL5ttr2310c2K/10/B1', 'wrong_order'],
    ['https://id.gs1.org/01/09521234543213/10/A/10/B', 'conflicting_values'],
    ['https://id.gs1.org/00/123456789012345675', 'missing_device_identifier'],
    ['https://id.gs1.org/414/4012345000009', 'missing_device_identifier'],
    ['https://example.org/', 'unknown_format'],
    ['https://example.org/about?01=09521234543213', 'unknown_format'],
    ['https://', 'unknown_format'],
    ['https:', 'unknown_format'],
    ['ftp://id.gs1.org/01/09521234543213', 'unknown_format'],
  ] as const)('%s is refused: %s', (code, reason) => {
    expect(reasonOf(code)).toBe(reason);
  });
});

it('yes and no of a shipment are 1 and 0', () => {
  const shipped = '(01)09521234543213(00)106141412345678908(4321)';
  expect(udiOf(`${shipped}1`).other).toMatchObject({ 4321: '1' });
  expect(reasonOf(`${shipped}2`)).toBe('illegal_value');
});

it('an address without a key is refused at its host, after one slash or two', () => {
  expect(failureOf('https://id.gs1.org/')).toMatchObject({ reason: 'unknown_format', position: 8 });
  expect(failureOf('https:/id.gs1.org/')).toMatchObject({ reason: 'unknown_format', position: 7 });
});

describe('a Global Model Number', () => {
  const model = '1987654Ad4X4bL5ttr2310c2K';

  it.each([model, `(8013)${model}`, `]d28013${model}`, `https://id.gs1.org/8013/${model}`])(
    '%s is a Basic UDI-DI',
    (code) => {
      expect(udiOf(code)).toMatchObject({
        issuingAgency: 'GS1',
        deviceIdentifier: null,
        other: { basicUdiDi: model },
      });
    },
  );

  it('its check characters are checked', () => {
    expect(reasonOf(`(8013)${model.slice(0, -1)}L`)).toBe('bad_check_character');
    expect(reasonOf(`${model.slice(0, -1)}L`)).toBe('unknown_format');
  });

  it('may begin with 01 and consist of digits where it is too short to hold a GTIN', () => {
    const short = `01000002${checkPair('01000002')}`;
    expect(short).toMatch(/^\d{10}$/);
    expect(udiOf(short).other).toEqual({ basicUdiDi: short });
  });

  it('has only characters that codes may have, however its check characters come out', () => {
    const text = '1987654Ad4X4bL5ttr2310é';
    expect(reasonOf(text + checkPair(text))).toBe('unknown_format');
  });

  it('a GTIN with a wrong check digit never passes for one', () => {
    for (let lot = 0; lot < 3000; lot += 1) {
      const wrong = `010084458800328910${lot}`;
      expect(reasonOf(`${wrong}${checkPair(wrong)}`)).toBe('bad_check_digit');
    }
  });
});

describe('the table of application identifiers', () => {
  it('no identifier begins another, so that each can be separated from the digits after it', () => {
    const all = [...applicationIdentifiers.keys()];
    for (const ai of all) expect(identifierAt(`${ai}0000`, 0)?.ai).toBe(ai);
    expect(all.length).toBeGreaterThan(450);
  });

  it('a predefined length is one length', () => {
    for (const { ai, isPredefinedLength, lengthMin, lengthMax } of applicationIdentifiers.values())
      if (isPredefinedLength) expect([ai, lengthMin]).toEqual([ai, lengthMax]);
  });
});
