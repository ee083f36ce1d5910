import { describe, expect, it } from 'vitest';
import { reasonOf, today, udiOf } from '../../test/reading.js';
import { writeUdi } from '../index.js';

const DEVICE = '=/A9999XYZ100T0474';
const draft = { issuingAgency: 'ICCBBA', deviceIdentifier: 'A9999XYZ100T0474' } as const;

describe('ISBT 128', () => {
  it.each([
    ['999365', '1999-12-31'],
    ['000031', '2000-01-31'],
    ['126001', '2126-01-01'],
  ])('the century of %s is its first digit: %s', (text, expiryDate) => {
    const code = `${DEVICE}=>${text}`;
    expect(udiOf(code).expiryDate).toBe(expiryDate);
    expect(writeUdi({ ...draft, expiryDate }, { form: 'isbt-128', today })).toEqual({ ok: true, code });
  });

  it('a time and the header of a compound message are written as they were read', () => {
    const code = `=+02037${DEVICE}&>0261002359`;
    expect(writeUdi(udiOf(code), { form: 'isbt-128', today })).toEqual({ ok: true, code });
  });

  it('a header that announces no number is not compared with what follows', () => {
    expect(udiOf(`=+00037${DEVICE}`).deviceIdentifier).toBe('A9999XYZ100T0474');
  });

  it('only = begins a donation identification number', () => {
    expect(reasonOf(`${DEVICE}&A99971312345600`)).toBe('unknown_identifier');
  });

  it('a value of another length than its structure is refused for its length', () => {
    expect(writeUdi({ ...draft, serialNo: '25' }, { form: 'isbt-128', today })).toMatchObject({
      ok: false,
      failure: { reason: 'too_short' },
    });
  });
});
