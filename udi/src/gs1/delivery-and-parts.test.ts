import { describe, expect, it } from 'vitest';
import { reasonOf, today, udiOf } from '../../test/reading.js';
import { writeUdi } from '../index.js';

const SSCC = '106141412345678908';
const DEVICE = `(01)09521234543213(00)${SSCC}`;

describe('a delivery time', () => {
  it.each(['2612311259', '2612319999'])('is read as a time of day, or 9999 for none: %s', (text) => {
    expect(udiOf(`${DEVICE}(4324)${text}`).other).toEqual({ '00': SSCC, 4324: text });
  });

  it.each(['2612312460', '2612319998'])('that does not exist is refused: %s', (text) => {
    expect(reasonOf(`${DEVICE}(4324)${text}`)).toBe('illegal_date');
  });
});

it('the identifier of a part of a device is written before identifiers of predefined length', () => {
  const code = '(8006)095212345432130102(17)280426';
  expect(writeUdi(udiOf(code), { form: 'bracketed', today })).toEqual({ ok: true, code });
});
