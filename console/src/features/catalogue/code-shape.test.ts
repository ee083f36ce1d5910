import { describe, expect, it } from 'vitest';
import { couldBeCode } from './code-shape.js';

describe('what is typed into a picker', () => {
  it.each(['06901234567892', 'SUP-1', 'HOSP-9', 'CATHETER-1', 'a1b', '2026.7', 'A/12', 'ACME'])(
    '%s is requested as a code',
    (text) => {
      expect(couldBeCode(text)).toBe(true);
    },
  );

  it.each([
    'Acme',
    'City',
    'Balloon',
    'stent',
    'Acme Devices',
    'Acme Devices · SUP-1',
    '仁济医院',
    '',
    'a1',
    'x'.repeat(65),
  ])('%j is searched for as a name only', (text) => {
    expect(couldBeCode(text)).toBe(false);
  });
});
