import { describe, expect, it } from 'vitest';
import { failureOf, udiOf } from '../../test/reading.js';

const DEVICE = '=/A9999XYZ100T0474';

describe('ISBT 128', () => {
  it('reads a compound message and keeps the donation number', () => {
    const code = '=+05037=/A9999XYZ100T0474=,000025=A99971312345600=>014032=}013032';
    expect(udiOf(code)).toEqual({
      raw: code,
      issuingAgency: 'ICCBBA',
      deviceIdentifier: 'A9999XYZ100T0474',
      batchNo: null,
      serialNo: '000025',
      manufactureDate: '2013-02-01',
      expiryDate: '2014-02-01',
      quantity: null,
      other: { compoundMessage: '05037', donationIdentificationNumber: 'A99971312345600' },
    });
  });

  it('reads blood containers', () => {
    expect(udiOf('=)1TE123456A&)RZ12345678')).toMatchObject({
      issuingAgency: 'ICCBBA',
      deviceIdentifier: '1TE123456A',
      batchNo: 'RZ12345678',
    });
  });

  it('a structure with a time gives the day and keeps the time', () => {
    const udi = udiOf(`]C4${DEVICE}&>0261002359&}9993650000&*0260010815=<E0456V00=%5100&(N0001`);
    expect(udi).toMatchObject({ expiryDate: '2026-04-10', manufactureDate: '1999-12-31' });
    expect(udi.other).toEqual({
      expiryTime: '2359',
      manufactureTime: '0000',
      collectionDate: '2026-01-01',
      collectionTime: '0815',
      productCode: 'E0456V00',
      bloodGroups: '5100',
      specialTesting: 'N0001',
    });
  });

  it.each([
    [`${DEVICE}=>014366`, 'illegal_date', 20],
    [`${DEVICE}=>014000`, 'illegal_date', 20],
    [`${DEVICE}&>0140322460`, 'illegal_date', 20],
    [`${DEVICE}=>01403`, 'too_short', 20],
    [`${DEVICE}=>01403A`, 'illegal_character', 25],
    ['=/A9999xyz100T0474', 'illegal_character', 7],
    ['=/A9999XYZ100', 'too_short', 2],
    [`${DEVICE}=,000025=,000026`, 'conflicting_values', 26],
    [`${DEVICE}=)1TE123456A`, 'conflicting_values', 0],
    [`${DEVICE}=?1`, 'unknown_identifier', 18],
    [`${DEVICE}&,2000`, 'unknown_identifier', 18],
    [`${DEVICE}X`, 'unknown_identifier', 18],
    [`${DEVICE}=+02000`, 'unknown_identifier', 18],
    [`=+03000${DEVICE}=>014032`, 'incomplete_message', 0],
    ['=A99971312345600', 'missing_device_identifier', 0],
    ['=', 'unknown_identifier', 0],
    ['&', 'unknown_identifier', 0],
  ] as const)('%s is refused: %s', (code, reason, position) => {
    expect(failureOf(code)).toMatchObject({ reason, position });
  });
});
