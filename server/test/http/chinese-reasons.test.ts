import { describe, expect, it } from 'vitest';
import { reasonsInChinese } from '../../../console/src/ui/reasons.js';
import { allReasons } from '../../src/app/reasons.js';

const given = new Set(Object.values(allReasons).flatMap((area) => Object.keys(area)));

describe('a failure, shown in Chinese by the console', () => {
  it('has a text for every reason of the service, and for no other', () => {
    expect(given.size).toBeGreaterThan(150);
    expect(Object.keys(reasonsInChinese).sort()).toEqual([...given].sort());
  });

  it('is a whole sentence, in Chinese and with Chinese punctuation', () => {
    const odd = Object.entries(reasonsInChinese).filter(
      ([, words]) =>
        !/\p{Script=Han}/u.test(words) || !words.endsWith('。') || /\p{Script=Han}[,;:.()]/u.test(words),
    );
    expect(odd).toEqual([]);
  });
});
