import { describe, expect, it } from 'vitest';
import { matchingParts } from './marked-text.js';

describe('the marked parts of a search result', () => {
  it.each([
    ['H41749B', '174', ['H4', '174', '9B']],
    ['SO-1 so-2', 'SO', ['', 'SO', '-1 ', 'so', '-2']],
    ['Stent', 'x', ['Stent']],
    ['Stent', '', ['Stent']],
    ['国械注准20163003140', '国械', ['', '国械', '注准20163003140']],
  ])('of %s for %s', (text, sought, parts) => {
    expect(matchingParts(text, sought)).toEqual(parts);
    expect(matchingParts(text, sought).join('')).toBe(text);
  });
});
