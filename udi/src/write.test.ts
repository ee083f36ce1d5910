import { describe, expect, it } from 'vitest';
import { today, udiOf } from '../test/reading.js';
import held from '../test/vectors.json' with { type: 'json' };
import { readUdi, type UdiDraft, type UdiForm, writeUdi } from './index.js';

const gs1: UdiDraft = {
  issuingAgency: 'GS1',
  deviceIdentifier: '09521234543213',
  batchNo: 'ABC/1',
  serialNo: '(21)5',
  manufactureDate: '2025-01-02',
  expiryDate: '2028-04-26',
  quantity: 5,
  other: { 22: 'V', 3103: '000195', 240: 'REF' },
};
const hibc: UdiDraft = {
  issuingAgency: 'HIBCC',
  deviceIdentifier: 'A99912349',
  batchNo: '10X3',
  manufactureDate: '2011-12-31',
  expiryDate: '2020-01-31',
  quantity: 500,
};
const hibcDevice: UdiDraft = { issuingAgency: 'HIBCC', deviceIdentifier: 'A123BJC5D6E71' };

describe('canonical forms', () => {
  it.each<[UdiForm, UdiDraft, string]>([
    [
      'bracketed',
      gs1,
      '(01)09521234543213(11)250102(17)280426(3103)000195(10)ABC/1(21)\\(21)5(30)5(22)V(240)REF',
    ],
    [
      'scanner',
      gs1,
      '010952123454321311250102172804263103000195' + '10ABC/1\u001d21(21)5\u001d305\u001d22V\u001d240REF',
    ],
    [
      'digital-link',
      gs1,
      'https://id.gs1.org/01/09521234543213/22/V/10/ABC%2F1/21/%2821%295?11=250102&17=280426&3103=000195&30=5&240=REF',
    ],
    ['hibc', hibc, '+A99912349/$10X3/16D20111231/14D20200131/Q500Z'],
    [
      'hibc',
      { ...hibc, batchNo: null, serialNo: '1', quantity: null, manufactureDate: null },
      '+A99912349/$+1/14D20200131R',
    ],
    ['hibc', hibcDevice, '+A123BJC5D6E71G'],
    ['hibc', { ...hibcDevice, other: { '1T': 'ABC', L: 'ICU' } }, '+A123BJC5D6E71/1TABC/LICUP'],
    [
      'hibc',
      { ...hibcDevice, expiryDate: '2020-01-31', other: { expiryHour: '22' } },
      '+A123BJC5D6E71/$$420013122K',
    ],
    [
      'hibc',
      { issuingAgency: 'HIBCC', other: { basicUdiDi: '++A999MODELIDENTIFIER11S8' } },
      '++A999MODELIDENTIFIER11S8',
    ],
    [
      'bracketed',
      { issuingAgency: 'GS1', other: { basicUdiDi: '1987654Ad4X4bL5ttr2310c2K' } },
      '(8013)1987654Ad4X4bL5ttr2310c2K',
    ],
  ])('%s', (form, draft, code) => {
    expect(writeUdi(draft, { form, today })).toEqual({ ok: true, code });
  });

  it('the published ISBT 128 code is its own canonical form', () => {
    const code = held.vectors.find(({ id }) => id === 'iccbba-full')?.code ?? '';
    expect(writeUdi(udiOf(code), { form: 'isbt-128', today })).toEqual({ ok: true, code });
  });

  it('every published code that can be read can be written, and says the same', () => {
    const forms = { GS1: 'bracketed', HIBCC: 'hibc', ICCBBA: 'isbt-128' } as const;
    for (const { code, error } of held.vectors) {
      if (error !== undefined) continue;
      const { raw, ...content } = udiOf(code);
      const writing = writeUdi(content, { form: forms[content.issuingAgency as keyof typeof forms], today });
      const again = writing.ok ? readUdi(writing.code, { today }) : writing;
      expect([raw, again]).toMatchObject([code, { ok: true, udi: content }]);
    }
  });

  it('a resolver may end in a slash', () => {
    const draft: UdiDraft = { issuingAgency: 'GS1', deviceIdentifier: '09521234543213' };
    expect(writeUdi(draft, { form: 'digital-link', today, resolver: 'https://x.example/a/' })).toEqual({
      ok: true,
      code: 'https://x.example/a/01/09521234543213',
    });
  });
});

describe('what cannot be written is refused', () => {
  it.each<[string, UdiForm, UdiDraft, string]>([
    ['a form of another agency', 'hibc', gs1, 'not_expressible'],
    ['a year beyond two digits', 'bracketed', { ...gs1, expiryDate: '2099-01-01' }, 'not_expressible'],
    [
      'a lot with a separator in it',
      'scanner',
      { ...gs1, serialNo: null, batchNo: 'A\u001d21X' },
      'not_expressible',
    ],
    ['a lot with a slash, in HIBC', 'hibc', { ...hibc, batchNo: 'A/SB' }, 'not_expressible'],
    ['a lot that would be a flag, in HIBC', 'hibc', { ...hibc, batchNo: '$7A' }, 'not_expressible'],
    ['a name the form does not have', 'hibc', { ...hibc, other: { colour: 'red' } }, 'not_expressible'],
    ['an hour without a day', 'hibc', { ...hibcDevice, other: { expiryHour: '22' } }, 'not_expressible'],
    ['an unknown application identifier', 'bracketed', { ...gs1, other: { 77: 'X' } }, 'unknown_identifier'],
    ['a wrong check digit', 'bracketed', { ...gs1, deviceIdentifier: '09521234543214' }, 'bad_check_digit'],
    ['no device', 'scanner', { issuingAgency: 'GS1', batchNo: 'A' }, 'missing_device_identifier'],
    ['half a number', 'bracketed', { ...gs1, quantity: 0.5 }, 'illegal_character'],
  ])('%s', (_what, form, draft, reason) => {
    expect(writeUdi(draft, { form, today })).toMatchObject({ ok: false, failure: { reason } });
  });
});
