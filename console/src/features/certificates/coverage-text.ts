import type { Certificate } from './certificate-columns.js';
import type { coverageWords } from './coverage-words.js';

export type Coverage = NonNullable<Certificate['coverage']>;
export type CoverageEntry = Coverage[number];

type Words = (typeof coverageWords)['en'] | (typeof coverageWords)['zh-CN'];

/** An entry in words: classes, categories, exceptions. */
export function entryText({ riskClasses, categories, excludes = [] }: CoverageEntry, words: Words): string {
  const listed = (items: readonly string[]) => items.join(words.listSeparator);
  const restricts = categories !== undefined && !categories.includes('*');
  return [
    riskClasses
      ? words.classesText(listed(riskClasses.map((each) => shortClass(each, words))))
      : words.allClasses,
    ...(restricts ? [words.categoriesText(listed(categories.map((each) => categoryText(each, words))))] : []),
    ...(excludes.length > 0 ? [words.exceptText(listed(excludes.map((each) => words.except[each])))] : []),
  ].join(words.partSeparator);
}

/** Without the word that precedes the whole list. */
const shortClass = (riskClass: 'I' | 'II' | 'III', words: Words): string =>
  words.riskClass[riskClass].replace(/^Class /, '');

const categoryText = (pattern: string, words: Words): string =>
  pattern.endsWith('*') ? words.beginning(pattern.slice(0, -1)) : pattern;
