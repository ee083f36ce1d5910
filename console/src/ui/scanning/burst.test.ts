import { describe, expect, it } from 'vitest';
import { beginBurst, continueBurst, isCodeLike, isMachine, isScan, isWithin } from './burst.js';

/** The keys of a text, at these gaps. */
const typed = (text: string, gapMs: (at: number) => number) => {
  let atMs = 1_000;
  let burst = beginBurst(text[0] ?? '', atMs);
  for (let at = 1; at < text.length; at++) {
    atMs += gapMs(at);
    burst = continueBurst(burst, text[at] ?? '', atMs);
  }
  return { burst, endMs: atMs + gapMs(text.length) };
};
const isScanned = (text: string, gapMs: (at: number) => number, isSpeedProof = true): boolean => {
  const { burst, endMs } = typed(text, gapMs);
  return isWithin(burst, endMs) && isScan(burst, endMs, isSpeedProof);
};

describe('a scan is distinguished from typing', () => {
  it.each([
    ']d2010690123456789217301231',
    ']C1010690123456789210B1',
    '0106901234567892173012311012',
    '(01)06901234567892(10)B1',
    '00069012345678901234',
    '+A123BJC5D6E71',
    '+$$3301231B1/S77DK',
    '=W12345678901200',
    'MA.156.M0.100000.12345678',
    'https://id.gs1.org/01/06901234567892/10/B1',
    `10B1\u001d21S1`,
  ])('by its content, at 100 ms between keys: %s', (code) => {
    expect(isCodeLike(code)).toBe(true);
    expect(isScanned(code, () => 100)).toBe(true);
    expect(isScanned(code, () => 100, false)).toBe(true);
  });

  it.each(['06901234567892', 'ABC-1234567', '4006381333931'])('by its speed alone: %s', (code) => {
    expect(isScanned(code, () => 5)).toBe(true);
    expect(isScanned(code, (at) => (at === 7 ? 90 : 15))).toBe(true);
    expect(isScanned(code, () => 60)).toBe(false);
  });

  it('but not by its speed where password managers type', () => {
    expect(isScanned('correct horse', () => 2, false)).toBe(false);
  });

  it.each([
    'SO-2026-0815',
    '06901234567892',
    '+49 30 1234567',
    'sister.anna@hospital.example',
    '(see box 12)',
  ])('what a person types is none: %s', (text) => {
    for (const gapMs of [60, 80, 100, 120, 150]) expect(isScanned(text, () => gapMs)).toBe(false);
    expect(isMachine(typed(text, (at) => [60, 150, 72][at % 3] ?? 60).burst)).toBe(false);
  });

  it('two keys at once are no machine, four are', () => {
    expect(isMachine(typed('12', () => 5).burst)).toBe(false);
    expect(isMachine(typed('1234', () => 5).burst)).toBe(true);
  });

  it('a pause ends it', () => {
    const { burst, endMs } = typed('0106901234567892', () => 10);
    expect(isWithin(burst, endMs + 200)).toBe(false);
  });
});
