import { expect, it } from 'vitest';
import { STRETCH } from './grams.rules.js';
import { FIRST_STRETCHES, stretchesToRead } from './stretches.rules.js';

/** How many stretches, and how many matches, a list reads until it has 10,000. */
function readAll(foundInEach: number, stretches: number): { rounds: number; found: number } {
  let [rounds, found, left] = [0, 0, stretches];
  for (let size = FIRST_STRETCHES; left > 0 && found < 10_000; rounds++) {
    const looked = Math.min(size, left);
    found += looked * foundInEach;
    left -= looked;
    size = stretchesToRead(10_000 - found, foundInEach);
  }
  return { rounds, found };
}

it('a text that is in everything makes a list read hardly more than it shows', () => {
  for (const share of [1, 0.5, 0.1, 0.01])
    expect(readAll(Math.round(STRETCH * share), 500).found).toBeLessThanOrEqual(10_000 + 2 * STRETCH);
});

it('a text that is in nothing, or in little, takes few rounds among a million entries', () => {
  expect(readAll(0, 123).rounds).toBeLessThanOrEqual(5);
  expect(readAll(3, 123).rounds).toBeLessThanOrEqual(5);
});
