import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { counting, singularOf } from './counting.js';
import type { Words } from './language.js';

describe('counts', () => {
  it.each([
    [1, '1 batch'],
    ['1', '1 batch'],
    [0, '0 batches'],
    ['1,001', '1,001 batches'],
    [21, '21 batches'],
  ])('%s', (count, text) => expect(counting('batch', 'batches')(count)).toBe(text));
});

it('the noun of a list has a singular', () => {
  const nouns = ['batches', 'deliveries', 'monitoring points', 'sandboxes', 'warehouses'];
  expect(nouns.map(singularOf)).toEqual(['batch', 'delivery', 'monitoring point', 'sandbox', 'warehouse']);
});

const sources = join(import.meta.dirname, '..');
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('words.ts'),
);

/** Words that end in s and are not plurals. */
const SINGULAR = /^(is|was|has|this|its|ms|works|expires)$/;

/** `1 units`, `1 skipped events`, as a text says it when every count in it is one. */
const plurals = (text: string): string[] =>
  [...text.matchAll(/(?<!All )\b1 (?:[a-z]+ )?([a-z]+s)\b/g)].flatMap(([found, noun = '']) =>
    SINGULAR.test(noun) ? [] : [found],
  );

function* textsOf(words: Words): Generator<string> {
  for (const word of Object.values(words)) {
    if (typeof word === 'function') yield (word as (...ones: string[]) => string)(...'1'.repeat(word.length));
    else if (typeof word === 'object') yield* textsOf(word);
  }
}

describe('no text says “1 units”', () => {
  it('there are texts to look at', () => expect(files.length).toBeGreaterThan(20));

  it.each(files)('%s', async (file) => {
    const dictionaries = Object.values(await import(join(sources, file))) as { en?: Words }[];
    const english = dictionaries.flatMap((each) => (each?.en ? [...textsOf(each.en)] : []));
    expect(english.flatMap(plurals)).toEqual([]);
  });
});
