import { describe, expect, it } from 'vitest';
import { failureOf } from '../test/reading.js';
import { checkCharacter } from './hibc/check-character.js';

const FNC1 = '\u001d';
const GTIN = '(01)00844588003288';
const LINK = 'https://id.gs1.org/01/09521234543213';
const MA = 'MA.156.M0.100472.11103316';
const PRIMARY = '+A123BJC5D6E71';
const checked = (body: string): string => body + checkCharacter(body);

describe('a refusal points at the part that is wrong, and quotes it', () => {
  it.each([
    ['AHM 1', 'illegal_character', 3, '" 1"'],
    [`]Q0${MA}.L1.X1`, 'unknown_identifier', `]Q0${MA}.L1.`.length, '"X1"'],
    [`${MA}.E201301`, 'illegal_date', MA.length + 1, '"E201301"'],
    [`${LINK}/10/AB%zz`, 'bad_encoding', `${LINK}/10/AB`.length, '"%zz"'],
    [`${LINK}?17=291301`, 'illegal_date', `${LINK}?17=`.length, '"291301"'],
    [`${LINK}/17/291231`, 'wrong_order', LINK.length + 1, 'belongs behind the ?'],
    ['010084458800328805123', 'unknown_identifier', 16, '"0512"'],
    [`${GTIN}(9x)1`, 'unknown_identifier', GTIN.length, '"(9x)"'],
    [`${GTIN}(10`, 'unknown_identifier', GTIN.length, '"(10"'],
    ['++9999MODELIDENTIFIER11S8', 'bad_labeler', 2, '"9999"'],
    [`${PRIMARY}G+$$7#OTGA`, 'illegal_character', 19, '"#"'],
    [checked(`${PRIMARY}/$$8AB7X`), 'illegal_value', 18, '"AB"'],
    [checked(`${PRIMARY}/$$824LOT`), 'unknown_identifier', 20, '"L"'],
    [checked(`${PRIMARY}/$$8241305LOT`), 'illegal_date', 20, '"1305"'],
    [checked(`${PRIMARY}/Q25/$$8247LOT`), 'conflicting_values', 22, '25 and 24'],
    [checked(`${PRIMARY}/14D20201301`), 'illegal_date', 18, '"20201301"'],
    ['=/A9999XYZ100T0474=?12', 'unknown_identifier', 18, '"=?1"'],
    [']Q0(01)00844588003288', 'unknown_format', 3, '"(01)00844588003288"'],
    ['\r\n', 'unknown_format', 0, '""'],
  ] as const)('%j: %s at %i', (code, reason, position, quoted) => {
    const failure = failureOf(code);
    expect(failure).toMatchObject({ reason, position });
    expect(failure.message).toContain(quoted);
  });

  it('a text of 40 characters is quoted whole, a longer one by its start', () => {
    const text = 'x'.repeat(40);
    expect(failureOf(text).message).toContain(`"${text}"`);
    expect(failureOf(`${text}x`).message).toContain(`"${text}…"`);
  });
});

describe('a code is recognized by its own start', () => {
  it.each([
    [`-${FNC1}10A`, 'unknown_format'],
    [`05${FNC1}10A`, 'unknown_identifier'],
    [`AB1${'C'.repeat(30)}`, 'unknown_format'],
    [`PPX${'C'.repeat(30)}`, 'unknown_format'],
    [`]-0${PRIMARY}G`, 'unknown_format'],
    [`]C-${PRIMARY}G`, 'unknown_format'],
  ] as const)('%j is refused: %s', (code, reason) => {
    expect(failureOf(code).reason).toBe(reason);
  });
});
