import { describe, expect, it } from 'vitest';
import { failureOf, udiOf } from '../test/reading.js';
import held from '../test/vectors.json' with { type: 'json' };

const expected = held.vectors.filter((vector) => vector.error === undefined);
const refused = held.vectors.filter((vector) => vector.error !== undefined);
const fields = [
  'deviceIdentifier',
  'batchNo',
  'serialNo',
  'manufactureDate',
  'expiryDate',
  'quantity',
] as const;

describe('published codes', () => {
  it.each(expected)('$id says exactly what is on the label', ({ code, expect: content }) => {
    const udi = udiOf(code);
    expect(udi).toMatchObject({ raw: code, ...content });
    for (const field of fields)
      expect([field, udi[field]]).toEqual([field, (content as Partial<typeof udi>)[field] ?? null]);
  });

  it.each(refused)('$id is refused', ({ code, error }) => {
    const { reason, message } = failureOf(code);
    expect(reason).toBe(error);
    expect(message).not.toBe('');
  });
});
