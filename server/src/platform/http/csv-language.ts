import { Type } from 'typebox';
import { OneOf } from './schema.js';

const LANGUAGES = ['en', 'zh-CN'] as const;
export type CsvLanguage = (typeof LANGUAGES)[number];

/** The language of a file for people. Programs omit it and get the names of the fields. */
export const CsvLanguageFilter = Type.Optional(
  OneOf(
    LANGUAGES,
    '`zh-CN` has the first row and the states in Chinese; `en` and none, as the API names them.',
  ),
);

/** The first row of a file: the names of its columns, or what they are called in Chinese. */
export const headOf = (columns: Readonly<Record<string, string>>, language: CsvLanguage = 'en'): string[] =>
  language === 'zh-CN' ? Object.values(columns) : Object.keys(columns);

/** A state or kind as the API names it, or what it is called in Chinese. */
export const termOf = <V extends string>(
  value: V,
  chinese: Readonly<Record<V, string>>,
  language: CsvLanguage = 'en',
): string => (language === 'zh-CN' ? chinese[value] : value);
