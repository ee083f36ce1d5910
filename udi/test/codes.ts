import fc from 'fast-check';
import { checkDigit, checkPair } from '../src/gs1/check-digit.js';
import type { UdiContent } from '../src/index.js';

/** Contents that each form can say, made at random. */

const DIGITS = '0123456789';
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SET_82 = `!"%&'()*+,-./${DIGITS}:;<=>?${CAPITALS}_${CAPITALS.toLowerCase()}`;

const text = (characters: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });
const digits = (minLength: number, maxLength = minLength) => text(DIGITS, minLength, maxLength);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });

const date = (from: string, to: string): fc.Arbitrary<string> =>
  fc
    .date({ min: new Date(`${from}T00:00:00Z`), max: new Date(`${to}T00:00:00Z`), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10));

/** Dates whose year two digits can express in 2026. */
const nearDate = date('1977-01-01', '2076-12-31');
const shortDate = (day: string): string => day.replaceAll('-', '').slice(2);
const hour = fc.integer({ min: 0, max: 23 }).map((value) => String(value).padStart(2, '0'));
const time = fc
  .tuple(hour, fc.integer({ min: 0, max: 59 }))
  .map(([h, m]) => `${h}${String(m).padStart(2, '0')}`);

const gtin = digits(13).map((body) => body + checkDigit(body));
const gln = digits(12).map((body) => body + checkDigit(body));
const number82 = text(SET_82, 1, 20);

const present = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** Identifiers that may stand beside a GTIN without further company. */
const gs1Other = fc
  .record(
    {
      '13': nearDate.map(shortDate),
      '20': digits(2),
      '22': number82,
      '240': text(SET_82, 1, 30),
      '242': digits(1, 6),
      '3103': digits(6),
      '410': gln,
      '422': digits(3),
      '7003': fc.tuple(nearDate, time).map(([day, at]) => shortDate(day) + at),
      '710': text(SET_82, 1, 20),
      '8012': number82,
      '91': text(SET_82, 1, 90),
    },
    { requiredKeys: [] },
  )
  .map(present);

export const gs1Content: fc.Arbitrary<UdiContent> = fc.record({
  issuingAgency: fc.constant('GS1' as const),
  deviceIdentifier: gtin,
  batchNo: maybe(number82),
  serialNo: maybe(number82),
  manufactureDate: maybe(nearDate),
  expiryDate: nearDate,
  quantity: maybe(fc.nat(99_999_999)),
  other: gs1Other,
});

export const modelNumber: fc.Arbitrary<string> = fc
  .tuple(digits(4, 12), text(SET_82, 1, 11))
  .map(([prefix, model]) => prefix + model + checkPair(prefix + model));

/** Everything of HIBC's set but the slash, which separates; in front, `$` and `+` are flags. */
const hibcNumber = text(`${DIGITS}${CAPITALS}-. $+%`, 1, 18).filter((number) => !/^[$+]/.test(number));
const labeler = fc.tuple(text(CAPITALS, 1), text(`${DIGITS}${CAPITALS}`, 3)).map(([one, more]) => one + more);
const hibcFields = {
  issuingAgency: fc.constant('HIBCC' as const),
  batchNo: maybe(hibcNumber),
  serialNo: maybe(hibcNumber),
  manufactureDate: maybe(date('1900-01-01', '2999-12-31')),
  quantity: maybe(fc.nat(999_999_999)),
};

/** With or without the hour, which only a year of two digits can have beside it. */
const hibcExpiry = fc.oneof(
  fc.record({ expiryDate: maybe(date('1900-01-01', '2999-12-31')), other: fc.constant({}) }),
  fc.record({ expiryDate: nearDate, other: fc.record({ expiryHour: hour }) }),
);

export const hibcContent: fc.Arbitrary<UdiContent> = fc
  .tuple(
    fc.record({
      ...hibcFields,
      deviceIdentifier: fc
        .tuple(labeler, text(`${DIGITS}${CAPITALS} `, 1, 18), digits(1))
        .map((parts) => parts.join('')),
    }),
    hibcExpiry,
  )
  .map(([fields, expiry]) => ({ ...fields, ...expiry }));

/** A secondary code by itself: a lot or a serial number at least, and the link to its primary code. */
export const hibcSecondary: fc.Arbitrary<UdiContent> = fc
  .tuple(
    fc.record({ ...hibcFields, batchNo: hibcNumber, deviceIdentifier: fc.constant(null) }),
    hibcExpiry,
    text(`${DIGITS}${CAPITALS}-. $/+%`, 1),
  )
  .map(([fields, { expiryDate, other }, linkCharacter]) => ({
    ...fields,
    expiryDate,
    other: { ...other, linkCharacter },
  }));

const isbtText = (length: number) => text(`${DIGITS}${CAPITALS}`, length);
const isbtDate = date('1900-01-01', '2899-12-31');
const isbtOther = fc
  .record(
    {
      donationIdentificationNumber: isbtText(14).map((body) => `A${body}`),
      productCode: isbtText(8),
      bloodGroups: isbtText(4),
      specialTesting: isbtText(5),
      collectionDate: isbtDate,
      expiryTime: time,
      manufactureTime: time,
    },
    { requiredKeys: [] },
  )
  .map(present);

export const isbtContent: fc.Arbitrary<UdiContent> = fc.boolean().chain((isContainer) =>
  fc.record({
    issuingAgency: fc.constant('ICCBBA' as const),
    deviceIdentifier: isbtText(isContainer ? 10 : 16),
    batchNo: maybe(isbtText(isContainer ? 10 : 18)),
    serialNo: maybe(isbtText(6)),
    manufactureDate: isbtDate,
    expiryDate: isbtDate,
    quantity: fc.constant(null),
    other: isbtOther,
  }),
);

/** One change a scanner, a keyboard or a network might make. */
export interface Mutation {
  readonly kind: 'replace' | 'remove' | 'insert' | 'cut' | 'repeat';
  readonly place: number;
  readonly character: string;
}

export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('replace', 'remove', 'insert', 'cut', 'repeat'),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    character: fc.oneof(
      fc.constantFrom(...`${SET_82} $/\u001d]\\%\u0000*é`),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
    ),
  }),
  { minLength: 1, maxLength: 4 },
);

export function mutated(code: string, { kind, place, character }: Mutation): string {
  const at = Math.floor(place * code.length);
  const before = code.slice(0, at);
  if (kind === 'insert') return before + character + code.slice(at);
  if (kind === 'cut') return before;
  if (kind === 'repeat') return before + before + code.slice(at);
  return before + (kind === 'replace' ? character : '') + code.slice(at + 1);
}
