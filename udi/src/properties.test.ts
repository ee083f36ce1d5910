import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  gs1Content,
  hibcContent,
  hibcSecondary,
  isbtContent,
  type Mutation,
  modelNumber,
  mutated,
  mutations,
} from '../test/codes.js';
import { reasonOf, today, udiOf } from '../test/reading.js';
import { sized } from '../test/sizes.js';
import {
  failureReasons,
  readUdi,
  type UdiContent,
  type UdiForm,
  type UdiReading,
  writeUdi,
} from './index.js';

const numRuns = sized(100, 100_000);
const timeout = sized(120_000, 1_800_000);

function written(content: UdiContent, form: UdiForm): string {
  const writing = writeUdi(content, { form, today });
  if (!writing.ok) expect.fail(`${JSON.stringify(content)}: ${JSON.stringify(writing.failure)}`);
  return writing.code;
}

const formats: [name: string, form: UdiForm, contents: fc.Arbitrary<UdiContent>][] = [
  ['bracketed element strings', 'bracketed', gs1Content],
  ['scanned element strings', 'scanner', gs1Content],
  ['Digital Links', 'digital-link', gs1Content],
  ['HIBC codes', 'hibc', hibcContent],
  ['HIBC secondary codes', 'hibc', hibcSecondary],
  ['ISBT 128 codes', 'isbt-128', isbtContent],
];

/** A reading that keeps the promises every reading keeps. */
function expectSound(code: string, reading: UdiReading): void {
  if (reading.ok) {
    expect(reading.udi.raw).toBe(code);
    expect(Object.keys(reading.udi)).toHaveLength(9);
    for (const day of [reading.udi.expiryDate, reading.udi.manufactureDate])
      expect(day ?? '2000-01-01').toMatch(/^\d{4}-\d{2}-\d{2}$/);
    return;
  }
  const { reason, position, message } = reading.failure;
  expect(failureReasons).toContain(reason);
  expect(message).not.toBe('');
  expect(position).toBeGreaterThanOrEqual(0);
  expect(position).toBeLessThanOrEqual(code.length);
}

describe.each(formats)('%s', (_name, form, contents) => {
  it('that were written say, when read, what was to be written', { timeout }, () => {
    fc.assert(
      fc.property(contents, (content) => {
        const code = written(content, form);
        expect(udiOf(code)).toEqual({ raw: code, ...content });
      }),
      { numRuns },
    );
  });

  it('that were damaged are read or refused, and nothing worse', { timeout }, () => {
    fc.assert(
      fc.property(contents, mutations, (content, changes: Mutation[]) => {
        const code = changes.reduce(mutated, written(content, form));
        expectSound(code, readUdi(code, { today }));
      }),
      { numRuns },
    );
  });
});

describe('a wrong check digit', () => {
  const wrongDigit = (digit: string, by: number) => String((Number(digit) + by) % 10);
  const by = fc.integer({ min: 1, max: 9 });

  it.each(['bracketed', 'scanner', 'digital-link'] as const)(
    'in a GTIN is always refused: %s',
    { timeout },
    (form) => {
      fc.assert(
        fc.property(gs1Content, by, fc.nat(13), (content, change, place) => {
          const gtin = content.deviceIdentifier ?? '';
          const digit = wrongDigit(gtin[place] ?? '', change);
          const wrong = gtin.slice(0, place) + digit + gtin.slice(place + 1);
          const code = written(content, form).replace(gtin, () => wrong);
          expect(reasonOf(code)).toBe('bad_check_digit');
        }),
        { numRuns },
      );
    },
  );

  it('in a GTIN alone is always refused', { timeout }, () => {
    fc.assert(
      fc.property(gs1Content, by, ({ deviceIdentifier }, change) => {
        const gtin = deviceIdentifier ?? '';
        expect(reasonOf(gtin.slice(0, 13) + wrongDigit(gtin.slice(13), change))).toBe('bad_check_digit');
      }),
      { numRuns },
    );
  });
});

describe('a wrong check character', () => {
  const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%';

  it.each([
    ['HIBC', hibcContent],
    ['HIBC secondary', hibcSecondary],
  ])('of a %s code is always refused', { timeout }, (_name, contents) => {
    fc.assert(
      fc.property(contents, fc.integer({ min: 1, max: 42 }), (content, change) => {
        const code = written(content, 'hibc');
        const wrong = characters[(characters.indexOf(code.slice(-1)) + change) % 43];
        expect(reasonOf(code.slice(0, -1) + wrong)).toBe('bad_check_character');
      }),
      { numRuns },
    );
  });

  it('of a Global Model Number is always refused', { timeout }, () => {
    const pair = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
    fc.assert(
      fc.property(
        modelNumber,
        fc.integer({ min: 1, max: 31 }),
        fc.constantFrom(1, 2),
        (model, change, fromEnd) => {
          expect(udiOf(`(8013)${model.replaceAll('(', '\\(')}`).other).toEqual({ basicUdiDi: model });
          const at = model.length - fromEnd;
          const wrong = pair[(pair.indexOf(model[at] ?? '') + change) % 32];
          expect(reasonOf(`]d28013${model.slice(0, at)}${wrong}${model.slice(at + 1)}`)).toBe(
            'bad_check_character',
          );
        },
      ),
      { numRuns },
    );
  });
});

describe('any text at all', () => {
  const start = fc.constantFrom(
    '',
    '(01)',
    ']d2',
    ']C1',
    '+',
    '++',
    '*+',
    '=',
    '&',
    '=/',
    'https://',
    'MA.',
    'AHM',
    'PP1',
    '01',
  );
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.string({ unit: 'grapheme-ascii', maxLength: 120 }),
    fc.string({ unit: fc.constantFrom(...'01(17)+$/=&.%\u001d9AD'), maxLength: 120 }),
  );

  it('is read or refused, and nothing worse', { timeout }, () => {
    fc.assert(
      fc.property(start, anything, (prefix, text) => {
        expectSound(prefix + text, readUdi(prefix + text, { today }));
      }),
      { numRuns },
    );
  });

  it('in a draft is written so that it reads the same, or refused', { timeout }, () => {
    const wildText = fc.option(fc.string({ unit: 'binary', maxLength: 25 }), { nil: null });
    const fields = { batchNo: wildText, serialNo: wildText, expiryDate: wildText, manufactureDate: wildText };
    fc.assert(
      fc.property(
        fc.constantFrom(...formats),
        fc.record(fields),
        fc.dictionary(anything, anything),
        (format, wild, other) => {
          const [, form, contents] = format;
          const [content] = fc.sample(contents, { numRuns: 1, seed: 1 });
          if (content === undefined) return;
          const draft = { ...content, ...wild, other };
          const writing = writeUdi(draft, { form, today });
          if (writing.ok) expect(udiOf(writing.code)).toEqual({ raw: writing.code, ...draft });
          else expect(failureReasons).toContain(writing.failure.reason);
        },
      ),
      { numRuns },
    );
  });
});
